import type { Span } from '../core/span.ts'
import type { Infer, Schema } from '../schema/schema.ts'
import type { Need } from './permission/permission.ts'

/** Something beside text that a tool gives to the model: an image, a recording, a file. */
export interface Media {
  readonly type: 'image' | 'audio' | 'file'
  readonly mediaType: string
  readonly data: Uint8Array | string
  readonly name?: string
}

/** What is known about the call that a tool runs for. */
export interface ToolContext<C = unknown> {
  readonly signal: AbortSignal
  /** Unique among the calls of a reply. */
  readonly callId: string
  /** The same for every try of the same call, and no other: for tools that must not do a thing twice. */
  readonly idempotencyKey: string
  /** Whatever the caller of `execute` has given. */
  readonly context: C
}

/** What a tool gives back when it is more than a value: made by `toolResult`. */
export interface ToolResult<Output = unknown> {
  /** The value as it is; the chain writes it as text. */
  readonly text: Output
  readonly media: readonly Media[]
  /** What the model shall know about the result, as a section of its own. */
  readonly instructions?: string
}

/** Whether calls of a tool wait for a person: all of them, or those that the function says. */
export type NeedsApproval<Input = unknown> =
  | boolean
  // As a method, so that a tool with arguments of its own is still a tool.
  | { check(input: Input): boolean | Promise<boolean> }['check']

/** What calls of a tool need to be permitted, for stores of permissions: all of them alike, or by their arguments. */
export type ToolNeeds<Input = unknown> =
  | Need
  | readonly Need[]
  // As a method, so that a tool with arguments of its own is still a tool.
  | { of(input: Input): Need | readonly Need[] }['of']

export interface Tool<Input = unknown, Output = unknown> {
  readonly name: string
  readonly description: string
  /** `undefined`: the tool takes no arguments. */
  readonly input: Schema | undefined
  /** Asked by loops, which have somebody to turn to; a tool chain alone runs what it is given. */
  readonly needsApproval?: NeedsApproval<Input> | undefined
  /** Counts where there is a store of permissions. Absent: a capability of the tool's own name. */
  readonly needs?: ToolNeeds<Input> | undefined
  run(input: Input, context: ToolContext): Promise<Output | ToolResult<Output>> | Output | ToolResult<Output>
}

/** What the schema of a tool lets through: JSON Schema promises no more than an object. */
export type ToolInput<S> = S extends undefined
  ? Record<string, never>
  : unknown extends Infer<S>
    ? Record<string, unknown>
    : Infer<S>

export interface ToolDefinition<S extends Schema | undefined, Output> {
  /** Letters, digits, `_`, `-` and `.`; 64 at the most. */
  readonly name: string
  /** For the model: what the tool does, and when to use it. */
  readonly description: string
  /** The arguments: an object. Without it, the tool takes none. */
  readonly input?: S
  /** Whether a person is asked before a call runs. */
  readonly needsApproval?: NeedsApproval<ToolInput<S>> | undefined
  /** What a store of permissions has to grant: `fs.write` at a path, `net` at a host. */
  readonly needs?: ToolNeeds<ToolInput<S>> | undefined
  run(
    input: ToolInput<S>,
    context: ToolContext,
  ): Promise<Output | ToolResult<Output>> | Output | ToolResult<Output>
}

/** A call as the model asked for it, whatever it asked for. */
export interface RequestedCall {
  readonly id: string
  /** Empty when the model named no tool. It may be the name of none. */
  readonly name: string
  readonly arguments: unknown
  /** Where it stands in the text, if it stands in one. */
  readonly span?: Span
  /** False: the text broke off within it, so that it must not run. */
  readonly complete?: boolean
}

/** A call as the model asked for it, with arguments that its tool's schema accepts. */
export interface ToolCall extends RequestedCall {
  readonly arguments: Record<string, unknown>
}
