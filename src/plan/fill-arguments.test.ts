import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { fillArguments } from './fill-arguments.ts'
import { findReferences } from './references.ts'

const runs = {
  numRuns: Number(process.env.PROPERTY_RUNS ?? 500),
  seed: Number(process.env.PROPERTY_SEED ?? 1),
}

const fill = (args: unknown, results: Record<string, unknown>) =>
  fillArguments({ id: 'me', name: 'now', arguments: args }, new Map(Object.entries(results)))
const codes = (args: unknown, results: Record<string, unknown>) =>
  fill(args, results).issues.map(({ code }) => code)

describe('fillArguments', () => {
  it.each([
    ['a value with its type', '{{1}}', { 1: { n: [1, null] } }, { n: [1, null] }],
    ['a number', '{{1.n}}', { 1: { n: 5 } }, 5],
    ['false', { a: ['{{ 1 }}'] }, { 1: false }, { a: [false] }],
    ['nothing', '{{1}}', { 1: undefined }, null],
    ['a path into lists', '{{1.0.1}}', { 1: [['a', 'b']] }, 'b'],
    ['a path with brackets', '{{1[0]["a b"].c}}', { 1: [{ 'a b': { c: 7 } }] }, 7],
    ['text within text', 'a {{1}} b {{2}}', { 1: 'x', 2: 'y' }, 'a x b y'],
    ['JSON within text', '{{1}}: {{2}}', { 1: { a: 'b' }, 2: [1, true] }, '{"a":"b"}: [1,true]'],
    ['nothing within text', '<{{1}}>', { 1: undefined }, '<null>'],
    ['braces around a reference', '{"a": {{1}}}', { 1: 2 }, '{"a": 2}'],
    ['JSON that a tool gave as text', '{{1.a}} {{1}}', { 1: '{"a": 1}' }, '1 {"a": 1}'],
    ['an id with dots', '{{a.b}} {{a.b.c}} {{a.d}}', { a: { b: 1, d: 2 }, 'a.b': { c: 3 } }, '{"c":3} 3 2'],
    ['a reference that is meant as text', '\\{{1}} {{1}}', { 1: 5 }, '{{1}} 5'],
    ['what is no reference', '{{}} {{#a}} {{a b}} {1} {{\n1}}', { 1: 5 }, '{{}} {{#a}} {{a b}} {1} {{\n1}}'],
    ['keys are left alone', { '{{1}}': '{{1}}' }, { 1: 5 }, { '{{1}}': 5 }],
    ['arguments without references', { a: [1, 'b', null] }, {}, { a: [1, 'b', null] }],
  ])('%s', (_, args, results, value) => {
    expect(fill(args, results)).toEqual({ ok: true, value, complete: true, issues: [] })
  })

  it('says what is there when a part is not', () => {
    const hint = (args: unknown, result: unknown) => fill(args, { 1: result }).issues[0]?.hint
    expect(hint('{{1.c}}', { a: 1, b: 2 })).toBe(
      'Tool call "me": "{{1.c}}" is not there: the result of "1" is an object with "a" and "b".',
    )
    expect(hint('{{1.a.3}}', { a: [1, 2] })).toContain('"a" in the result of "1" is a list, 0 to 1.')
    expect(hint('{{1.a}}', 'word')).toContain('is a text.')
    expect(hint('{{1.length}}', [1])).toContain('is a list, 0 to 0.')
    expect(hint('{{1.a}}', null)).toContain('is empty.')
    const wide = Object.fromEntries(Array.from({ length: 1000 }, (_, i) => [`${i}`.repeat(99), i]))
    expect(hint('{{1.a}}', wide)?.length).toBeLessThan(1000)
  })

  it('does not know calls that have no result', () => {
    expect(fill({ a: '{{2.x}}' }, { 1: 1 })).toMatchObject({
      ok: false,
      issues: [{ code: 'plan.unknown_reference', params: { call: 'me', reference: '{{2.x}}' } }],
    })
    expect(codes(Array(50).fill('{{2}}'), {})).toHaveLength(4)
  })

  it('looks at nothing that is not an own member', () => {
    const names = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'length', 'map', '-1', '1e0']
    for (const value of [{ a: 1 }, [1, 2], 'text', 5, () => 1, new Date(0)])
      for (const name of names) expect(codes(`{{1.${name}}}`, { 1: value })).toEqual(['plan.missing_result'])
    for (const name of ['__proto__', 'constructor'])
      expect(codes(`{{${name}}}`, {})).toEqual(['plan.unknown_reference'])
  })

  it('takes a key __proto__ for a key', () => {
    const result: unknown = JSON.parse('{"__proto__": {"admin": true}, "a": 1}')
    expect(fill('{{1.__proto__.admin}}', { 1: result }).value).toBe(true)
    const { whole, admin } = fill({ whole: '{{1}}' }, { 1: result }).value as Record<string, object>
    expect(admin).toBeUndefined()
    expect(Object.keys(whole as object)).toEqual(['__proto__', 'a'])
    expect(Object.getPrototypeOf(whole)).toBe(Object.prototype)
    const args: unknown = JSON.parse('{"__proto__": "{{1.a}}"}')
    expect(JSON.stringify(fill(args, { 1: result }).value)).toBe('{"__proto__":1}')
  })

  it('gives copies: who changes them changes no result', () => {
    const result = { list: [1] }
    const { a, b } = fill({ a: '{{1}}', b: '{{1.list}}' }, { 1: result }).value as {
      a: typeof result
      b: number[]
    }
    a.list.push(2)
    b.push(3)
    expect(result).toEqual({ list: [1] })
  })

  it('stays small, whatever is put in', () => {
    const large = ['plan.too_large_arguments']
    expect(codes(['{{1}}', '{{1}}'], { 1: 'x'.repeat(500_000) })).toEqual([])
    expect(codes(['{{1}}', '{{1}}'], { 1: 'x'.repeat(500_001) })).toEqual(large)
    expect(codes('{{1}}{{1}}', { 1: 'x'.repeat(500_001) })).toEqual(large)
    expect(codes('{{1}}'.repeat(2000), { 1: { a: 'x'.repeat(1000) } })).toEqual(large)
    expect(codes('{{1}}', { 1: Array(1_000_001) })).toEqual(large)
    // Each level has the one below it twice: 2^60 texts.
    let laughs: unknown = 'ha'
    for (let i = 0; i < 60; i++) laughs = { a: laughs, b: laughs }
    expect(codes('{{1}}', { 1: laughs })).toEqual(large)
    expect(codes('is {{1}}', { 1: laughs })).toEqual(large)
    const circle: Record<string, unknown> = {}
    circle.self = circle
    expect(codes('{{1}}', { 1: circle })).toEqual(large)
    expect(codes('is {{1}}', { 1: circle })).toEqual(large)
    expect(codes(circle, {})).toEqual(large)
    expect(codes('is {{1}}', { 1: { n: 5n } })).toEqual(large)
    expect(fill('is {{1}}', { 1: 5n }).value).toBe('is 5')
  })

  it('takes time that grows no faster than the arguments', () => {
    const ids = Object.fromEntries(Array.from({ length: 64 }, (_, i) => [`a.${i}`, 1]))
    for (const text of ['{{', '{{a', '{{a.', '{{ ', '\\{{a', '{{a.1}}', '{{a}}', '}}', '{{a\n', '{{{'])
      for (const args of [text.repeat(1_000_000 / text.length), `{{${text.slice(2).repeat(300_000)}`]) {
        const start = performance.now()
        fill(args, ids)
        expect(performance.now() - start, text).toBeLessThan(2000)
      }
  })
})

