import type { Issue } from '../core/issue.ts'
import type { Span } from '../core/span.ts'
import type { EmbeddedWhere } from './issues.ts'

/** An object at the top level of a reply that may be more than text. */
export interface FoundObject {
  readonly value: Record<string, unknown>
  readonly start: number
  readonly end: number
  /** It closed by itself. */
  readonly complete: boolean
  /** Text stands before it on the same line. */
  readonly inline: boolean
  /** Nothing stands before it but texts written as objects. */
  readonly first: boolean
  /** A key of it, or of an object within it, is written twice. */
  readonly twice: boolean
  /** What was wrong with its JSON. */
  readonly issues: readonly Issue[]
  readonly unlisted: number
}

/** An action that is text. */
export interface EmbeddedAction {
  readonly where: EmbeddedWhere
  readonly span: Span
}

/** A value that asks for a tool, but does not say that it is an action: it is text. */
export interface UntypedCall {
  readonly name: string
  /** It has more of a call than a name. */
  readonly sure: boolean
  /** Where it stands, if not at the top level. */
  readonly where: EmbeddedWhere | undefined
  readonly span: Span
}

/** The value with which a reply ends. */
export interface Tail {
  readonly value: unknown
  readonly start: number
  readonly end: number
  /** Nothing stands before it. */
  readonly first: boolean
}

/** A fence that is the whole reply, and what stands in it: places are counted from `contentStart`. */
export interface WholeFence {
  readonly inner: ReplyFacts
  readonly start: number
  readonly end: number
  readonly content: string
  readonly contentStart: number
}

/** What was found in a reply, and where. What the reply is, is decided by these facts alone, once all text is there. */
export interface ReplyFacts {
  /** Explicit actions and errors at the top level. */
  readonly actions: readonly FoundObject[]
  readonly errors: readonly FoundObject[]
  /** Texts that were written as objects. */
  readonly wrapped: readonly Span[]
  readonly whole: WholeFence | undefined
  readonly tail: Tail | undefined
  /** Actions that are text, and how many there were beyond those that are listed. */
  readonly embedded: readonly EmbeddedAction[]
  readonly unlistedEmbedded: number
  readonly untyped: readonly UntypedCall[]
  /** Damaged values that hold an action: it may have stood at the top level. */
  readonly doubtful: readonly Span[]
  /** All but space, outside of actions, errors and reasoning: where it begins and where it ends; -1: nothing. */
  readonly firstSeen: number
  readonly lastSeen: number
  /** What the text ended within. `serious`: it may have become an action. */
  readonly unclosed: { readonly span: Span; readonly serious: boolean } | undefined
  readonly unclosedReasoning: Span | undefined
  readonly unclosedFence: Span | undefined
  /** The closing tag that was never opened: all before it was reasoning. */
  readonly impliedReasoning: Span | undefined
  readonly tooLong: boolean
  /** What was shown as text so far, and what is still held back. */
  readonly text: string
  readonly rest: string
  source(from?: number, to?: number): string
}

/** Nothing stands there but one object that is a reply. */
export function isOneObject({ actions, errors, wrapped, firstSeen, lastSeen }: ReplyFacts): boolean {
  const objects = actions.length + errors.length
  if (objects === 1) return firstSeen < 0
  return objects === 0 && wrapped.length === 1 && lastSeen === wrapped[0]?.[1]
}
