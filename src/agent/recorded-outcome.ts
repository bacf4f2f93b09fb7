import { type Json, plainJson } from '../model/plain-json.ts'
import { type CallOutcome, errorOf } from '../tool/call-outcome.ts'
import { toolRunIssues } from '../tool/issues.ts'
import type { ToolCall, ToolResult } from '../tool/tool.ts'
import { type KeptMedia, keepMedia, recallMedia } from './kept-content.ts'

/** What came of a call as plain data. What a program has thrown (`cause`) cannot be kept. */
export function recordOutcome(outcome: CallOutcome): Json {
  const { call } = outcome
  try {
    const result = outcome.result && resultToJson(outcome.result)
    if (outcome.ok) return { result: result as Json }
    const { code, message, hint, issues } = outcome.error
    return plainJson({ error: { code, message, hint, issues }, ...(result && { result }) })
  } catch (cause) {
    // It ran, and must not run again: what it gave is lost, and that is said.
    const { code, message, hint } = errorOf(
      [toolRunIssues.issue('unwritable_output', { name: call.name })],
      call,
      cause,
    )
    return { error: { code, message, hint, issues: [] } }
  }
}

/** The other way. The call is the one that was read: its arguments may be more than plain data. */
export function recallOutcome(recorded: Json, call: ToolCall): CallOutcome {
  const { result, error } = recorded as unknown as { result?: SavedResult; error?: SavedError }
  const made = result && resultFromJson(result)
  if (error) return { ok: false, call, error: { ...error, call }, ...(made && { result: made }) }
  return { ok: true, call, result: made as ToolResult }
}

type SavedError = Pick<Extract<CallOutcome, { ok: false }>['error'], 'code' | 'message' | 'hint' | 'issues'>

interface SavedResult {
  readonly text?: Json
  readonly media: readonly KeptMedia[]
  readonly instructions?: string
}

const resultToJson = ({ text, media, instructions }: ToolResult): Json =>
  plainJson({ text, media: media.map(keepMedia), instructions })

const resultFromJson = ({ text, media, instructions }: SavedResult): ToolResult => ({
  text,
  media: media.map(recallMedia),
  ...(instructions !== undefined && { instructions }),
})
