import type { LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { ReplyParts, type ReplyPartsOptions } from './reply-parts.ts'

type Parts = ReadableStream<LanguageModelV4StreamPart>

/** A reply while it arrives. Reading goes on only as far as somebody wants to see what comes of it. */
export function replyStream(stream: Parts, options: Omit<ReplyPartsOptions, 'streams' | 'emit'>): Parts {
  const source = stream.getReader()
  let told = 0
  let parts: ReplyParts
  // Not a TransformStream: for chunks as small as tokens, that takes several times as long.
  return new ReadableStream<LanguageModelV4StreamPart>({
    start(controller) {
      const emit = (part: LanguageModelV4StreamPart) => {
        told++
        controller.enqueue(part)
      }
      parts = new ReplyParts({ ...options, streams: true, emit })
    },
    async pull(controller) {
      for (const before = told; told === before; ) {
        const { done, value } = await source.read()
        if (done) {
          parts.end()
          controller.close()
          return
        }
        parts.push(value)
      }
    },
    cancel: (reason) => source.cancel(reason),
  })
}
