import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { describeSchema } from './describe-schema.ts'
import { duration } from './duration.ts'

const weather = z
  .object({
    city: z.string().min(2).describe('City name,\nin English'),
    celsius: z.number().min(-90).max(60),
    seen: z.date(),
    wait: z.number().meta(duration),
    label: z.union([z.literal('SPAM').describe('unwanted mail'), z.literal('HAM')]).describe('What it is'),
    count: z.int().optional(),
    tags: z
      .array(z.enum(['a', 'b']))
      .min(1)
      .default(['a']),
    sky: z.discriminatedUnion('kind', [
      z.object({ kind: z.literal('clear') }),
      z.object({ kind: z.literal('rain'), mm: z.number() }),
    ]),
    'by hour': z.record(z.string(), z.number()),
    mail: z.email().nullable(),
    pair: z.tuple([z.string(), z.number()]),
    code: z.string().regex(/^[A-Z]{3}$/),
  })
  .describe('The weather')

describe('compact', () => {
  test('is like a TypeScript type', () => {
    expect(describeSchema(weather)).toBe(`JSON of this type:
// The weather
{
  // City name,
  // in English
  city: string // at least 2 characters
  celsius: number // -90 to 60
  seen: string // ISO 8601 such as "2026-01-20T15:30:00Z"
  wait: string // duration such as "1h30m", or milliseconds
  // What it is
  label:
    | "SPAM" // unwanted mail
    | "HAM"
  count?: integer
  tags?: ("a" | "b")[] // at least 1 item, default ["a"]
  sky: {
    kind: "clear"
  } | {
    kind: "rain"
    mm: number
  }
  "by hour": {
    [key: string]: number
  }
  mail: string | null // email
  pair: [string, number] // exactly 2 items
  code: string // matches ^[A-Z]{3}$
}`)
  })

  test('names what contains itself, or is used twice', () => {
    const tree = {
      $ref: '#/$defs/tree',
      $defs: {
        tree: {
          type: 'object',
          description: 'A tree',
          properties: {
            left: { $ref: '#/$defs/tree' },
            right: { $ref: '#/$defs/tree', description: 'Larger' },
            at: { $ref: '#/$defs/at' },
            to: { $ref: '#/$defs/at' },
          },
          required: ['at'],
        },
        at: { type: 'object', properties: { x: { type: 'number', exclusiveMinimum: 0, multipleOf: 5 } } },
      },
    }
    expect(describeSchema(tree)).toBe(`JSON of the type Tree:
// A tree
type Tree = {
  // A tree
  left?: Tree
  // Larger
  right?: Tree
  at: At
  to?: At
}
type At = {
  x?: number // more than 0, multiple of 5
}`)
    expect(describeSchema(z.json())).toContain('type Item = string | number | boolean | null | Item[] | {')
  })

  test('all kinds of shapes', () => {
    expect(describeSchema({ type: ['string', 'null'], maxLength: 3 })).toBe(
      'JSON of this type:\nstring | null // at most 3 characters',
    )
    expect(describeSchema({ type: 'array', items: { type: 'integer', maximum: 5 }, maxItems: 2 })).toContain(
      'integer[] // at most 2 items, each at most 5',
    )
    expect(
      describeSchema({ type: 'array', prefixItems: [{ type: 'string' }], items: { type: 'boolean' } }),
    ).toContain('[string, ...boolean[]]')
    expect(
      describeSchema({ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'null' }] } }),
    ).toContain('(string | null)[]')
    expect(describeSchema(true)).toContain('any')
    expect(describeSchema({ type: 'object' })).toContain('{}')
    expect(describeSchema(z.bigint())).toContain('integer')
  })
})

test('example: a value, and what to know of its fields', () => {
  const text = describeSchema(weather, { style: 'example' })
  expect(text).toContain('JSON like this example:\n{\n  "city": "text",')
  expect(text.slice(text.indexOf('where'))).toBe(`where
- the whole: object. The weather
- city: required, string, at least 2 characters. City name, in English
- celsius: required, number, -90 to 60
- seen: required, string, ISO 8601 such as "2026-01-20T15:30:00Z"
- wait: required, string, duration such as "1h30m", or milliseconds
- label: required, one of "SPAM" (unwanted mail), "HAM". What it is
- count: optional, integer
- tags: optional, list, at least 1 item, default ["a"]
- tags[]: one of "a", "b"
- sky: required, object
- sky, form 1: object
- sky.kind: required, always "clear"
- sky, form 2: object
- sky.kind: required, always "rain"
- sky.mm: required, number
- "by hour": required, object
- "by hour"[any key]: number
- mail: required, string or null, email
- pair: required, list, exactly 2 items
- pair[0]: string
- pair[1]: number
- code: required, string, matches ^[A-Z]{3}$`)
  expect(describeSchema({ type: 'string' }, { style: 'example' })).toBe('JSON like this example:\n"text"')
})

test('json-schema: the schema without the noise', () => {
  const text = describeSchema(z.object({ seen: z.date().describe('When'), kind: z.enum(['a', 'b']) }), {
    style: 'json-schema',
  })
  expect(text).toMatch(/^JSON that fits this JSON Schema:\n\{/)
  expect(JSON.parse(text.slice(text.indexOf('{')))).toEqual({
    type: 'object',
    properties: {
      seen: { type: 'string', format: 'date-time', description: 'When' },
      kind: { type: 'string', enum: ['a', 'b'] },
    },
    required: ['seen', 'kind'],
  })
})
