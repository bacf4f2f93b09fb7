import { columns } from '../../core/columns.ts'
import { paintOf } from '../paint.ts'
import { endLines } from './end-words.ts'
import { fitRow, headerLines, type Layout, layoutFor, SPIN_TIME } from './fit-row.ts'
import { giveBack } from './give-back.ts'
import { givenInputs, modelWords } from './header-words.ts'
import { LiveScreen } from './live-screen.ts'
import { RunTree } from './run-tree.ts'
import type { RunView, RunViewOptions } from './run-view.ts'
import { frameOf, rowsOf, settledEntries } from './tree-rows.ts'
import { inputWords } from './words.ts'

/** A run as a tree that is drawn again while it grows, and is printed at the end. */
export function createLiveView(options: RunViewOptions): RunView {
  const { output, color, program, runId, now = () => performance.now() } = options
  const paint = paintOf(color)
  const tree = new RunTree(program)
  const screen = new LiveScreen(output)
  const started = now()
  let hasHeader = false
  let pauses = 0
  let isClosed = false
  let timer: NodeJS.Timeout | undefined

  /** What is printed before the first line of the tree. */
  const header = (layout: Layout): string[] => {
    if (hasHeader) return []
    hasHeader = true
    return headerLines(program.name, inputWords(givenInputs(options)), modelWords(options), layout)
  }

  /** The first entries, in full: they leave the tree. */
  const settle = (entries: number, layout: Layout, isEnd = false): string[] => {
    const last = isEnd ? tree.entries.length - 1 : -1
    const lines = tree.entries
      .slice(0, entries)
      .flatMap((entry, i) => rowsOf(entry, i === last).map((row) => fitRow(row, layout, now())))
    tree.drop(entries)
    return lines
  }

  const draw = () => {
    timer = undefined
    if (pauses > 0 || isClosed) return
    if (!output.writableNeedDrain) {
      const layout = layoutFor(program, screen.width, paint)
      const first = header(layout)
      const { settled, rows } = frameOf(tree.entries, screen.rows)
      const printed = [...first, ...settle(settled, layout)]
      screen.draw(
        printed,
        rows.map((row) => fitRow(row, layout, now())),
      )
      for (const { node } of rows) if (node) node.wasSeen ||= node.ended === undefined
    }
    // The spinner moves, and the clock.
    schedule()
  }

  const schedule = () => {
    timer ??= setTimeout(draw, SPIN_TIME).unref()
  }

  const stop = () => {
    clearTimeout(timer)
    timer = undefined
  }

  /** All of it, as text that stays. */
  const printAll = (ending: readonly string[]) => {
    const layout = layoutFor(program, screen.width, paint)
    const lines = [...header(layout), ...settle(tree.entries.length, layout, true)]
    screen.draw(lines, [])
    // These are read to the end, and copied: they may take several rows.
    if (ending.length > 0) screen.print(ending.map((line) => `${columns(line).text}\n`).join(''))
  }

  /** The last thing that is written. */
  const finish = (ending: readonly string[]) => {
    if (isClosed) return
    if (hasHeader || tree.entries.length > 0 || ending.length > 0) printAll(ending)
    isClosed = true
    stop()
    release()
    screen.close()
  }
  // It broke off: what was to be seen of it stays.
  const close = () => {
    tree.stop(now())
    finish([])
  }

  const release = giveBack({
    leave: close,
    yield: () => screen.clear(),
    comeBack() {
      if (timer === undefined) return
      stop()
      draw()
    },
  })

  return {
    show(event) {
      tree.take(event, now())
      if (pauses === 0) schedule()
    },
    pause() {
      if (pauses++ > 0 || isClosed) return
      stop()
      const layout = layoutFor(program, screen.width, paint)
      const first = header(layout)
      screen.draw([...first, ...settle(settledEntries(tree.entries), layout)], [])
    },
    resume() {
      pauses = Math.max(0, pauses - 1)
      if (pauses === 0 && !isClosed) schedule()
    },
    end(outcome) {
      tree.end(outcome, now())
      finish(endLines(outcome, options, now() - started))
    },
    close,
  }
}
