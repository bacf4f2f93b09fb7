import type { Issue } from '../core/issue.ts'
import type { RequestedCall, ToolCall, ToolResult } from './tool.ts'

/** Why a call has no result, or none that could be shown. */
export interface ToolCallError {
  /** As in docs/errors.md: `tool.unknown`, `tool.invalid_arguments`, `tool.failed`, `tool.timeout`, … */
  readonly code: string
  /** The call, unless the text could not be read as calls at all. */
  readonly call?: RequestedCall
  /** For the developer. */
  readonly message: string
  /** What the model is told. */
  readonly hint: string
  readonly issues: readonly Issue[]
  /** What the tool or a hook has thrown. */
  readonly cause?: unknown
}

/** What came of a call. */
export type CallOutcome =
  | { readonly ok: true; readonly call: ToolCall; readonly result: ToolResult }
  | {
      readonly ok: false
      readonly call: RequestedCall
      readonly error: ToolCallError
      /** The tool ran; what came after it failed. */
      readonly result?: ToolResult
    }

/** A call that can run, or why it cannot. */
export type CheckedCall =
  | { readonly ok: true; readonly call: ToolCall; readonly issues: readonly Issue[] }
  | { readonly ok: false; readonly call: RequestedCall; readonly issues: readonly Issue[] }

/** What went wrong, for the program: the first error, with the others beside it. */
export function errorOf(issues: readonly Issue[], call?: RequestedCall, cause?: unknown): ToolCallError {
  const errors = issues.filter((issue) => issue.severity === 'error')
  const [first] = errors
  return {
    code: first?.code ?? 'tool.failed',
    ...(call && { call }),
    message: first?.message ?? '',
    hint: errors.map((issue) => issue.hint ?? issue.message).join('\n'),
    issues,
    ...(cause !== undefined && { cause }),
  }
}
