import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { duration } from '../schema/duration.ts'
import {
  jsonSection,
  jsonTermination,
  type SchemaSectionOptions,
  textSection,
  textTermination,
  yamlSection,
} from './index.ts'

const codes = (read: { issues: readonly { code: string }[] }) => read.issues.map((issue) => issue.code)

describe('termination_text_test', () => {
  it('returns trimmed content', () => {
    expect(textTermination().read('\n  It is sunny.  \n')).toEqual({
      ok: true,
      value: 'It is sunny.',
      complete: true,
      issues: [],
    })
  })

  it('empty content', () => {
    const read = textTermination().read('  \n')
    expect(read).toMatchObject({ ok: true, value: '' })
    expect(codes(read)).toEqual(['section.empty'])
  })

  it('multi-line content', () => {
    expect(textTermination().read('one\n\n  two\n').value).toBe('one\n\n  two')
  })

  it('name and prompt are configurable', () => {
    const section = textTermination({ name: 'final', prompt: 'Sum it up.' })
    expect([section.name, section.prompt, section.terminates]).toEqual(['final', 'Sum it up.', true])
    expect(textTermination().name).toBe('answer')
  })

  it('a validator rejects, and its words go to the model', () => {
    const section = textTermination({ validate: (answer) => (answer.length < 9 ? 'Say more.' : undefined) })
    expect(section.read('It is sunny.').ok).toBe(true)
    const read = section.read(' Sunny. ', 100)
    expect(read.ok).toBe(false)
    expect(read.issues).toMatchObject([{ code: 'section.rejected', hint: 'Say more.', span: [101, 107] }])
  })
})

describe('termination_json_test', () => {
  const Person = z.object({ name: z.string(), age: z.int(), nick: z.string().nullable() })

  it('simple struct parsing', () => {
    const read = jsonTermination(Person).read('{"name": "Ada", "age": 36, "nick": null}')
    expect(read).toEqual({
      ok: true,
      value: { name: 'Ada', age: 36, nick: null },
      complete: true,
      issues: [],
    })
    if (read.ok) read.value.age satisfies number
  })

  it('nested struct parsing', () => {
    const section = jsonTermination(z.object({ person: Person, at: z.object({ city: z.string() }) }))
    const value = { person: { name: 'Ada', age: 36, nick: null }, at: { city: 'London' } }
    expect(section.read(JSON.stringify(value)).value).toEqual(value)
  })

  it('pointer fields (nil and non-nil)', () => {
    const section = jsonTermination(z.object({ a: z.number().nullable(), b: z.number().optional() }))
    expect(section.read('{"a": null}').value).toEqual({ a: null })
    expect(section.read('{"a": 1, "b": 2}').value).toEqual({ a: 1, b: 2 })
  })

  it('time.Time parsing', () => {
    const section = jsonTermination(z.object({ at: z.date() }))
    expect(section.read('{"at": "2026-01-20T15:30:00+01:00"}').value).toEqual({
      at: new Date('2026-01-20T14:30:00Z'),
    })
    expect(section.read('{"at": "soon"}').ok).toBe(false)
  })

  it('time.Duration parsing', () => {
    const section = jsonTermination(z.object({ takes: z.number().meta(duration) }))
    for (const text of ['"1h30m"', '"PT1H30M"', '5400000'])
      expect(section.read(`{"takes": ${text}}`).value).toEqual({ takes: 5_400_000 })
    expect(section.read('{"takes": "a while"}').ok).toBe(false)
  })

  it('slice fields', () => {
    const section = jsonTermination(z.object({ tags: z.array(z.string()), points: z.array(Person) }))
    const value = { tags: ['a', 'b'], points: [{ name: 'Ada', age: 36, nick: 'A' }] }
    expect(section.read(JSON.stringify(value)).value).toEqual(value)
  })

  it('map fields', () => {
    const section = jsonTermination(z.object({ prices: z.record(z.string(), z.number()) }))
    expect(section.read('{"prices": {"tea": 3, "cake": 4.5}}').value).toEqual({
      prices: { tea: 3, cake: 4.5 },
    })
  })

  it('invalid JSON error', () => {
    const read = jsonTermination(Person).read('I could not find it.', 10)
    expect(read.ok).toBe(false)
    expect(read.issues).toMatchObject([{ code: 'section.invalid_json', span: [10, 30] }])
  })

  it('type mismatch error', () => {
    const content = '{"name": "Ada", "age": "old", "nick": null}'
    const read = jsonTermination(Person).read(content, 7)
    expect(read.ok).toBe(false)
    const [issue] = read.issues
    expect(issue).toMatchObject({ code: 'json.wrong_type', path: ['age'] })
    const [start = 0, end = 0] = issue?.span ?? []
    expect(content.slice(start - 7, end - 7)).toBe('"old"')
  })

  it('schema generation accuracy', () => {
    const { prompt } = jsonTermination(
      z.object({
        city: z.string().describe('where'),
        seen: z.date(),
        takes: z.number().meta(duration).optional(),
        notes: z.array(z.object({ text: z.string().nullable() })),
      }),
    )
    expect(prompt).toBe(`Write your final answer here, once you have it.
JSON of this type:
{
  // where
  city: string
  seen: string // ISO 8601 such as "2026-01-20T15:30:00Z"
  takes?: string // duration such as "1h30m", or milliseconds
  notes: {
    text: string | null
  }[]
}
Example:
{
  "city": "text",
  "seen": "2026-01-20T15:30:00Z",
  "takes": 5400000,
  "notes": [
    {
      "text": "text"
    }
  ]
}`)
  })

  it('a validator rejects, and only what fits the schema reaches it', () => {
    const seen: unknown[] = []
    const section = jsonTermination(Person, {
      validate(person) {
        seen.push(person)
        return person.age < 18 ? 'Choose an adult.' : undefined
      },
    })
    expect(section.read('{"name": "Ada", "age": 36, "nick": null}').ok).toBe(true)
    expect(section.read('{"name": "Ada"}').ok).toBe(false)
    const read = section.read('{"name": "Tim", "age": 3, "nick": null}')
    expect(read.issues).toMatchObject([{ code: 'section.rejected', hint: 'Choose an adult.' }])
    expect(read.ok).toBe(false)
    expect(seen).toHaveLength(2)
  })
})

