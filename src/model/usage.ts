import type { LanguageModelV4Usage } from '@ai-sdk/provider'

/** Tokens that were used, as far as the provider says. */
export type Usage = {
  readonly input: number
  readonly output: number
}

export const noUsage: Usage = { input: 0, output: 0 }

export const addUsage = (one: Usage, other: Usage): Usage => ({
  input: one.input + other.input,
  output: one.output + other.output,
})

export function usageOf({ inputTokens, outputTokens }: Partial<LanguageModelV4Usage>): Usage {
  return { input: count(inputTokens?.total), output: count(outputTokens?.total) }
}

/** Some providers send nothing, or NaN. */
const count = (tokens: number | undefined): number =>
  typeof tokens === 'number' && Number.isFinite(tokens) && tokens > 0 ? tokens : 0
