import type { LanguageModelV4Usage } from '@ai-sdk/provider'

/** As in English, roughly: until a provider has counted, there is nothing better. */
export const CHARACTERS_PER_TOKEN = 4

export const tokensIn = (characters: number): number => Math.ceil(characters / CHARACTERS_PER_TOKEN)

/** What an image or a file often counts for, in characters. */
export const MEDIA_CHARACTERS = 4000

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
