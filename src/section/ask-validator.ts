import { LegibleError } from '../core/legible-error.ts'

/** Why a validator will not have an answer. One that throws refuses as well: reading never throws for its text. */
export function askValidator<T>(
  validate: ((answer: T) => string | undefined) | undefined,
  answer: T,
): string | undefined {
  let reason: unknown
  try {
    reason = validate?.(answer)
  } catch (error) {
    return problemOf(error)
  }
  if (!isPromise(reason)) return reason as string | undefined
  // A promise says neither yes nor no, and what it may throw later is nobody's.
  reason.then(undefined, () => {})
  throw new LegibleError(
    'section.async_validate',
    'validate returns a promise; sections are read at once, so it has to return its reason, or nothing.',
  )
}

const isPromise = (value: unknown): value is PromiseLike<unknown> =>
  typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function'

function problemOf(error: unknown): string {
  let text = ''
  try {
    text = String(error instanceof Error ? error.message : error)
  } catch {}
  return text || 'The answer could not be checked.'
}
