import { columns } from '../core/columns.ts'
import type { Issue, Severity } from '../core/issue.ts'
import type { Mark } from './read-as.ts'

/** What a person can take in: more lines, or longer ones, are left out. */
const MOST_LINES = 500
const MOST_COLUMNS = 200

/** What the margin calls text that is no part. */
const BESIDE = 'text'

const signs: Record<Severity, string> = { error: '✗', warning: '!', repair: '~' }
const severityColors: Record<Severity, string> = { error: '31', warning: '33', repair: '36' }
const severities = ['error', 'warning', 'repair'] as const
/** Sections take these in turn, by name. */
const sectionColors = ['32', '34', '35', '36', '33']

/**
 * A text with its parts named in the margin, and a sign on each line where an issue begins:
 *
 *       1 ~ thinking │ <thinking id="1">Both cities.</thinking>
 *       2   action   │ <action>
 *       3            │ [{"tool": "weather"}]
 *
 * A line that holds several parts, or a part and plain text, is followed by one that shows where each part stands:
 *
 *       1   reasoning ┃ <think>Hm.</think>Hello!
 *           text      │ └─reasoning──────┘
 */
export function explain(
  text: string,
  marks: readonly Mark[],
  issues: readonly Issue[],
  color: boolean,
): string {
  const paint = (code: string, part: string) =>
    color && code && part ? `\u001b[${code}m${part}\u001b[0m` : part
  const paintMark = painter(marks)
  const flaws = issuesByLine(text, issues)
  // Behind the last line break there is no line.
  const lines = text.replace(/\r?\n$/, '').split('\n', MOST_LINES + 1)
  const digits = String(Math.min(lines.length, MOST_LINES)).length
  const shownLines = linesWithParts(text, lines.slice(0, MOST_LINES), marks)
  const labels = marks.map(({ label }) => columns(label).width)
  const besides = shownLines.some(({ mixed }) => mixed) ? BESIDE.length : 0
  const margin = Math.min(24, Math.max(besides, ...labels))
  const rows: string[] = []
  let named: Mark | undefined
  for (const [i, { start, end, here, mixed }] of shownLines.entries()) {
    const [mark] = here
    // A name is written where its part begins; further down the line in the margin goes on.
    const label = mark && mark !== named ? columns(mark.label) : { text: '', width: 0 }
    const severity = severities.find((one) => flaws.get(i)?.some((issue) => issue.severity === one))
    const sign = severity ? paint(severityColors[severity], signs[severity]) : ' '
    const rail = mark ? paint(paintMark(mark), '┃') : paint('2', '│')
    const name = mark ? paint(paintMark(mark), label.text) : ''
    const gap = ' '.repeat(Math.max(0, margin - label.width))
    const number = paint('2', String(i + 1).padStart(digits + 2))
    const styled = (one: Mark | undefined, part: string) => paint(one ? paintMark(one) : '', part)
    const shown = lineText(text, start, end, here, color ? (flaws.get(i) ?? []) : [], styled, paint)
    rows.push(`${number} ${sign} ${name}${gap} ${rail} ${shown}`.trimEnd())
    if (here.length > 1 || mixed) {
      const pointers = pointerRow(text, start, end, here, (one, part) => paint(paintMark(one), part))
      const beside = (mixed ? BESIDE : '').padEnd(margin)
      rows.push(`${' '.repeat(digits + 5)}${beside} ${paint('2', '│')} ${pointers}`.trimEnd())
    }
    named = here.at(-1) ?? named
  }
  if (lines.length > MOST_LINES) rows.push(paint('2', `${' '.repeat(digits + 1)}⋮ the rest is not shown`))
  return `${rows.join('\n')}\n`
}

interface LineWithParts {
  readonly start: number
  readonly end: number
  /** The parts on it. */
  readonly here: readonly Mark[]
  /** Text stands beside a part that was taken, and belongs to none. */
  readonly mixed: boolean
}

function linesWithParts(text: string, lines: readonly string[], marks: readonly Mark[]): LineWithParts[] {
  let start = 0
  let first = 0
  return lines.map((raw) => {
    const from = start
    const end = from + raw.length
    while ((marks[first]?.span[1] ?? Number.POSITIVE_INFINITY) <= from && first < marks.length) first++
    const here = overlapping(marks, first, from, end, text)
    start = end + 1
    // What stands beside a value that was not taken is of no interest: neither is read.
    const isTaken = here.some(({ kind }) => kind !== 'other')
    return { start: from, end, here, mixed: isTaken && hasMore(text, from, end, here) }
  })
}

