import type { Interface } from 'node:readline'
import { Writable } from 'node:stream'

/** Node's editor with what it keeps to itself: how many rows are above the cursor. */
export type NodeEditor = Interface & { prevRows?: number; cursor: number }

/** While a window is drawn to another size, it changes many times. */
const SETTLE_TIME = 30
/** A terminal that has not answered by now does not answer. */
const ANSWER_TIME = 200

// ESC [ 12 ; 40 R
// biome-ignore lint/suspicious/noControlCharactersInRegex: that is how a terminal answers
const report = /^\x1b\[\d+;(\d+)R$/

/**
 * What Node's editor draws on: the terminal, with one difference. When its width changes, some terminals break the line that
 * is being edited anew and some leave it, and Node would draw over what is above it, or leave old rows behind. So the terminal
 * is asked where the cursor went before the editor is told.
 */
export class EditorScreen extends Writable {
  readonly isTTY = true
  columns: number
  private readonly terminal: NodeJS.WriteStream
  private editor: NodeEditor | undefined
  private timer: NodeJS.Timeout | undefined
  private isAsking = false

  constructor(terminal: NodeJS.WriteStream) {
    super({
      decodeStrings: false,
      write(text, _encoding, done) {
        terminal.write(text)
        done()
      },
    })
    this.terminal = terminal
    this.columns = terminal.columns
    terminal.on('resize', this.onResize)
  }

  serve(editor: NodeEditor): void {
    this.editor = editor
  }

  /** Whether this is no key but an answer of the terminal. */
  takes(key: string): boolean {
    const [, column] = (this.isAsking && report.exec(key)) || []
    if (column === undefined) return false
    this.settle(Number(column) - 1)
    return true
  }

  release(): void {
    clearTimeout(this.timer)
    this.terminal.off('resize', this.onResize)
  }

  private readonly onResize = () => {
    clearTimeout(this.timer)
    // An answer that is on its way is about another width.
    this.isAsking = false
    this.timer = setTimeout(() => {
      this.isAsking = true
      this.terminal.write('\x1b[6n')
      this.timer = setTimeout(() => this.settle(undefined), ANSWER_TIME)
    }, SETTLE_TIME)
  }

  private settle(column: number | undefined): void {
    clearTimeout(this.timer)
    this.isAsking = false
    const editor = this.editor!
    const left = editor.getCursorPos()
    this.columns = this.terminal.columns
    const broken = editor.getCursorPos()
    // At the end of a full row it waits there for the next character.
    const waits = broken.cols === 0 && broken.rows > 0 && column === this.columns - 1
    const isBroken = column === broken.cols && (column !== left.cols || broken.rows < left.rows)
    editor.prevRows = waits ? broken.rows - 1 : isBroken ? broken.rows : left.rows
    this.emit('resize')
  }
}
