import { isRecord } from '../core/is-record.ts'
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

/** A member that the model wrote: nothing is inherited. */
export function member(value: Record<string, unknown>, key: string): unknown {
  return Object.hasOwn(value, key) ? value[key] : undefined
}

/** The object says itself that it is an action. */
export function isExplicitAction(value: unknown): value is Record<string, unknown> {
  return isRecord(value) && member(value, 'type') === 'action'
}

/** An error as the model reports it, in the flat form or in the nested one. */
export function isErrorObject(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value) || member(value, 'type') !== 'error') return false
  const nested = member(value, 'error')
  return [value, nested].some(
    (one) => isRecord(one) && ['code', 'message'].some((key) => typeof member(one, key) === 'string'),
  )
}

/** The text of `{"type": "text", "text": …}`. */
export function wrappedText(value: Record<string, unknown>): string | undefined {
  if (member(value, 'type') !== 'text') return undefined
  const texts = ['text', 'content', 'message'].map((key) => member(value, key))
  return texts.find((text) => typeof text === 'string')
}

/** The tool that an object names, although it does not say that it is an action. */
export function namesTool(value: unknown, isTool: (name: string) => boolean): string | undefined {
  if (!isRecord(value)) return undefined
  const nested = ['action', 'function', 'tool_call'].map((key) => member(value, key)).filter(isRecord)
  for (const one of [value, ...nested])
    for (const key of ['tool', 'name', 'tool_name', 'toolName', 'action', 'function']) {
      const name = member(one, key)
      if (typeof name === 'string' && isTool(name)) return name
    }
  return undefined
}

/** Whether a text speaks of an action as JSON does. */
export function mentionsAction(text: string): boolean {
  return /\btype\W{1,24}action\b/.test(text)
}
