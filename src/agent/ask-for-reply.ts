import type { FinishReason } from '../model/ask-model.ts'
import { createReplyReader } from '../reply/create-reply-reader.ts'
import { formatReply } from '../reply/format-reply.ts'
import type { Reply } from '../reply/reply.ts'
import { retryAdvice } from '../reply/retry-advice.ts'
import type { Loop } from './loop.ts'
import { cutOff } from './say-results.ts'
import { withoutThoughts } from './without-thoughts.ts'

/** A reply by the contract text | action | error. */
export interface AskedReply {
  /** All of it, without its reasoning. */
  readonly said: string
  readonly cut: boolean
  readonly finish: FinishReason
  /** What it was read as; absent if it cannot be used at all. */
  readonly reply?: Reply
  /** The same as it stands in the conversation; empty if there is none. */
  readonly written: string
  /** Why it should be written otherwise, for the model. */
  readonly problem?: string
  /** It may have been meant as an action, though it is text: whoever has asked about that once can believe it. */
  readonly doubtful: boolean
}

/** Asks for a reply that is text, an action or an error. A call in it that no tool can take is recorded. */
export async function askForReply(loop: Loop): Promise<AskedReply> {
  const { tools } = loop
  const callsBefore = loop.messages.reduce(
    (sum, message) => sum + (message.role === 'assistant' ? (message.calls?.length ?? 0) : 0),
    0,
  )
  const asked = await loop.ask((onEvent) => {
    const reader = createReplyReader({ tools, callsBefore, onEvent })
    return { push: (chunk) => reader.push(chunk), end: (about) => reader.end(about) }
  })
  const { read, cut } = asked
  const { text, finish } = asked.reply
  loop.emit({ type: 'issues', issues: read.issues })
  if (!read.ok) await loop.refuse(text, read.issues)
  const { retry, reason, message } = retryAdvice(read)
  return {
    // Only where the reply is of no use it is needed, and it takes a while.
    get said() {
      return withoutThoughts(text)
    },
    cut,
    finish,
    ...(read.ok && { reply: read.value }),
    written: read.ok ? formatReply(read.value, tools) : '',
    ...((!read.ok || retry) && { problem: cut ? cutOff(finish) : message }),
    doubtful: reason === 'embedded',
  }
}
