import { columns } from '../core/columns.ts'
import { isRecord } from '../core/is-record.ts'
import type { ToolCallError } from '../tool/call-outcome.ts'
import type { RequestedCall, ToolResult } from '../tool/tool.ts'
import type { Paint } from './paint.ts'
import { formatScope } from './permission/parse-scope.ts'
import type { Question } from './permission/question.ts'

const LONGEST_LINE = 200
/** Arguments of a call that a person is asked about: they decide on all of it, so all of it is shown, line by line. */
const MOST_LINES = 400

/** A call on one line. */
export function callLine({ name, arguments: args }: RequestedCall): string {
  return oneLine(`${name} ${jsonText(args)}`)
}

/** What came of it, on one line. */
export function resultLine(result: ToolResult): string {
  const text = typeof result.text === 'string' ? result.text : jsonText(result.text)
  const lines = text.replace(/\n$/, '').split('\n')
  const more = lines.length > 1 ? ` (+${lines.length - 1} ${lines.length === 2 ? 'line' : 'lines'})` : ''
  const media =
    result.media.length > 0 ? ` (${result.media.map(({ mediaType }) => mediaType).join(', ')})` : ''
  return `${oneLine(lines[0] ?? '', 100)}${more}${oneLine(media)}`
}

export const errorLine = ({ message }: Pick<ToolCallError, 'message'>): string => oneLine(message)

/** What a person has to know to decide on a call, in lines that are safe on a terminal. */
export function questionLines({ request, about, needs, preview }: Question, paint: Paint): string[] {
  const { call } = request
  const needed = needs.map(formatScope).join(', ')
  const head = `${paint.yellow('?')} ${paint.bold(oneLine(call.name))} ${paint.dim(oneLine(`needs ${needed}`))}`
  if (preview?.ok) {
    const missing = preview.cut ? [paint.red('  Not all of the change is shown: it is too long.')] : []
    return [head, ...diffLines(preview.diff, paint), ...missing]
  }
  return [head, paint.dim(`  ${oneLine(about)}`), ...argumentLines(call.arguments)]
}

/** A call in full, in lines that are safe on a terminal. */
export const callLines = (call: RequestedCall, paint: Paint): string[] => [
  `${paint.yellow('?')} ${paint.bold(oneLine(call.name))}`,
  ...argumentLines(call.arguments),
]

/** Whether not all that a person decides on could be shown. */
export function isCut({ request, preview }: Question): boolean {
  return preview?.ok ? preview.cut : argumentLines(request.call.arguments).length > MOST_LINES
}

function diffLines(diff: string, paint: Paint): string[] {
  return diff
    .replace(/\n$/, '')
    .split('\n')
    .map((line) => {
      const shown = columns(line).text
      if (line.startsWith('+') && !line.startsWith('+++')) return `  ${paint.green(shown)}`
      if (line.startsWith('-') && !line.startsWith('---')) return `  ${paint.red(shown)}`
      return `  ${line.startsWith('@@') ? paint.cyan(shown) : paint.dim(shown)}`
    })
}

/** Each argument by its name; texts of several lines as they are. */
function argumentLines(args: unknown): string[] {
  if (!isRecord(args)) return [`  ${oneLine(jsonText(args))}`]
  const lines = Object.entries(args).flatMap(([name, value]) => {
    const text = typeof value === 'string' ? value : jsonText(value)
    const [first = '', ...rest] = text.split('\n')
    return [`  ${columns(`${name}: ${first}`).text}`, ...rest.map((line) => `  │ ${columns(line).text}`)]
  })
  if (lines.length <= MOST_LINES) return lines
  return [...lines.slice(0, MOST_LINES), `  … ${lines.length - MOST_LINES} more lines, not shown`]
}

function oneLine(text: string, most = LONGEST_LINE): string {
  return columns(text.length > most ? `${text.slice(0, most)}…` : text).text
}

function jsonText(value: unknown): string {
  try {
    return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? String(one) : one)) ?? String(value)
  } catch {
    return String(value)
  }
}

const MOST_JUDGED = 2000

/** What a goal came to, for those who judge it: its fields by their names, texts with their lines. */
export function judgedLines(text: string): string[] {
  let value: unknown = text
  try {
    value = JSON.parse(text)
  } catch {
    // It is text.
  }
  const lines = isRecord(value)
    ? argumentLines(value).map((line) => line.slice(2))
    : text.split('\n').map((line) => columns(line).text)
  return lines.length <= MOST_JUDGED
    ? lines
    : [...lines.slice(0, MOST_JUDGED), `… ${lines.length - MOST_JUDGED} more lines, not shown`]
}
