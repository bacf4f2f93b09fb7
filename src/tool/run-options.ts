import type { CallOutcome, ToolCallError } from './call-outcome.ts'
import type { Need, Permissions } from './permission/permission.ts'
import type { Media, RequestedCall, Tool, ToolCall, ToolResult } from './tool.ts'

/** What hooks get to know. */
export interface HookContext<C = unknown> {
  readonly tool: Tool
  readonly context: C
  readonly signal: AbortSignal
}

/** What a `before` hook wants: other arguments, or that the call does not run. */
export type BeforeVerdict =
  /** The tool's schema must accept them as they are: what a program writes is not repaired. */
  | { readonly arguments: Record<string, unknown> }
  /** Why, for the model. */
  | { readonly refuse: string }

export interface RunOptions<C = unknown> {
  /** Cancels all calls that have not ended. */
  readonly signal?: AbortSignal | undefined
  /** How many calls run at the same time; 8 unless said otherwise. */
  readonly concurrency?: number | undefined
  /** How long each tool may run, in milliseconds. Hooks are not timed. */
  readonly timeout?: number | undefined
  /** Handed to every tool and hook. */
  readonly context?: C | undefined
  /** Sees each call before it runs: a copy, so that arguments change only by being returned. */
  readonly before?:
    | ((
        call: ToolCall,
        about: HookContext<C>,
        // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing
      ) => BeforeVerdict | undefined | void | Promise<BeforeVerdict | undefined | void>)
    | undefined
  /** Sees each result, and may give another in its place. */
  readonly after?:
    | ((
        call: ToolCall,
        result: ToolResult,
        about: HookContext<C>,
        // biome-ignore lint/suspicious/noConfusingVoidType: a hook that only looks returns nothing
      ) => ToolResult | undefined | void | Promise<ToolResult | undefined | void>)
    | undefined
  /** Changes media on their way to the model: makes them smaller, or leaves them out by giving nothing. */
  readonly media?:
    | ((
        media: Media,
        call: ToolCall,
      ) => Media | readonly Media[] | undefined | Promise<Media | readonly Media[] | undefined>)
    | undefined
  /**
   * Stands around each call that can run, hooks and time limit included: for those who record what comes of calls, or
   * ask first. Gives what came of it.
   */
  readonly around?: ((call: ToolCall, run: RunCall, tool: Tool) => Promise<CallOutcome>) | undefined
  /** What calls may do. With it a call runs only if all that it needs is granted; without it the program vouches for its tools. */
  readonly permissions?: Pick<Permissions, 'check'> | undefined
  /** Keeps a record of every call, whatever comes of it. A call whose beginning cannot be recorded does not run. */
  readonly record?: ((record: CallRecord) => void | Promise<void>) | undefined
}

/** Runs a call. */
export type RunCall = (about?: RunCallOptions) => Promise<CallOutcome>

export interface RunCallOptions {
  /** Tells the tool which tries belong together; the id of the call unless said otherwise. */
  readonly idempotencyKey?: string
  /** A person has seen this very call and let it pass: the store is not asked. */
  readonly permitted?: boolean
}

/** What is recorded of a call: that it begins and what came of it, or that it did not run. */
export type CallRecord =
  | {
      readonly type: 'call-start'
      readonly call: ToolCall
      readonly needs: readonly Need[]
      /** A rule of the store, a person who saw the call, or the program, which has no store. */
      readonly permittedBy: 'rule' | 'person' | 'program'
    }
  | { readonly type: 'call-end'; readonly outcome: CallOutcome; readonly milliseconds: number }
  | { readonly type: 'call-refused'; readonly call: RequestedCall; readonly error: ToolCallError }
