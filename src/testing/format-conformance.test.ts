import { describe, expect, it } from 'vitest'
import type { TextFormat } from '../text/format.ts'
import { labels, markdown, xml } from '../text/index.ts'
import { formatConformance } from './format-conformance.ts'

describe('formatConformance', () => {
  for (const format of [xml(), markdown(), markdown({ level: 3 }), labels()])
    for (const { name, run } of formatConformance(format)) it(name, run)

  for (const format of [xml(), markdown(), labels()])
    for (const { name, run } of formatConformance(format, { names: ['c++', 'a.b', '_x_'] }))
      it(`${name} (odd names)`, run)

  it('finds what is wrong with a format that does not escape', () => {
    const good = xml()
    const naive: TextFormat = {
      name: 'naive',
      get inner() {
        return naive
      },
      describe: (sections) => good.describe(sections),
      createReader: (sections, options) => good.createReader(sections, options),
      read: (text, sections, options) => good.read(text, sections, options),
      formatSection: ({ name, content = '' }) => `<${name}>\n${content}\n</${name}>`,
      formatSections: (sections) => sections.map((section) => naive.formatSection(section)).join('\n'),
    }
    const failed = formatConformance(naive).filter(({ run }) => {
      try {
        run()
        return false
      } catch {
        return true
      }
    })
    expect(failed.map(({ name }) => name)).toContain(
      'naive: reads back what it has written, in order, whatever the content',
    )
    expect(failed.length).toBeLessThan(5)
  })
})
