import { columns } from './columns.ts'
import type { Issue, Severity } from './issue.ts'

export interface CodeFrameOptions {
  /** What the text is called, as in `reply.txt:7:31`. */
  readonly file?: string | undefined
  /** Colours for a terminal. Off unless asked for. */
  readonly color?: boolean | undefined
  /** How many lines are shown before the one that matters; 1 unless said otherwise. */
  readonly context?: number | undefined
}

/** How much of a line is shown, in characters. */
const WIDTH = 100
/** How much of a long line is shown before the span. */
const LEAD = 30

interface Line {
  readonly number: number
  readonly start: number
  /** Without the line break. */
  readonly end: number
}

const colors: Record<Severity, string> = { error: '31', warning: '33', repair: '36' }

/**
 * Shows an issue to a person, with the lines it is about and a caret under its span:
 *
 *     reply.txt:2:12 error json.wrong_type
 *       1 │ {
 *       2 │   "total": "a lot"
 *         │            ^^^^^^^ expected a number, got "a lot"
 *
 * Whatever the text holds, nothing in it reaches a terminal as a command: control characters are shown as escapes.
 */
export function formatCodeFrame(
  text: string,
  issue: Pick<Issue, 'code' | 'severity' | 'message' | 'span'>,
  options: CodeFrameOptions = {},
): string {
  const { file, color = false, context = 1 } = options
  const { severity, span } = issue
  const paint = (code: string, part: string) => (color && part ? `\u001b[${code}m${part}\u001b[0m` : part)
  const tint = (part: string) => paint(colors[severity], part)
  const kind = `${tint(severity)} ${columns(issue.code).text}`
  const message = columns(issue.message).text
  const name = columns(file ?? '').text
  if (!span) return `${name && `${paint('1', name)} `}${kind}\n  ${message}`

  const [from, to] = within(text, span)
  const first = lineAt(text, from)
  const last = lineAt(text, Math.max(from, to - 1), first)
  const place = `${name && `${name}:`}${first.number}:${from - first.start + 1}`
  const gutter = String(last.number).length
  const row = (label: string | number, content: string) => {
    const margin = paint('2', `  ${String(label).padStart(gutter)} │`)
    return content ? `${margin} ${content}` : margin
  }
  const marked = (line: Line, start: number, end: number, words: string) => {
    const { shown, indent, width } = excerpt(text, line, start, end)
    const marks = `${' '.repeat(indent)}${tint('^'.repeat(width) + (words && ` ${words}`))}`
    return [row(line.number, shown), row('', marks)]
  }

  const rows = linesBefore(text, first, context).map((line) => row(line.number, opening(text, line)))
  if (last.number === first.number) {
    rows.push(...marked(first, from, to, message))
  } else {
    rows.push(...marked(first, from, first.end, ''))
    if (last.number > first.number + 1) rows.push(row('⋮', ''))
    const start = last.start + (/\S/.exec(text.slice(last.start, to))?.index ?? 0)
    rows.push(...marked(last, start, to, message))
  }
  return [`${paint('1', place)} ${kind}`, ...rows].join('\n')
}

/** The span, within the text. What lies behind the last line break is moved back: no editor shows a line there. */
function within(text: string, span: readonly [number, number]): [number, number] {
  const from = Math.min(Math.max(0, span[0]), text.length)
  const to = Math.min(Math.max(from, span[1]), text.length)
  if (from < text.length || text.length === 0) return [from, to]
  const end = text.trimEnd().length
  return [end, end]
}

/** The line that holds an offset, counted from the start or from a line before it. */
function lineAt(text: string, offset: number, from: Line = { number: 1, start: 0, end: 0 }): Line {
  let { number, start } = from
  for (let at = text.indexOf('\n', start); at >= 0 && at < offset; at = text.indexOf('\n', start)) {
    number++
    start = at + 1
  }
  return { number, start, end: endOfLine(text, start) }
}

function endOfLine(text: string, start: number): number {
  const at = text.indexOf('\n', start)
  const end = at < 0 ? text.length : at
  return end > start && text[end - 1] === '\r' ? end - 1 : end
}

function linesBefore(text: string, line: Line, count: number): Line[] {
  const lines: Line[] = []
  let { number, start } = line
  while (lines.length < count && number > 1) {
    // The break right before ends that line; and to lastIndexOf a negative index is 0.
    start = start < 2 ? 0 : text.lastIndexOf('\n', start - 2) + 1
    number--
    lines.unshift({ number, start, end: endOfLine(text, start) })
  }
  return lines
}

/** The part of a line around a span, where the span stands in it, and how wide it is. */
function excerpt(
  text: string,
  line: Line,
  start: number,
  end: number,
): { shown: string; indent: number; width: number } {
  const from = Math.min(start, line.end)
  const [left, right] = view(text, line, from)
  const to = Math.min(end, right)
  const before = columns(text.slice(left, from))
  const span = columns(text.slice(from, to))
  const after = columns(text.slice(to, right))
  const head = left > line.start ? '…' : ''
  const tail = right < line.end ? '…' : ''
  const width = span.width + (end > right ? tail.length : 0)
  return {
    shown: `${head}${before.text}${span.text}${after.text}${tail}`,
    indent: head.length + before.width,
    width: Math.max(1, width),
  }
}

function opening(text: string, line: Line): string {
  const [left, right] = view(text, line, line.start)
  return `${columns(text.slice(left, right)).text}${right < line.end ? '…' : ''}`
}

/** Which part of a line is shown: all of it, or a window that begins a little before the span. */
function view(text: string, line: Line, from: number): [number, number] {
  if (line.end - line.start <= WIDTH) return [line.start, line.end]
  let left = Math.max(line.start, Math.min(from - LEAD, line.end - WIDTH))
  let right = Math.min(line.end, left + WIDTH)
  // No character is cut in two.
  if (left > line.start && isLowSurrogate(text, left)) left--
  if (right < line.end && isLowSurrogate(text, right)) right++
  return [left, right]
}

function isLowSurrogate(text: string, at: number): boolean {
  return (text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800
}