describe('sections', () => {
  it('of text', () => {
    const section = textSection('thinking', 'Think step by step.')
    expect([section.name, section.prompt]).toEqual(['thinking', 'Think step by step.'])
    expect(section.read('\n a \n b\n').value).toBe('a \n b')
  })

  it('names that no format can write are mistakes', () => {
    for (const name of [' ', 'a>b', 'a\nb', '<a', 'x'.repeat(65)])
      expect(() => textSection(name, '')).toThrow(expect.objectContaining({ code: 'text.invalid_name' }))
    for (const name of ['', undefined, 5] as string[])
      expect(() => textSection(name, '')).toThrow(expect.objectContaining({ code: 'text.missing_name' }))
    for (const name of ['a.b', 'c++', 'Final Answer', 'réponse', '回答'])
      expect(textSection(name, '').name).toBe(name)
  })

  it('broken schemas are mistakes', () => {
    expect(() => jsonSection('a', { type: 'strnig' })).toThrow(
      expect.objectContaining({ name: 'LegibleError' }),
    )
    expect(() => yamlSection('a', { $ref: '#/nowhere' })).toThrow(
      expect.objectContaining({ name: 'LegibleError' }),
    )
  })

  it('an example that does not fit is a mistake', () => {
    const schema = z.object({ n: z.number() })
    expect(() => jsonSection('a', schema, { example: { n: 'many' } })).toThrow(
      expect.objectContaining({ code: 'section.invalid_example' }),
    )
    expect(jsonSection('a', schema, { example: { n: 42 } }).prompt).toContain('"n": 42')
    expect(jsonSection('a', schema, { example: false }).prompt).not.toContain('Example')
  })

  const Note = z.object({ title: z.string(), tags: z.array(z.string()).optional() })
  const styles: [SchemaSectionOptions, string][] = [
    [
      {},
      'YAML of this type:\n{\n  title: string\n  tags?: string[]\n}\nExample:\ntitle: text\ntags:\n  - text',
    ],
    [
      { style: 'example', prompt: 'A note.' },
      'A note.\nYAML like this example:\ntitle: text\ntags:\n  - text\nwhere\n- title: required, string\n- tags: optional, list',
    ],
  ]
  it.each(styles)('yaml prompts: %j', (options, prompt) => {
    expect(yamlSection('note', Note, options).prompt).toBe(prompt)
  })
  it('yaml prompt with a JSON Schema', () => {
    expect(yamlSection('note', Note, { style: 'json-schema' }).prompt).toContain(
      'YAML that fits this JSON Schema:',
    )
  })

  it('stop at limits of your own', () => {
    const codes = (section: { read(content: string): { issues: { code: string }[] } }, content: string) =>
      section.read(content).issues.map(({ code }) => code)
    const deep = z.object({ a: z.unknown() })
    expect(codes(jsonSection('a', deep, { limits: { maxLength: 5 } }), '{"a": 1}')).toContain('json.too_long')
    expect(codes(yamlSection('a', deep, { limits: { maxYamlLength: 3 } }), 'a: 123')).toContain(
      'section.too_long',
    )
    expect(codes(yamlSection('a', deep, { limits: { maxDepth: 1 } }), 'a: [1]')).toContain('section.too_deep')
    expect(codes(jsonTermination(deep, { limits: { maxDepth: 1 } }), '{"a": [1]}')).toContain('json.too_deep')
    const long = `a: ${'x'.repeat(200 * 1024)}`
    expect(codes(yamlSection('a', deep), long)).toContain('section.too_long')
    expect(codes(yamlSection('a', deep, { limits: { maxYamlLength: 1e6 } }), long)).toEqual([])
  })

  it('spans point into the reply', () => {
    const reply = 'Sure.\n<note>\ntitle: x\ntags: {a: 1}\n</note>'
    const content = 'title: x\ntags: {a: 1}'
    const offset = reply.indexOf(content)
    for (const issue of yamlSection('note', Note).read(content, offset).issues) {
      const [start, end] = issue.span ?? [0, 0]
      expect(start).toBeGreaterThanOrEqual(offset)
      expect(end).toBeLessThanOrEqual(offset + content.length)
    }
  })

  it('never throw, whatever the content', () => {
    const schema = z.object({ title: z.string(), count: z.number().optional(), when: z.date().optional() })
    const sections = [
      jsonSection('a', schema),
      yamlSection('a', schema),
      textTermination(),
      yamlSection('a', z.string()),
    ]
    const piece = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom(
        'title: ', '\n', '- ', '\t', '"', "'", '|', '>', '&a ', '*a', '!x ', '{', '}', '[', ']', ': ', '#', '---\n',
        '```', '  ', 'count: 1', '? ', ', ', '%', '@', '\\', '\u0000', '\r',
      ), // biome-ignore format: a list of marks
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 40 }), fc.nat(1000), (pieces, offset) => {
        const content = pieces.join('')
        for (const section of sections) {
          const read = section.read(content, offset)
          expect(read.ok).toBe(!read.issues.some((issue) => issue.severity === 'error'))
          for (const { span } of read.issues)
            if (span)
              expect(
                offset <= span[0] && span[0] <= span[1] && span[1] <= offset + content.length,
                `${span} of ${JSON.stringify(content)}`,
              ).toBe(true)
        }
      }),
      { numRuns: 3000 },
    )
  }, 60_000)
})

describe('validators', () => {
  const sections = (validate: () => string | undefined) => [
    { section: textTermination({ validate }), content: 'a' },
    { section: jsonTermination({ type: 'object' }, { validate }), content: '{}' },
  ]

  it('that throw refuse', () => {
    const validate = () => {
      throw new Error('Not that.')
    }
    for (const { section, content } of sections(validate))
      expect(section.read(content)).toMatchObject({
        ok: false,
        issues: [{ code: 'section.rejected', hint: 'Not that.' }],
      })
  })

  it('that return a promise are a mistake', () => {
    const validate = (async () => Promise.reject(new Error('later'))) as never
    for (const { section, content } of sections(validate))
      expect(() => section.read(content)).toThrow(expect.objectContaining({ code: 'section.async_validate' }))
  })

  it('an empty answer is worth a warning', () => {
    expect(textTermination().read(' \n')).toMatchObject({ ok: true, issues: [{ code: 'section.empty' }] })
  })
})
