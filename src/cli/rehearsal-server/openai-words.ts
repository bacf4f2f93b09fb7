import type { Finish } from './language-model.ts'

const reasons: ReadonlyMap<string, string> = new Map([
  ['length', 'length'],
  ['content-filter', 'content_filter'],
  ['tool-calls', 'tool_calls'],
])

/** Why a reply ended, in OpenAI's words. */
export function finishReason({ finishReason }: Finish): string {
  return reasons.get(finishReason.unified) ?? 'stop'
}

/** What a reply cost, in OpenAI's words. */
export function openAiUsage({ usage }: Finish): object {
  const prompt = usage.inputTokens.total ?? 0
  const completion = usage.outputTokens.total ?? 0
  return {
    prompt_tokens: prompt,
    completion_tokens: completion,
    total_tokens: prompt + completion,
    prompt_tokens_details: { cached_tokens: usage.inputTokens.cacheRead ?? 0 },
    completion_tokens_details: { reasoning_tokens: usage.outputTokens.reasoning ?? 0 },
  }
}
