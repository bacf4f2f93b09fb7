import { type } from 'arktype'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compileSchema } from './compile-schema.ts'
import { exampleOf } from './example-of.ts'
import type { JsonSchema, Schema } from './schema.ts'
import { toJsonSchema } from './to-json-schema.ts'

const node = z.object({
  name: z.string(),
  get parent() {
    return node.optional()
  },
  get children() {
    return z.array(node)
  },
  get next() {
    return node.nullable()
  },
})

describe('exampleOf', () => {
  test.each<[string, Schema]>([
    [
      'an object',
      z.object({ a: z.string().min(3).max(20), b: z.int().optional(), c: z.boolean(), d: z.null() }),
    ],
    [
      'bounds',
      z.object({
        a: z.number().gt(5).lt(5.5),
        b: z.int().gt(5),
        c: z.int().max(-3),
        d: z.number().multipleOf(0.25).min(3.1),
        e: z.int().lt(0),
      }),
    ],
    [
      'long and short texts',
      z.object({ a: z.string().min(50), b: z.string().max(2), c: z.string().length(7) }),
    ],
    [
      'formats',
      z.object({
        a: z.email(),
        b: z.uuid(),
        c: z.url(),
        d: z.iso.date(),
        e: z.iso.datetime(),
        f: z.ipv4(),
        g: z.iso.duration(),
      }),
    ],
    [
      'patterns',
      z.object({
        a: z.string().regex(/^[A-Z]{3}-\d{3}$/),
        b: z.string().regex(/^\d+$/),
        c: z.string().regex(/^#[0-9a-f]{6}$/),
      }),
    ],
    [
      'lists',
      z.object({
        a: z.array(z.string()).min(3),
        b: z.tuple([z.string(), z.number()]),
        c: z.array(z.string()).max(0),
      }),
    ],
    [
      'unions and records',
      z.object({
        a: z.union([z.null(), z.string()]),
        b: z.record(z.string(), z.int()),
        c: z.record(z.enum(['x', 'y']), z.int()),
      }),
    ],
    ['tags', z.discriminatedUnion('t', [z.object({ t: z.literal('a') }), z.object({ t: z.literal('b') })])],
    ['recursion', node],
    ['any JSON', z.json()],
    ['arktype', type({ a: 'string > 3', b: 'number.integer >= 0', c: "'x' | 'y'", d: 'string[] >= 2' })],
    [
      'a reference',
      { $ref: '#/$defs/a', $defs: { a: { type: 'object', properties: { b: { $ref: '#/$defs/a' } } } } },
    ],
    [
      'required and undeclared',
      {
        type: 'object',
        required: ['a'],
        additionalProperties: { type: 'integer', multipleOf: 7, minimum: 1 },
      },
    ],
    [
      'formats of JSON Schema',
      {
        type: 'array',
        prefixItems: [
          'date',
          'time',
          'date-time',
          'duration',
          'email',
          'hostname',
          'ipv4',
          'ipv6',
          'uri',
          'uri-reference',
          'uuid',
          'regex',
          'json-pointer',
        ].map((format) => ({ type: 'string', format })),
        minItems: 13,
      },
    ],
    ['anything', {}],
  ])('of %s fits it', (_, schema) => {
    const example = exampleOf(schema)
    const result = compileSchema(schema).validate(example)
    expect(result.ok ? [] : result.problems, JSON.stringify(example)).toEqual([])
    expect(exampleOf(schema)).toEqual(example)
    expect(JSON.parse(JSON.stringify(example))).toEqual(example)
  })

  test('uses what the schema offers', () => {
    expect(exampleOf({ type: 'string', examples: ['Ada', 'Bob'], default: 'x' })).toBe('Ada')
    expect(exampleOf({ type: 'string', default: 'x' })).toBe('x')
    expect(exampleOf({ enum: ['b', 'a'] })).toBe('b')
    expect(exampleOf(z.string().meta({ examples: ['Ada'] }))).toBe('Ada')
    expect(exampleOf(z.date())).toBe('2026-01-20T15:30:00Z')
    expect(exampleOf(z.bigint())).toBe(1)
  })

  test('ends where the schema has no end', () => {
    expect(exampleOf({ type: 'object', properties: { a: { $ref: '#' } }, required: ['a'] })).toBeNull()
    const $defs: Record<string, JsonSchema> = { d0: { type: 'string' } }
    for (let index = 1; index < 60; index++) {
      const $ref = `#/$defs/d${index - 1}`
      $defs[`d${index}`] = { type: 'object', properties: { a: { $ref }, b: { $ref } }, required: ['a', 'b'] }
    }
    expect(exampleOf({ $ref: '#/$defs/d59', $defs })).toBeNull()
  })
})

describe('toJsonSchema', () => {
  test('hands plain JSON Schema back', () => {
    const schema = { type: 'string' }
    expect(toJsonSchema(schema)).toBe(schema)
    expect(toJsonSchema(true)).toBe(true)
  })

  test('writes what JSON Schema has no word for', () => {
    expect(
      toJsonSchema(z.object({ a: z.date(), b: z.bigint(), c: z.date().meta({ format: 'date' }) })),
    ).toMatchObject({
      properties: {
        a: { type: 'string', format: 'date-time' },
        b: { type: 'integer' },
        c: { type: 'string', format: 'date' },
      },
    })
    expect(JSON.stringify(toJsonSchema(type({ a: 'Date', b: 'bigint' })))).not.toContain('x-js')
    expect(
      toJsonSchema({ '~standard': { version: 1, vendor: 'x', validate: (value) => ({ value }) } }),
    ).toEqual({})
  })
})
