import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { findYaml } from './find-yaml.ts'
import { formatYaml } from './format-yaml.ts'
import { readYaml } from './read-yaml.ts'

const options = { section: 'answer' }
const codesOf = (text: string) =>
  findYaml(text, options).values.flatMap((value) => value.issues.map((issue) => issue.code))

describe('hostile YAML', () => {
  it('an alias bomb is not followed to its end', () => {
    const levels = 'abcdefghi'.split('')
    const bomb = levels
      .map((name, i) => `${name}: &${name} [${Array(9).fill(i === 0 ? 'x' : `*${levels[i - 1]}`)}]`)
      .join('\n')
    const start = performance.now()
    const read = readYaml(bomb, z.object({ i: z.array(z.unknown()) }), 'answer')
    expect(performance.now() - start).toBeLessThan(2000)
    expect(read.ok).toBe(false)
    expect(read.issues.map((issue) => issue.code)).toContain('section.bad_alias')
  })

  it('aliases of an unknown anchor', () => {
    expect(codesOf('a: *nowhere')).toEqual(['section.bad_alias'])
  })

  it('nesting without measure', () => {
    expect(codesOf('['.repeat(300) + ']'.repeat(300))).toContain('section.too_deep')
    for (const text of ['['.repeat(5_000), '- '.repeat(5_000), '{a: '.repeat(5_000), '? '.repeat(5_000)])
      expect(() => findYaml(text, options)).not.toThrow()
  })

  it('length without measure', () => {
    const { issues } = findYaml(`title: ${'x'.repeat(300_000)}`, options)
    expect(issues.map((issue) => issue.code)).toContain('section.too_long')
  })

  it('keys of prototypes', () => {
    const read = readYaml(
      '__proto__: {polluted: true}\nconstructor: 1\ntitle: x',
      { type: 'object' },
      'answer',
    )
    expect(Object.keys(read.value as object)).toEqual(['__proto__', 'constructor', 'title'])
    expect(Object.getPrototypeOf(read.value)).toBe(Object.prototype)
    expect(({} as { polluted?: boolean }).polluted).toBeUndefined()
  })

  it.each([
    ['lines', 'a: "x\n'],
    ['colons', 'a: b: c\n'],
    ['quotes', '"'],
    ['flow', '[a-z]+ x\n'],
    ['blocks', 'a: |\nx\n'],
    ['nests', ' - a:\n'],
    ['fences', '```\n'],
    ['prose', 'Some words here.\n'],
    ['tabs', '\ta: b\n'],
  ])('takes time that grows no faster than the text: %s', (_, piece) => {
    const time = (size: number) => {
      const text = piece.repeat(Math.ceil(size / piece.length))
      const start = performance.now()
      findYaml(text, { section: 'a', known: (key) => key === 'a' })
      return performance.now() - start
    }
    time(2_000)
    // Four times the text; quadratic would be sixteen times the time.
    expect(time(40_000)).toBeLessThan(Math.max(10 * time(10_000), 1000))
  })
})

describe('formatYaml', () => {
  it('reads back as the same value, whatever the value', () => {
    const json = fc.jsonValue({ depthSize: 'small', stringUnit: 'binary' })
    fc.assert(
      fc.property(json, (value) => {
        const plain: unknown = JSON.parse(JSON.stringify(value))
        const text = formatYaml({ value: plain })
        const read = readYaml(text, { type: 'object' }, 'answer')
        expect(read.value, text).toEqual({ value: plain })
      }),
      { numRuns: 2000 },
    )
  }, 60_000)

  it('writes text of many lines as a block, and quotes what older YAML would take for something else', () => {
    expect(formatYaml({ text: 'one\ntwo\n', country: 'no', day: '2026-01-20', at: '10:30', left: 1 })).toBe(
      'text: |\n  one\n  two\ncountry: "no"\nday: "2026-01-20"\nat: "10:30"\nleft: 1',
    )
  })
})
