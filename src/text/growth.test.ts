import { describe, expect, it } from 'vitest'
import { labels, markdown, xml } from './index.ts'
import { SectionReader } from './section-reader.ts'
import { createTagSplitter } from './tag-splitter.ts'

const sections = ['thinking', 'action', 'answer'].map((name) => ({ name }))

/** Texts that make a careless reader look at the same characters again and again. */
const adversarial: Record<string, (size: number) => string> = {
  'less-than signs': (size) => '<'.repeat(size),
  triangles: (size) => '◁'.repeat(size),
  'closing tags without end': (size) => '</action'.repeat(size / 8),
  'opening tags without end': (size) => '<action '.repeat(size / 8),
  'attributes without end': (size) => `<action ${'a'.repeat(size)}`,
  'a quote without end in a tag': (size) => `<action a="${'b'.repeat(size)}`,
  'nested tags': (size) => '<action>'.repeat(size / 8),
  'nested tags that do not balance': (size) => '<action><action></action>'.repeat(size / 25),
  'nested tags of all names that do not balance': (size) =>
    '<action><action></action><answer><answer></answer><think><think></think>'.repeat(size / 72),
  'balanced tags, nested': (size) => '<action>'.repeat(size / 17) + '</action>'.repeat(size / 17),
  'stray closing tags': (size) => '</action>'.repeat(size / 9),
  'closing of reasoning': (size) => '</think>'.repeat(size / 8),
  'backslashes in a tag': (size) => `<${'\\'.repeat(size)}action>`,
  'backslashes before a header': (size) => `${'\\'.repeat(size)}# Action`,
  'half headers': (size) => '# '.repeat(size / 2),
  'half headers on lines': (size) => '# \n'.repeat(size / 3),
  'header marks': (size) => '#'.repeat(size),
  'headers with space behind': (size) => `# Action${' '.repeat(size)}`,
  'names on lines': (size) => 'Action\n'.repeat(size / 7),
  'underlines without end': (size) => `Action\n${'='.repeat(size)}`,
  headers: (size) => '# Action\n'.repeat(size / 9),
  'bold without end': (size) => '**'.repeat(size / 2),
  'list marks': (size) => '- '.repeat(size / 2),
  labels: (size) => '- **Action:** x\n'.repeat(size / 16),
  'labels without colon': (size) => 'Action '.repeat(size / 7),
  'line ends': (size) => '\n'.repeat(size),
  'carriage returns': (size) => '\r\n'.repeat(size / 2),
  space: (size) => ' '.repeat(size),
  'a fence without end': (size) => `\`\`\`\n${'<action>\n# Action\n'.repeat(size / 18)}`,
  'a fence around everything': (size) => `\`\`\`\n${'<action>x</action>\n'.repeat(size / 19)}\`\`\``,
  'a fence that does not enclose everything': (size) => `\`\`\`\n${'x\n'.repeat(size / 2)}\`\`\`\nx`,
  fences: (size) => '```\n'.repeat(size / 4),
  'fences with info': (size) => '```js\n'.repeat(size / 6),
  'a mark without end': (size) => '`'.repeat(size),
  comments: (size) => '<!--\n<action>\n# Action\n-->'.repeat(size / 26),
  'comments without end': (size) => '<!--'.repeat(size / 4),
  observations: (size) => '<observation>\n'.repeat(size / 14),
  'closing tags over lines': (size) => '</action\n'.repeat(size / 9),
  reasoning: (size) => '<think>\n# Action\n'.repeat(size / 16),
}

const formats = [xml(), markdown(), labels()]

describe.each(Object.entries(adversarial))('%s', (_, make) => {
  it.each(formats.map((format) => [format.name, format] as const))(
    'cost %s no more than their length',
    (_name, format) => {
      for (const size of [2_000, 16_000])
        for (const step of [1, 7, size * 2]) {
          const text = make(size)
          const reader = format.createReader(sections, { onEvent: () => {} }) as SectionReader
          expect(reader).toBeInstanceOf(SectionReader)
          for (let i = 0; i < text.length; i += step) reader.push(text.slice(i, i + step))
          reader.end()
          // Text may be read again once for each name whose tags do not balance, and where a fence encloses all.
          expect(reader.steps).toBeLessThan(12 * text.length + 200)
        }
    },
  )
})

it('reads a lot of each in no time', { timeout: 120_000 }, () => {
  const slow: string[] = []
  for (const [name, make] of Object.entries(adversarial)) {
    const text = make(60_000)
    for (const format of formats) {
      const start = performance.now()
      const reader = format.createReader(sections, { onEvent: () => {} })
      for (let i = 0; i < text.length; i += 4) reader.push(text.slice(i, i + 4))
      reader.end()
      const time = performance.now() - start
      if (time > 3_000) slow.push(`${format.name}: ${name}: ${time.toFixed(0)} ms`)
    }
    const splitter = createTagSplitter({ onEvent: () => {} })
    for (let i = 0; i < text.length; i += 4) splitter.push(text.slice(i, i + 4))
    splitter.end()
  }
  expect(slow).toEqual([])
})

it.each(['◁', '<', '◁<', '◁think<'])(
  'looks no further than it must for the end of a section of %j',
  (text) => {
    const start = performance.now()
    const { value } = xml().read(`<answer>${text.repeat(1_000_000 / text.length)}`, sections)
    expect(value.get('answer')[0]?.length).toBeGreaterThan(900_000)
    expect(performance.now() - start).toBeLessThan(5_000)
  },
)

it('keeps nothing when deltas are consumed', () => {
  let longest = 0
  let told = 0
  const reader = xml().createReader(sections, {
    keep: false,
    onEvent: (event) => {
      if (event.type !== 'section-delta') return
      told += event.text.length
      longest = Math.max(longest, event.text.length)
    },
  })
  reader.push('<answer>')
  for (let i = 0; i < 100_000; i++) reader.push('abc\n')
  reader.push('</answer>')
  const read = reader.end()
  expect(told).toBe(399_999)
  expect(longest).toBeLessThan(10)
  expect(read.ok && read.value.sections()[0]).toMatchObject({
    content: '',
    inner: [8, 400_007],
    complete: true,
  })
})
