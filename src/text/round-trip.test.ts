import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { splits } from '../testing/splits.ts'
import type { FormattedSection, Parts, TextFormat } from './format.ts'
import { labels, markdown, xml } from './index.ts'

const names = ['action', 'Answer', 'c++', 'a.b', '_x', '_x_', 'x', 'think']

/** Text made of what could break out of a section. */
const hostile = fc
  .array(
    fc.oneof(
      { weight: 4, arbitrary: fc.constantFrom(...names) },
      {
        weight: 6,
        arbitrary: fc.constantFrom(
          '<',
          '</',
          '<\\',
          '>',
          '/>',
          '\\',
          '◁',
          '▷',
          '# ',
          '#',
          '## ',
          ':',
          '**',
          '- ',
          '1. ',
          '<!--',
          '-->',
          '<\\!--',
          'Observation:',
          '<observation>',
          '> ',
        ),
      },
      { weight: 6, arbitrary: fc.constantFrom('\n', '\n\n', '\r\n', '\r', ' ', '   ', '\t') },
      {
        weight: 3,
        arbitrary: fc.constantFrom('```', '\n```\n', '~~~', '`', '"', '\n===\n', '\n---', '\\```'),
      },
      { weight: 2, arbitrary: fc.constantFrom('&lt;', '\u200b', '\ufeff', '\ud800', 'İ', 'K', 'ſ', '：') },
      { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 4 }) },
    ),
    { maxLength: 24 },
  )
  .map((pieces) => pieces.join(''))

const section: fc.Arbitrary<FormattedSection> = fc.record({
  name: fc.constantFrom(...names),
  content: hostile,
})
const registered = (sections: readonly FormattedSection[]) =>
  [...new Set(sections.map(({ name }) => name))].map((name) => ({ name }))
const partsOf = (format: TextFormat, text: string, sections: readonly FormattedSection[]) =>
  format.read(text, registered(sections)).value as Parts
const plain = (parts: Parts) => parts.sections().map(({ name, content }) => ({ name, content }))

describe.each(
  [xml(), markdown(), markdown({ level: 2 }), labels()].map((format) => [format.name, format] as const),
)('%s', (_, format) => {
  it('gives back every name and content, exactly', () => {
    fc.assert(
      fc.property(fc.array(section, { minLength: 1, maxLength: 4 }), (sections) => {
        const read = format.read(format.formatSections(sections), registered(sections))
        expect((read.value as Parts).all.length).toBe(sections.length)
        expect(plain(read.value as Parts)).toEqual(sections)
        expect(read.complete).toBe(true)
        // Nothing was tolerated. A header in a fence is written with a backslash, so it is not even embedded.
        expect(read.issues).toEqual([])
      }),
      { numRuns: 600 },
    )
  })

  it('gives back sections within sections, and the text before them', () => {
    const children = fc.array(section, { minLength: 1, maxLength: 3 })
    fc.assert(
      fc.property(fc.constantFrom(...names), hostile, children, section, (name, content, inside, next) => {
        const tree = [{ name, content, children: inside }, next]
        const outer = partsOf(format, format.formatSections(tree), tree)
        expect(plain(outer).map((part) => part.name)).toEqual([name, next.name])
        expect(plain(outer)[1]?.content).toBe(next.content)
        const inner = partsOf(format.inner, plain(outer)[0]?.content as string, inside)
        expect(plain(inner)).toEqual(inside)
        const texts = inner.all.filter(({ kind }) => kind === 'text').map((part) => part.content)
        // Space alone is no part.
        expect(texts).toEqual(content.trim() === '' ? [] : [content])
      }),
      { numRuns: 400 },
    )
  })

  it('gives back three levels', () => {
    fc.assert(
      fc.property(fc.tuple(section, section, section), ([a, b, c]) => {
        const tree = [{ name: a.name, children: [{ name: b.name, children: [c] }] }]
        const one = partsOf(format, format.formatSections(tree), [a])
        const two = partsOf(format.inner, plain(one)[0]?.content as string, [b])
        const three = partsOf(format.inner.inner, plain(two)[0]?.content as string, [c])
        expect(plain(three)).toEqual([c])
      }),
      { numRuns: 200 },
    )
  })

  it('reads any text the same at every split, and loses none of it', () => {
    const sections = names.slice(0, 4).map((name) => ({ name }))
    const reasoning = fc.constantFrom('auto' as const, 'open' as const, 'none' as const)
    fc.assert(
      fc.property(hostile, reasoning, fc.boolean(), fc.nat(), (text, mode, inline, seed) => {
        const read = (chunks: readonly string[]) => {
          const reader = format.createReader(sections, {
            reasoning: mode,
            inlineReasoning: inline,
            onEvent: () => {},
          })
          for (const chunk of chunks) reader.push(chunk)
          return reader.end()
        }
        const whole = read([text])
        for (const chunks of splits(text, seed)) expect(read(chunks)).toEqual(whole)
        if (whole.issues.some(({ code }) => code === 'text.unwrapped_fence')) return
        let at = 0
        for (const { span } of (whole.value as Parts).all) {
          expect(text.slice(at, span[0]).trim()).toBe('')
          at = Math.max(at, span[1])
        }
        expect(text.slice(at).trim()).toBe('')
      }),
      { numRuns: 500 },
    )
  })
})
