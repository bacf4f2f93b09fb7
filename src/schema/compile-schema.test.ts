import { type } from 'arktype'
import * as v from 'valibot'
import { describe, expect, expectTypeOf, test } from 'vitest'
import { z } from 'zod'
import { compileSchema } from './compile-schema.ts'
import { schemaIssues } from './issues.ts'
import { pathText } from './path-text.ts'
import type { Infer, JsonSchema, Schema } from './schema.ts'

/** The problems as a model reads them. */
function problems(schema: Schema, value: unknown): string[] {
  const result = compileSchema(schema).validate(value)
  return result.ok
    ? []
    : result.problems.map(
        ({ path, message }) =>
          schemaIssues.issue('invalid', { path: pathText(path), problem: message }).message,
      )
}

describe('zod', () => {
  const schema = z.object({
    city: z.string(),
    celsius: z.number(),
    seen: z.date(),
    size: z.bigint().optional(),
  })

  test('has the last word, and all of it at once', () => {
    expect(problems(schema, { city: 5, celsius: 'warm' })).toEqual([
      'city: expected a string, got 5.',
      'celsius: expected a number, got "warm".',
      'seen: is missing; expected a date.',
    ])
    expect(problems(z.enum(['a', 'b']), 'c')).toEqual(['expected one of "a"|"b", got "c".'])
    expect(problems(z.object({ list: z.array(z.int()) }), { list: [1, 1.5] })).toEqual([
      'list[1]: expected an integer, got 1.5.',
    ])
    expect(problems(z.string({ error: 'Say something' }), 5)).toEqual(['Say something.'])
  })

  test('of a union, only the variant that was meant is explained', () => {
    const schema = z.object({ o: z.union([z.object({ a: z.number() }), z.null(), z.string()]) })
    expect(problems(schema, { o: { a: 'x' } })).toEqual(['o.a: expected a number, got "x".'])
    expect(problems(schema, { o: 5 })).toEqual(['o: expected an object or null or a string, got 5.'])
    expect(problems(schema, {})).toEqual(['o: is missing; expected an object or null or a string.'])
  })

  test('transforms, defaults and refinements apply', () => {
    const { validate } = compileSchema(
      z.object({ n: z.number().transform(String), d: z.string().default('x') }),
    )
    expect(validate({ n: 5, more: 1 })).toEqual({ ok: true, value: { n: '5', d: 'x' } })
    expect(
      problems(
        z.number().refine((n) => n > 3, 'too little'),
        2,
      ),
    ).toEqual(['too little.'])
  })

  test('is never skipped, however plain', () => {
    const compiled = compileSchema(schema)
    expect(compiled.shape.exact).toBe(true)
    expect(compiled.exact).toBe(false)
  })

  test('dates, big integers, aliases and wishes reach the shape', () => {
    const { shape } = compileSchema(
      z.object({
        seen: z.date().describe('When').nullable(),
        size: z.bigint().optional(),
        town: z
          .string()
          .meta({ 'x-alias': ['city'], 'x-stream': 'done' })
          .optional(),
        label: z.enum(['SPAM', 'HAM']).meta({ 'x-alias': { SPAM: ['junk'] } }),
        other: z.custom(() => true),
        when: z.coerce.date(),
      }),
    )
    if (shape.kind !== 'object') throw new Error('no object')
    expect(shape.fields.get('seen')?.shape).toMatchObject({
      variants: [{ kind: 'date', description: 'When' }, { kind: 'null' }],
    })
    expect(shape.fields.get('size')).toMatchObject({ shape: { kind: 'bigint' }, required: false })
    expect(shape.fields.get('town')).toMatchObject({ aliases: ['city'], stream: 'done', required: false })
    expect(shape.fields.get('label')).toMatchObject({
      aliases: [],
      shape: { members: [{ aliases: ['junk'] }, {}] },
    })
    expect(shape.fields.get('other')?.shape.kind).toBe('any')
    expect(shape.fields.get('when')?.shape.kind).toBe('date')
  })

  test('recursion, records, tuples, tagged unions and transforms give shapes', () => {
    const node = z.object({
      name: z.string(),
      get children() {
        return z.array(node)
      },
    })
    const { shape } = compileSchema(node)
    if (shape.kind !== 'object') throw new Error('no object')
    expect(shape.fields.get('children')?.shape).toMatchObject({
      kind: 'array',
      items: { fields: shape.fields },
    })
    expect(compileSchema(z.record(z.enum(['a', 'b']), z.number())).shape).toMatchObject({
      required: 2,
      additional: false,
    })
    expect(compileSchema(z.tuple([z.string(), z.number()])).shape).toMatchObject({
      prefix: [{}, {}],
      items: false,
    })
    const tagged = z.discriminatedUnion('t', [
      z.object({ t: z.literal('a') }),
      z.object({ t: z.literal('b') }),
    ])
    expect(compileSchema(tagged).shape).toMatchObject({ kind: 'union', exact: true })
    expect(compileSchema(z.string().transform(Number)).shape.kind).toBe('string')
    const kinds = z.union([z.literal('a').describe('first'), z.literal('b')])
    expect(compileSchema(kinds).shape).toMatchObject({
      kind: 'enum',
      members: [{ description: 'first' }, {}],
    })
    expect(compileSchema(z.json()).shape.kind).toBe('union')
  })

  test('an asynchronous schema is a mistake of the program', () => {
    const { validate } = compileSchema(z.string().refine(async () => true))
    expect(() => validate('x')).toThrow(/synchronous/)
  })
})

