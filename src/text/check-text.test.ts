import { expect, it } from 'vitest'
import { labels, markdown, xml } from './index.ts'
import { splitTags } from './tag-splitter.ts'

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
