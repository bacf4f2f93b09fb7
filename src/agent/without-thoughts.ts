import { splitTags } from '../text/tag-splitter.ts'

/** What a model said, without its reasoning: models do not expect to see that again, and it takes room. */
export function withoutThoughts(text: string): string {
  const { ok, value } = splitTags(text)
  return ok ? value.outside.trim() : text
}