describe('arktype', () => {
  const schema = type({
    name: 'string > 2',
    seen: 'Date',
    size: 'bigint',
    'kind?': "'a' | 'b'",
    n: 'string.integer.parse',
  })

  test('gives a shape and validates', () => {
    const { shape, validate, exact } = compileSchema(schema)
    if (shape.kind !== 'object') throw new Error('no object')
    expect(exact).toBe(false)
    expect(shape.fields.get('name')?.shape).toMatchObject({ kind: 'string', minLength: 3 })
    expect(shape.fields.get('seen')?.shape.kind).toBe('date')
    expect(shape.fields.get('size')?.shape.kind).toBe('bigint')
    expect(shape.fields.get('kind')).toMatchObject({ required: false, shape: { kind: 'enum' } })
    const seen = new Date(0)
    expect(validate({ name: 'Ada', seen, size: 5n, n: '12' })).toEqual({
      ok: true,
      value: { name: 'Ada', seen, size: 5n, n: 12 },
    })
  })

  test('words its problems like the others', () => {
    expect(problems(type({ celsius: 'number' }), { celsius: 'warm' })).toEqual([
      'celsius: expected a number, got "warm".',
    ])
    expect(problems(type({ celsius: 'number' }), {})).toEqual(['celsius: is missing; expected a number.'])
  })
})

describe('valibot', () => {
  const schema = v.object({ celsius: v.number(), list: v.array(v.string()) })

  test('without JSON Schema still validates', () => {
    expect(compileSchema(schema).shape).toEqual({ kind: 'any', exact: false })
    expect(problems(schema, { celsius: 'warm', list: [1] })).toEqual([
      'celsius: expected a number, got "warm".',
      'list[0]: expected a string, got 1.',
    ])
    expect(problems(schema, { list: [] })).toEqual(['celsius: is missing.'])
  })

  test('with JSON Schema, as toStandardJsonSchema() of @valibot/to-json-schema adds it', () => {
    const input = () => ({
      type: 'object',
      properties: { celsius: { type: 'number' } },
      required: ['celsius'],
    })
    const both = { '~standard': { ...schema['~standard'], jsonSchema: { input, output: input } } }
    expect(compileSchema(both).shape).toMatchObject({ kind: 'object', required: 1 })
    const fails = () => {
      throw new Error('not in JSON Schema')
    }
    const broken = { '~standard': { ...schema['~standard'], jsonSchema: { input: fails, output: fails } } }
    expect(compileSchema(broken).shape).toEqual({ kind: 'any', exact: false })
  })
})

