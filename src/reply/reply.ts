import type { Span } from '../core/span.ts'
import type { ToolCall } from '../tool/tool.ts'

interface ReplyBase {
  /** What the model thought, apart from its reply; absent when it showed no thoughts. */
  readonly reasoning?: string
}

/** The model answers. */
export interface TextReply extends ReplyBase {
  readonly type: 'text'
  readonly text: string
}

/** The model wants a tool to run. The tool exists, and its schema accepts the arguments. */
export interface ActionReply extends ReplyBase {
  readonly type: 'action'
  /** What the model said before; empty when it said nothing. */
  readonly text: string
  readonly call: ToolCall
  /** Where the action stands in the reply. */
  readonly span: Span
}

/** The model itself says that it cannot go on. */
export interface ErrorReply extends ReplyBase {
  readonly type: 'error'
  readonly code: string
  readonly message: string
  /** What the model said beside it; empty when it said nothing. */
  readonly text: string
}

export type Reply = TextReply | ActionReply | ErrorReply
