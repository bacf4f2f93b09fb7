import type { Read } from '../core/read.ts'
import type { Span } from '../core/span.ts'
import type { CallEvent, FoundPart } from '../dialects/read/parts-out.ts'

/** A call as the model wrote it, with its arguments as the schema of the tool has them. */
export interface WrittenCall {
  /** The id that the model gave it, or one that is always the same for the same call in the same place. */
  readonly id: string
  readonly name: string
  readonly arguments: Record<string, unknown>
  readonly span: Span
  /** False: the text broke off within the call. It must not run. */
  readonly complete: boolean
}

/** What is told while the text arrives. */
export type ToolCallEvent =
  | Exclude<CallEvent, { readonly type: 'call-end' }>
  /** The call as it will stand in the reading. What is wrong with it, the reading says. */
  | { readonly type: 'call-end'; readonly index: number; readonly call: WrittenCall }

/** A stretch of the text. Together the parts are all of it, in order. */
export type ToolCallPart =
  | Exclude<FoundPart, { readonly type: 'call' }>
  | { readonly type: 'call'; readonly call: WrittenCall; readonly span: Span }

export interface ToolCalls {
  /** What the model says, without calls, reasoning and marks. */
  readonly content: string
  /** What the model thinks. */
  readonly reasoning: string
  readonly calls: readonly WrittenCall[]
  readonly parts: readonly ToolCallPart[]
}

/** The value is there also when something is wrong with it. An issue of a call has the path `calls`, its index, …. */
export type ToolCallsRead = Read<ToolCalls> & { readonly value: ToolCalls }
