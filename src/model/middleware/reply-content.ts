import type {
  LanguageModelV4Content,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { ReplyParts, type ReplyPartsOptions } from './reply-parts.ts'

type Part = LanguageModelV4StreamPart

/** A whole reply, read as one that arrives in one piece: there is one engine. */
export function replyContent(
  result: LanguageModelV4GenerateResult,
  options: Omit<ReplyPartsOptions, 'streams' | 'emit'>,
): LanguageModelV4GenerateResult {
  // The text that a model picks for structured output is as raw as the rest, and stands in the content as well.
  const { content: given, structuredOutputText: _, usage, finishReason, providerMetadata, ...rest } = result
  const content: LanguageModelV4Content[] = []
  let finish: Extract<Part, { type: 'finish' }> = { type: 'finish', usage, finishReason }
  const emit = (part: Part) => {
    if (part.type === 'finish') finish = part
    else collect(part, content)
  }
  const parts = new ReplyParts({ ...options, streams: false, emit })
  given.forEach((part, index) => {
    const id = `part-${index}`
    if (part.type === 'text' || part.type === 'reasoning') {
      const { type, text, providerMetadata } = part
      const citations = part.type === 'text' ? part.citations : undefined
      parts.push({ type: `${type}-start`, id, ...(providerMetadata && { providerMetadata }) })
      parts.push({ type: `${type}-delta`, id, delta: text })
      parts.push({ type: `${type}-end`, id, ...(citations && { citations }) })
    } else parts.push(part)
  })
  parts.push({ ...finish, ...(providerMetadata && { providerMetadata }) })
  return {
    ...rest,
    content,
    usage,
    finishReason: finish.finishReason,
    ...(finish.providerMetadata && { providerMetadata: finish.providerMetadata }),
  }
}

/** A block of a stream as one part of the content. */
function collect(part: Part, content: LanguageModelV4Content[]): void {
  const last = content.at(-1)
  switch (part.type) {
    case 'text-start':
    case 'reasoning-start': {
      const { type, providerMetadata } = part
      const kind = type === 'text-start' ? 'text' : 'reasoning'
      content.push({ type: kind, text: '', ...(providerMetadata && { providerMetadata }) })
      return
    }
    case 'text-delta':
    case 'reasoning-delta':
      if (last?.type === 'text' || last?.type === 'reasoning') last.text += part.delta
      return
    case 'text-end':
      if (last?.type === 'text' && part.citations) last.citations = part.citations
      return
    case 'tool-call':
    case 'tool-result':
    case 'tool-approval-request':
    case 'custom':
    case 'file':
    case 'reasoning-file':
    case 'source':
      content.push(part)
  }
}
