import { describe, expect, it } from 'vitest'
import { LegibleError } from '../core/legible-error.ts'
import type { Parts } from './format.ts'
import { markdown } from './markdown.ts'

const format = markdown()

describe('markdown().describe', () => {
  it('shows the structure with the prompts of the sections', () => {
    expect(format.describe([{ name: 'Thinking', prompt: 'Think step by step.' }, { name: 'Answer' }])).toBe(
      [
        'Structure your reply in sections. Each section begins with a header alone on its line, like this:',
        '# Thinking\nThink step by step.',
        '# Answer\n…',
        'Write the headers exactly as shown, and do not put the whole reply into a code fence.',
      ].join('\n\n'),
    )
  })
})

describe('markdown().formatSections', () => {
  it('writes headers, with an empty line between sections', () => {
    expect(format.formatSection({ name: 'search', content: '{"id":"C001"}' })).toBe('# search\n{"id":"C001"}')
    expect(
      format.formatSections([
        { name: 'a', content: '1' },
        { name: 'b', content: '2' },
      ]),
    ).toBe('# a\n1\n\n# b\n2')
    expect(markdown({ level: 3 }).formatSection({ name: 'a', content: '1' })).toBe('### a\n1')
  })

  it('writes sections within a section one level deeper', () => {
    const text = format.formatSection({
      name: 'observation',
      content: 'Two tools ran.',
      children: [
        { name: 'search', content: '# search\n## search' },
        { name: 'observation', content: '# observation' },
      ],
    })
    expect(text).toBe(
      '# observation\nTwo tools ran.\n\n## search\n# search\n\\## search\n\n## observation\n\\# observation',
    )
    const outer = format.read(text, [{ name: 'observation' }]).value as Parts
    const inner = format.inner.read(outer.sections()[0]?.content ?? '', [
      { name: 'search' },
      { name: 'observation' },
    ])
    expect((inner.value as Parts).toMap()).toEqual(
      new Map([
        ['search', ['# search\n## search']],
        ['observation', ['# observation']],
      ]),
    )
    expect((inner.value as Parts).text).toBe('Two tools ran.')
  })

  it('writes no content that could open a section, nor a fence that could hide one', () => {
    expect(format.formatSection({ name: 'a', content: '# Action\n#A\nA\n===\n# Other\n\\# a\n## a' })).toBe(
      '# a\n\\# Action\n\\#A\n\\A\n===\n# Other\n\\\\# a\n## a',
    )
    expect(format.formatSection({ name: 'a', content: '```js\nx()\n```' })).toBe('# a\n```js\nx()\n```')
    expect(format.formatSection({ name: 'a', content: '```js\nx()' })).toBe('# a\n\\```js\nx()')
    expect(format.formatSection({ name: 'a', content: 'so</think>' })).toBe('# a\nso<\\/think>')
  })

  it('refuses names that are no headers', () => {
    for (const name of ['', ' a', 'a ', 'a\nb', '# a', '\\a', '`a`', 'a  b', '<a>'])
      expect(() => format.formatSection({ name, content: '' }), name).toThrow(LegibleError)
  })
})

it('refuses levels that are none', () => {
  for (const level of [0, -1, 1.5, Number.NaN]) expect(() => markdown({ level })).toThrow(LegibleError)
})

it.each<[string, string, string]>([
  ['\n\n  4 2 \t\n\n\n', '4 2', '\n\n  4 2 \t\n'],
  ['  a\n    b\n\n', 'a\n    b', '  a\n    b'],
  ['\u00a042\r\n\r\n', '42', '\u00a042'],
  [' \n\t\n\n', '', ' \n\t'],
  ['\n', '', ''],
])('Whitespace trimming: %j is %j, and %j exactly', (inner, trimmed, exact) => {
  const { value } = format.read(`# Answer\n${inner}# End\n`, [{ name: 'answer' }, { name: 'end' }])
  expect(value.get('answer')).toEqual([trimmed])
  expect(value.toMap()).toEqual(
    new Map([
      ['answer', [trimmed]],
      ['end', ['']],
    ]),
  )
  expect(value.sections('answer')[0]?.content).toBe(exact)
})
