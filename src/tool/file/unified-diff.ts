import { diffLines, type LineChange } from './diff-lines.ts'
import type { FileLimits } from './file-limits.ts'
import { wholeCharacters } from './file-text.ts'

export interface UnifiedDiff {
  /** As `diff -u` writes it. Control characters are as they are in the texts: make them visible before you show it. */
  readonly diff: string
  readonly added: number
  readonly removed: number
  /** Lines, or ends of lines, were left out. */
  readonly cut: boolean
}

const CONTEXT = 3

/** What becomes of a text; `undefined`: the file does not exist yet. */
export function unifiedDiff(
  path: string,
  before: string | undefined,
  after: string,
  limits: Pick<FileLimits, 'diffLines' | 'lineLength'>,
): UnifiedDiff {
  const old = linesOf(before ?? '')
  const now = linesOf(after)
  const changes = diffLines(old, now)
  const added = changes.reduce((sum, { newFrom, newTo }) => sum + newTo - newFrom, 0)
  const removed = changes.reduce((sum, { from, to }) => sum + to - from, 0)
  const shown: string[] = []
  let total = 0
  let cut = false
  const show = (mark: string, line: string) => {
    total++
    if (shown.length >= limits.diffLines) return
    const ends = line.endsWith('\n')
    const text = ends ? line.slice(0, -1) : line
    const rest = text.length - limits.lineLength
    if (rest > 0) cut = true
    const part =
      rest > 0 ? `${wholeCharacters(text.slice(0, limits.lineLength))}… (${rest} more characters)` : text
    shown.push(`${mark}${part}${ends ? '' : '\n\\ No newline at end of file'}`)
  }
  for (const hunk of hunksOf(changes)) {
    const first = hunk[0] as LineChange
    const last = hunk.at(-1) as LineChange
    const lead = Math.min(CONTEXT, first.from)
    const end = Math.min(old.length, last.to + CONTEXT)
    const from = first.from - lead
    const newFrom = first.newFrom - lead
    const newEnd = last.newTo + end - last.to
    if (shown.length < limits.diffLines)
      shown.push(`@@ -${rangeOf(from, end)} +${rangeOf(newFrom, newEnd)} @@`)
    total++
    let at = from
    for (const change of hunk) {
      for (; at < change.from; at++) show(' ', old[at] as string)
      for (; at < change.to; at++) show('-', old[at] as string)
      for (let i = change.newFrom; i < change.newTo; i++) show('+', now[i] as string)
    }
    for (; at < end; at++) show(' ', old[at] as string)
  }
  if (total > shown.length) {
    cut = true
    shown.push(`… ${total - shown.length} more lines`)
  }
  const head = [before === undefined ? '--- /dev/null' : `--- a/${path}`, `+++ b/${path}`]
  return { diff: [...head, ...shown].join('\n'), added, removed, cut }
}

/** Lines with their ends, so that a missing end is a difference. */
const linesOf = (text: string): string[] => text.match(/[^\n]*\n|[^\n]+$/g) ?? []

/** Changes that are so near to each other that their context touches. */
function hunksOf(changes: readonly LineChange[]): LineChange[][] {
  const hunks: LineChange[][] = []
  for (const change of changes) {
    const hunk = hunks.at(-1)
    const before = hunk?.at(-1)
    if (hunk && before && change.from - before.to <= 2 * CONTEXT) hunk.push(change)
    else hunks.push([change])
  }
  return hunks
}

/** As `diff` counts: from 1, and no lines stand after the line before. */
const rangeOf = (from: number, to: number) => {
  const count = to - from
  const start = count === 0 ? from : from + 1
  return count === 1 ? `${start}` : `${start},${count}`
}
