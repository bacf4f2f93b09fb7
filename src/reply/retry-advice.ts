import type { Read } from '../core/read.ts'
import { suggestRetry } from '../core/suggest-retry.ts'
import type { Reply } from './reply.ts'

export interface RetryAdvice {
  /** Asking the model again makes sense. */
  readonly retry: boolean
  /**
   * `fine`: the reply can be used. `reported`: the model itself reports an error, and asking again would change
   * nothing. `rejected`: the reply breaks the contract. `cut`: it is not whole. `empty`: there is none.
   * `embedded`: the reply is text, but it ends with an action that was not taken: perhaps it was meant.
   */
  readonly reason: 'fine' | 'reported' | 'rejected' | 'cut' | 'empty' | 'embedded'
  /** What to say to the model, made from hints only; empty when there is nothing to say. */
  readonly message: string
}

const cut = ['reply.cut_off', 'reply.truncated', 'reply.too_long', 'reply.unclosed_reasoning']

/** Whether to ask the model again, and what to say to it. */
export function retryAdvice({ ok, value, issues }: Read<Reply>): RetryAdvice {
  const has = (...codes: string[]) => issues.some((issue) => codes.includes(issue.code))
  if (!ok) {
    const reason = has(...cut) ? 'cut' : has('reply.empty') ? 'empty' : 'rejected'
    return { retry: true, reason, message: suggestRetry(issues) }
  }
  if (value.type === 'error') return { retry: false, reason: 'reported', message: '' }
  const meant = issues.filter(
    ({ code, params }) => code === 'reply.embedded_action' && params.last && params.where !== 'reasoning',
  )
  if (value.type === 'text' && meant.length > 0)
    return { retry: true, reason: 'embedded', message: suggestRetry(meant) }
  return { retry: false, reason: 'fine', message: '' }
}
