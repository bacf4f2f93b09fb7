import { isRecord } from '../core/is-record.ts'

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

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The code and message of an error that the model reports; `undefined` where it has none. */
export function reportedError(value: Record<string, unknown>): {
  code: string | undefined
  message: string | undefined
} {
  const nested = member(value, 'error')
  const find = (...keys: string[]) =>
    [value, nested].flatMap((one) => (isRecord(one) ? keys.map((key) => member(one, key)) : [])).find(isText)
  // {"type": "error", "error": {"type": "overloaded", "message": …}}
  const kind = isRecord(nested) ? member(nested, 'type') : undefined
  const message = find('message') ?? (isText(nested) ? nested : undefined)
  return { code: find('code') ?? (isText(kind) ? kind : undefined), message }
}

/** The text of `{"type": "text", "text": …}`. */
export function wrappedText(value: Record<string, unknown>): string | undefined {
  if (member(value, 'type') !== 'text') return undefined
  const texts = ['text', 'content', 'message'].map((key) => member(value, key))
  return texts.find((text) => typeof text === 'string')
}

/** Whether a text speaks of an action as JSON does. */
export function mentionsAction(text: string): boolean {
  return /\btype\W{1,24}action\b/.test(text)
}
