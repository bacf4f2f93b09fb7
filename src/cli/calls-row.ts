import { isRecord } from '../core/is-record.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { ToolCallOptions } from '../tool/create-tool-call-reader.ts'
import type { DeclaredTool } from '../tool/declared-tools.ts'
import { readToolCalls } from '../tool/read-tool-calls.ts'
import { formatValue } from './format-value.ts'
import { toolList } from './load-tools.ts'

/** What became of a line. */
export interface RowResult {
  /** The line to write, without its end. */
  readonly json: string
  /** Why there is no row in the line. */
  readonly problem?: string
}

type RowErrorCode =
  | 'cli.broken_line'
  | 'cli.line_too_long'
  | 'cli.invalid_tools'
  | 'cli.lost_worker'
  | 'cli.mistake_in_legible'

/** The line that stands in the place of one that could not be read. */
export function brokenRow(line: number, code: RowErrorCode, message: string, row: object = {}): RowResult {
  return { json: JSON.stringify({ ...row, error: { code, message }, line }), problem: message }
}

/** What a line of JSON says, `{"raw": …, "tools"?: …}`, as a line. Throws nothing, whatever the line holds. */
export function readRow(bytes: Uint8Array, line: number, options: ToolCallOptions): RowResult {
  let row: unknown
  let names = {}
  try {
    const { text, warnings } = decode(bytes)
    try {
      row = JSON.parse(text)
    } catch (error) {
      return brokenRow(line, 'cli.broken_line', `this is no JSON: ${(error as Error).message}`)
    }
    if (!isRecord(row) || typeof row.raw !== 'string')
      return brokenRow(line, 'cli.broken_line', `expected {"raw": "…"}, but ${found(row)}`, namesOf(row))
    names = namesOf(row)
    const tools = row.tools === undefined || row.tools === null ? options.tools : toolsOf(row.tools)
    const { ok, complete, value, issues } = readToolCalls(row.raw, { ...options, tools })
    const { calls, content, reasoning } = value
    return { json: written({ ...names, ok, complete, calls, content, reasoning, issues }, warnings) }
  } catch (error) {
    // Of a mistake in reading one row the others should know nothing.
    const code = error instanceof LegibleError ? 'cli.invalid_tools' : 'cli.mistake_in_legible'
    return brokenRow(line, code, error instanceof Error ? error.message : String(error), names)
  }
}

const strict = new TextDecoder('utf-8', { fatal: true })
const lenient = new TextDecoder('utf-8')

function decode(bytes: Uint8Array): { text: string; warnings: string[] } {
  try {
    return { text: strict.decode(bytes), warnings: [] }
  } catch {
    return { text: lenient.decode(bytes), warnings: ['what is not UTF-8 was read as \ufffd'] }
  }
}

/** What a row is known by: with these it can be joined to the one it came from. */
function namesOf(row: unknown): object {
  if (!isRecord(row)) return {}
  const { id, model } = row
  return { ...(id !== undefined && { id }), ...(model !== undefined && { model }) }
}

function found(row: unknown): string {
  if (!isRecord(row)) return `this is ${Array.isArray(row) ? 'a list' : row === null ? 'null' : typeof row}`
  return row.raw === undefined ? 'there is no raw' : 'raw is no text'
}

function written(row: object, warnings: string[]): string {
  const { text, lost } = formatValue(row, 0)
  const all = lost.length > 0 ? [...warnings, `${lost.join(', ')}: not in JSON, written as null`] : warnings
  return all.length > 0 ? formatValue({ ...row, warnings: all }, 0).text : text
}

/** Most rows of a file have the same tools, and to prepare these takes longer than to read a row. */
const MOST_KEPT = 64
const MOST_KEPT_LENGTH = 64 * 1024
const kept = new Map<string, readonly DeclaredTool[]>()

function toolsOf(given: unknown): readonly DeclaredTool[] {
  const key = JSON.stringify(given)
  const known = kept.get(key)
  if (known) return known
  const tools = toolList(given)
  if (key.length > MOST_KEPT_LENGTH) return tools
  const [oldest] = kept.keys()
  if (kept.size >= MOST_KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(key, tools)
  return tools
}
