import type { LanguageModelV4CallOptions, LanguageModelV4Usage } from '@ai-sdk/provider'
import { MEDIA_CHARACTERS, tokensIn } from '../usage.ts'
import type { PlayedContent } from './played-content.ts'

/** What a model would count for this prompt and this reply, roughly: four characters are a token. */
export function estimateUsage(
  { prompt }: LanguageModelV4CallOptions,
  content: readonly PlayedContent[],
): LanguageModelV4Usage {
  const input = tokensIn(prompt.reduce((sum, message) => sum + sizeOf(message.content), 0))
  const size = (...types: PlayedContent['type'][]) =>
    tokensIn(content.reduce((sum, part) => sum + (types.includes(part.type) ? lengthOf(part) : 0), 0))
  const text = size('text', 'tool-call')
  const reasoning = size('reasoning')
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: text + reasoning, text, reasoning },
  }
}

function sizeOf(content: LanguageModelV4CallOptions['prompt'][number]['content']): number {
  if (typeof content === 'string') return content.length
  return content.reduce((sum: number, part) => {
    if (part.type === 'text' || part.type === 'reasoning') return sum + part.text.length
    if (part.type === 'tool-call') return sum + part.toolName.length + JSON.stringify(part.input ?? {}).length
    return part.type === 'tool-result' ? sum + JSON.stringify(part.output).length : sum + MEDIA_CHARACTERS
  }, 0)
}

const lengthOf = (part: PlayedContent) =>
  part.type === 'tool-call' ? part.toolName.length + part.input.length : part.text.length
