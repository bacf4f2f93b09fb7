import { APICallError } from '@ai-sdk/provider'
import { LegibleError } from '../core/legible-error.ts'

/** A provider that did not answer, or broke off. It is nobody's mistake in the program, and often passes. */
export class ModelError extends LegibleError {
  /** Asking again may help: a busy or dead server, not a wrong key. */
  readonly retryable: boolean
  /** What the server asks for, in milliseconds. */
  readonly retryAfter?: number
  readonly status?: number
  /** What had arrived before it broke off. */
  readonly partial: string

  constructor(cause: unknown, partial = '') {
    const { message, retryable, retryAfter, status } = factsOf(cause)
    super(partial === '' ? 'model.failed' : 'model.broke_off', message, { cause })
    this.retryable = retryable
    this.partial = partial
    if (retryAfter !== undefined) this.retryAfter = retryAfter
    if (status !== undefined) this.status = status
  }
}

interface Facts {
  readonly message: string
  readonly retryable: boolean
  readonly retryAfter?: number | undefined
  readonly status?: number | undefined
}

function factsOf(cause: unknown): Facts {
  if (APICallError.isInstance(cause)) {
    const { statusCode: status, isRetryable, responseHeaders } = cause
    const message = `The provider answered ${status ?? 'nothing'}: ${cause.message || 'no reason given'}`
    return { message, retryable: isRetryable, retryAfter: waitIn(responseHeaders), status }
  }
  const { name, words, reason } = wordsIn(cause)
  // What a program did wrong does not get better by trying again. fetch reports a dead server as a TypeError, too, with the
  // reason as its cause.
  const isMistake =
    cause instanceof LegibleError || mistakes.test(name) || (name === 'TypeError' && reason === '')
  return {
    message: `The provider failed: ${[words, reason].filter(Boolean).join(': ')}`,
    retryable: !isMistake,
  }
}

/** Errors of the AI SDK that say that the program has to change. */
const mistakes =
  /^AI_(LoadAPIKey|LoadSetting|UnsupportedFunctionality|InvalidPrompt|InvalidArgument|NoSuchModel|NoSuchProvider)/

/** What an error says of itself: it may be anything, and may even throw when it is asked. */
function wordsIn(cause: unknown): { name: string; words: string; reason: string } {
  try {
    if (!(cause instanceof Error)) return { name: '', words: textOf(cause), reason: '' }
    const inner = cause.cause instanceof Error ? cause.cause.message : ''
    return { name: String(cause.name), words: String(cause.message), reason: String(inner) }
  } catch {
    return { name: '', words: 'for a reason that cannot be shown', reason: '' }
  }
}

function textOf(cause: unknown): string {
  if (typeof cause === 'string') return cause
  try {
    return JSON.stringify(cause) ?? String(cause)
  } catch {
    return 'for a reason that cannot be shown'
  }
}

/** `retry-after-ms`, or `retry-after` in seconds or as a date. */
function waitIn(headers: Record<string, string> | undefined): number | undefined {
  const exact = Number(headers?.['retry-after-ms'] ?? Number.NaN)
  if (exact >= 0) return exact
  const after = headers?.['retry-after']
  if (after === undefined || after.trim() === '') return undefined
  const wait = /^\s*\d+(\.\d+)?\s*$/.test(after) ? Number(after) * 1000 : Date.parse(after) - Date.now()
  return wait >= 0 ? wait : undefined
}
