import { expect, it } from 'vitest'
import { labels, markdown, xml } from './index.ts'
import { createTagSplitter, splitTags } from './tag-splitter.ts'

const wrong = [undefined, null, 5, {}, ['a']] as unknown as string[]
const isLegible = expect.objectContaining({ name: 'LegibleError', code: 'core.no_text' })

it.each([xml(), markdown(), labels()])('what is no text is a mistake in the program: $name', (format) => {
  for (const text of wrong) {
    expect(() => format.read(text, [{ name: 'answer' }])).toThrow(isLegible)
    expect(() => splitTags(text)).toThrow(isLegible)
    if (text !== undefined)
      expect(() => format.formatSection({ name: 'answer', content: text })).toThrow(isLegible)
  }
})

it.each([
  ...[xml(), markdown(), labels()].map((format) => ({
    name: format.name,
    create: () => format.createReader([{ name: 'answer' }]),
  })),
  { name: 'tags', create: () => createTagSplitter() },
])('a chunk that is no text is a mistake in the program, and is not read: $name', ({ create }) => {
  const reader = create()
  reader.push('a')
  for (const chunk of wrong) expect(() => reader.push(chunk)).toThrow(isLegible)
  reader.push('b')
  const whole = create()
  whole.push('ab')
  expect(reader.end()).toEqual(whole.end())
  // The mistake is one also when nobody listens any more.
  for (const chunk of wrong) expect(() => reader.push(chunk)).toThrow(isLegible)
})