// Texts that look like references, or almost.
const hostile = fc
  .array(
    fc.constantFrom('{{', '}}', '1', '2', '.', 'x', '__proto__', '{{1}}', '{{2.x}}', '\\', ' ', '"', '{'),
    {
      maxLength: 12,
    },
  )
  .map((parts) => parts.join(''))
const hostileValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    hostile,
    fc.integer(),
    fc.constant(null),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(fc.oneof(hostile, fc.constantFrom('x', '__proto__')), tie('value'), { maxKeys: 3 }),
  ),
})).value

describe('hostile results', () => {
  it('are put in as they are, and never searched for references', () => {
    fc.assert(
      fc.property(hostileValue, hostile, hostile, (result, before, after) => {
        const whole = fill({ a: ['{{1}}'] }, { 1: result, 2: 'SECRET' })
        expect(JSON.stringify(whole.value)).toBe(JSON.stringify({ a: [result] }))
        const plain = (text: string) => text.replace(/[{}\\]/g, '')
        const text = typeof result === 'string' ? result : JSON.stringify(result)
        const within = fill(`${plain(before)}{{1}}${plain(after)}`, { 1: result, 2: 'SECRET' })
        // Nothing around it: the value itself, not its text.
        const alone = plain(before) === '' && plain(after) === ''
        expect(within.value).toEqual(alone ? result : plain(before) + text + plain(after))
      }),
      runs,
    )
  })

  it('never make it throw, and what is filled is what was found', () => {
    fc.assert(
      fc.property(hostileValue, hostileValue, (args, result) => {
        const results = { 1: result, 2: { x: 'y' } }
        const read = fill(args, results)
        expect(read.ok).toBe(read.issues.length === 0)
        const { used, unknown } = findReferences(args, Object.keys(results))
        if (unknown.size > 0) expect(read.ok).toBe(false)
        const escaped = JSON.stringify(args).includes('\\\\{{')
        if (used.size + unknown.size === 0 && !escaped) expect(read.value).toEqual(args)
      }),
      runs,
    )
  })
})