/** Whether a line, as far as it is shown, has more on it than parts. */
function hasMore(text: string, start: number, end: number, marks: readonly Mark[]): boolean {
  const stop = Math.min(end, start + MOST_COLUMNS)
  let at = start
  for (const { span } of marks) {
    if (text.slice(at, Math.min(stop, span[0])).trim() !== '') return true
    at = Math.max(at, span[1])
  }
  return text.slice(at, stop).trim() !== ''
}

function painter(marks: readonly Mark[]): (mark: Mark) => string {
  const names = [...new Set(marks.filter(({ kind }) => kind === 'section').map(({ label }) => label))]
  return ({ kind, label }) => {
    if (kind === 'reasoning') return '3;90'
    if (kind === 'other') return '2'
    if (kind === 'value') return '32'
    return sectionColors[names.indexOf(label) % sectionColors.length] as string
  }
}

/** The parts on a line. A part of which only white space stands there is not worth a word. */
function overlapping(
  marks: readonly Mark[],
  first: number,
  start: number,
  end: number,
  text: string,
): Mark[] {
  const found: Mark[] = []
  for (let i = first; i < marks.length; i++) {
    const mark = marks[i] as Mark
    if (mark.span[0] > end) break
    const [from, to] = [Math.max(start, mark.span[0]), Math.min(end, mark.span[1])]
    const through = mark.span[0] <= start && mark.span[1] > end
    if (through || (from < to && text.slice(from, to).trim() !== '')) found.push(mark)
    if (end - start > MOST_COLUMNS && from - start > MOST_COLUMNS) break
  }
  return found
}

type Paint<M> = (mark: M, part: string) => string

/** `flaws`: issues that begin on this line; those that also end there are underlined. */
function lineText(
  text: string,
  start: number,
  end: number,
  marks: readonly Mark[],
  flaws: readonly Issue[],
  styled: Paint<Mark | undefined>,
  paint: (code: string, part: string) => string,
): string {
  const stop = Math.min(end, start + MOST_COLUMNS)
  let shown = ''
  let at = start
  const add = (to: number, style: (part: string) => string) => {
    if (to <= at) return
    shown += style(columns(text.slice(at, to).replace(/\r$/, '')).text)
    at = to
  }
  const within = flaws.filter(({ span }) => span && span[1] <= stop && span[1] > span[0])
  let next = 0
  const addPart = (to: number, mark: Mark | undefined) => {
    for (; next < within.length; next++) {
      const { span, severity } = within[next] as Issue
      const [from, until] = span as readonly [number, number]
      // What is wrong with all of a part would hide what is wrong within it.
      if (from < at || until > to || (from === mark?.span[0] && until === mark.span[1])) {
        if (from >= to) break
        continue
      }
      add(from, (part) => styled(mark, part))
      add(until, (part) => paint(`4;${severityColors[severity]}`, part))
    }
    add(to, (part) => styled(mark, part))
  }
  for (const mark of marks) {
    addPart(Math.min(stop, mark.span[0]), undefined)
    addPart(Math.min(stop, mark.span[1]), mark)
  }
  addPart(stop, undefined)
  return stop < end ? `${shown}…` : shown
}

// <thinking>a</thinking><action>b</action>
// └─thinking───────────┘└─action─────────┘
function pointerRow(
  text: string,
  start: number,
  end: number,
  marks: readonly Mark[],
  paint: Paint<Mark>,
): string {
  const stop = Math.min(end, start + MOST_COLUMNS)
  let row = ''
  let width = 0
  for (const mark of marks) {
    const from = Math.max(start, mark.span[0])
    const to = Math.min(stop, mark.span[1])
    if (from >= to) continue
    const indent = columns(text.slice(start, from)).width
    if (indent < width) continue
    const length = Math.max(1, columns(text.slice(from, to)).width)
    row += ' '.repeat(indent - width) + paint(mark, bracket(mark.label, length))
    width = indent + length
  }
  return row
}

function bracket(label: string, length: number): string {
  if (length < 2) return '╵'
  const name = columns(label)
  const room = length - 3
  return name.width <= room
    ? `└─${name.text}${'─'.repeat(room - name.width)}┘`
    : `└${'─'.repeat(length - 2)}┘`
}

/** The issues that begin on each line, in the order of the text. */
function issuesByLine(text: string, issues: readonly Issue[]): Map<number, Issue[]> {
  const lines = new Map<number, Issue[]>()
  const from = ({ span }: Issue) => Math.min(span?.[0] ?? 0, text.length)
  let line = 0
  let at = 0
  for (const issue of issues.filter(({ span }) => span).sort((a, b) => from(a) - from(b))) {
    const target = from(issue)
    for (let next = text.indexOf('\n', at); next >= 0 && next < target; next = text.indexOf('\n', at)) {
      line++
      at = next + 1
    }
    const before = lines.get(line)
    if (before) before.push(issue)
    else lines.set(line, [issue])
  }
  return lines
}