describe('JSON Schema', () => {
  test('is compiled once, and left as it was', () => {
    const schema = Object.freeze({
      type: 'object',
      properties: Object.freeze({ a: Object.freeze({ type: 'string' }) }),
    })
    expect(compileSchema(schema)).toBe(compileSchema(schema))
    expect(compileSchema(schema).exact).toBe(true)
    expect(Reflect.ownKeys(schema)).toEqual(['type', 'properties'])
  })

  test.each<[JsonSchema, unknown, string[]]>([
    [{ type: 'integer' }, 'abc', ['expected an integer, got "abc".']],
    [{ type: ['string', 'null'] }, 5, ['expected string or null, got 5.']],
    [{ type: 'string', minLength: 3 }, 'a', ['string is too short (1 < 3).']],
    [{ type: 'number', minimum: 3 }, 1, ['1 is less than 3.']],
    [{ enum: ['a', 'b'] }, 'c', ['expected one of "a", "b", got "c".']],
    [{ const: 'a' }, 'c', ['expected "a", got "c".']],
    [{ type: 'string', format: 'date' }, 'soon', ['expected the format date, got "soon".']],
    [{ type: 'string', pattern: '^a' }, 'b', ['expected a text of the required pattern, got "b".']],
    [{ type: 'string' }, 'x'.repeat(99), []],
    [{ type: 'number' }, 'x'.repeat(99), [`expected a number, got "${'x'.repeat(40)}…".`]],
    [{ type: 'object' }, [1], ['expected an object, got an array.']],
    [false, 1, ['is not allowed here.']],
    [true, 1, []],
    [
      { type: 'array', items: { type: 'string' }, maxItems: 1 },
      ['a', 2],
      ['array has too many items (2 > 1).', '[1]: expected a string, got 2.'],
    ],
    [
      { properties: { a: { type: 'object', required: ['b', 'c'] } }, additionalProperties: false },
      { a: { b: 1 }, d: 1 },
      ['a.c: is missing.', 'd: is not allowed here.'],
    ],
    [
      { properties: { 'a/b ~é': { items: { type: 'null' } } } },
      { 'a/b ~é': [1] },
      ['["a/b ~é"][0]: expected null, got 1.'],
    ],
    [{ propertyNames: { minLength: 2 } }, { a: 1 }, ['property name "a" does not match schema.']],
    [{ contains: { type: 'string' } }, [1, 2], ['array does not contain item matching schema.']],
    [{ not: { type: 'string' } }, 'a', ['matched "not" schema.']],
    [{ oneOf: [{ type: 'integer' }, { type: 'number' }] }, 1, ['fits more than one of the allowed forms.']],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 5, ['expected a string or null, got 5.']],
    [{ type: 'string', nullable: true }, null, []],
    [{ $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 5, ['expected a string, got 5.']],
    [
      { $schema: 'http://json-schema.org/draft-04/schema#', minimum: 1, exclusiveMinimum: true },
      1,
      ['1 is less than or equal to 1.'],
    ],
  ])('%j refuses %j', (schema, value, expected) => expect(problems(schema, value)).toEqual(expected))

  test('of a union, only the variant that was meant is explained', () => {
    const schema = {
      anyOf: [
        {
          type: 'object',
          properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
          required: ['kind', 'radius'],
        },
        {
          type: 'object',
          properties: { kind: { const: 'square' }, side: { type: 'number' } },
          required: ['kind', 'side'],
        },
        { type: 'null' },
      ],
    }
    expect(problems(schema, { kind: 'square', side: 'long' })).toEqual([
      'side: expected a number, got "long".',
    ])
    expect(
      problems({ properties: { a: schema, b: { type: 'string' } } }, { a: { kind: 'circle' }, b: 1 }),
    ).toEqual(['a.radius: is missing.', 'b: expected a string, got 1.'])
  })

  test('an example with an id is no schema', () => {
    const schema = {
      type: 'object',
      example: { id: 'http://[' },
      'x-note': { $id: 'http://[', $ref: '#/nowhere' },
    }
    expect(problems(schema, {})).toEqual([])
  })

  test('a key that is half a surrogate pair is a problem, not a crash', () => {
    const schema = { type: 'object', additionalProperties: { type: 'string' } }
    expect(problems(schema, JSON.parse('{"\\ud800":1}'))).toEqual(['has a key that is not valid Unicode.'])
  })

  test('a broken one is refused at once', () => {
    expect(() => compileSchema({ $id: 'http://[' })).toThrow(/Invalid JSON Schema/)
    expect(() => compileSchema({ $ref: '#/gone' })).toThrow(/leads nowhere/)
    const format = { type: 'string', format: '__proto__' }
    expect(problems(format, 'x')).toEqual([])
  })
})

test('the type of a schema is known', () => {
  const schema = z.object({ n: z.number().transform(String) })
  expectTypeOf<Infer<typeof schema>>().toEqualTypeOf<{ n: string }>()
  const ark = type({ n: 'number' })
  expectTypeOf<Infer<typeof ark>>().toEqualTypeOf<{ n: number }>()
  const vali = v.object({ n: v.number() })
  expectTypeOf<Infer<typeof vali>>().toEqualTypeOf<{ n: number }>()
  expectTypeOf<Infer<{ type: 'string' }>>().toBeUnknown()
  const read = compileSchema(schema).validate({ n: 1 })
  if (read.ok) expectTypeOf(read.value).toEqualTypeOf<{ n: string }>()
  expect(read.ok).toBe(true)
})

test('an issue says where and what, once', () => {
  const issue = schemaIssues.issue(
    'invalid',
    { path: 'celsius', problem: 'expected a number, got "warm"' },
    { path: ['celsius'] },
  )
  expect(issue).toMatchObject({
    code: 'schema.invalid',
    severity: 'error',
    path: ['celsius'],
    message: 'celsius: expected a number, got "warm".',
    hint: 'celsius: expected a number, got "warm".',
  })
  expect(pathText(['items', 2, 'two words', 'a-b', Symbol.iterator])).toBe(
    'items[2]["two words"].a-b.Symbol(Symbol.iterator)',
  )
})
