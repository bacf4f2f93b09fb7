import { expect, it } from 'vitest'
import { splits } from '../testing/splits.ts'
import { WholeFence } from './whole-fence.ts'

/** What the fence encloses; none when it does not enclose the text. */
function enclosed(chunks: readonly string[]): string | undefined {
  const fence = new WholeFence()
  for (const chunk of chunks) fence.feed(chunk)
  fence.endLine()
  if (fence.refuted) return undefined
  return chunks.join('').slice(fence.inner, fence.close < 0 ? undefined : fence.close)
}

it.each<[string, string | undefined]>([
  ['```\na\n```', 'a\n'],
  ['```xml\na\n```\n \n', 'a\n'],
  ['```\na\n```\nb', undefined],
  ['```\na', 'a'],
  ['````\n```\na\n````', '```\na\n'],
  ['```md\n```js\na\n```\nb\n```', '```js\na\n```\nb\n'],
  ['~~~\n```\n~~~', '```\n'],
  ['```a``` b\n', undefined],
  ['``\na\n``', undefined],
])('%j', (text, inner) => {
  expect(enclosed([text])).toBe(inner)
  for (const chunks of splits(text)) expect(enclosed(chunks)).toBe(inner)
})
