import { describe, expect, test } from 'vitest'
import { LegibleError } from '../core/legible-error.ts'
import type { JsonSchema } from './schema.ts'
import type { ArrayShape, EnumShape, ObjectShape, Shape, UnionShape } from './shape.ts'
import { shapeOf } from './shape-of.ts'

const object = (shape: Shape) => shape as ObjectShape
const field = (shape: Shape, name: string) => object(shape).fields.get(name)!

describe('scalars', () => {
  test.each([
    [{ type: 'string' }, { kind: 'string', exact: true }],
    [
      { type: 'boolean', description: 'Yes?' },
      { kind: 'boolean', description: 'Yes?', exact: true },
    ],
    [{ type: 'null' }, { kind: 'null', exact: true }],
    [
      { type: 'integer', default: 3 },
      { kind: 'number', integer: true, default: 3, exact: true },
    ],
    [
      { type: 'number', minimum: 0, maximum: 9, exclusiveMinimum: -1, exclusiveMaximum: 10, multipleOf: 2 },
      {
        kind: 'number',
        integer: false,
        min: 0,
        max: 9,
        exclusiveMin: -1,
        exclusiveMax: 10,
        multipleOf: 2,
        exact: true,
      },
    ],
    [
      { type: 'number', format: 'duration', minimum: 0 },
      { kind: 'duration', integer: false, min: 0, exact: true },
    ],
    [{}, { kind: 'any', exact: true }],
    [true, { kind: 'any', exact: true }],
    [false, { kind: 'any', exact: false }],
    [
      { title: 'Name', type: 'string', examples: ['Ada'] },
      { kind: 'string', name: 'Name', example: 'Ada', exact: true },
    ],
    [{ const: null }, { kind: 'null', exact: true }],
  ])('%j', (schema, shape) => expect(shapeOf(schema)).toEqual(shape))

  test('strings keep their format, bounds and pattern', () => {
    const shape = shapeOf({ type: 'string', format: 'email', minLength: 1, maxLength: 9, pattern: '^\\p{L}' })
    expect(shape).toMatchObject({ format: 'email', minLength: 1, maxLength: 9, exact: true })
    expect((shape as { pattern: RegExp }).pattern.flags).toBe('u')
    expect(shapeOf({ type: 'string', format: 'our-own' })).toEqual({
      kind: 'string',
      format: 'our-own',
      exact: true,
    })
  })

  test('a pattern with needless escapes is read, a broken one makes the shape inexact', () => {
    const escaped = shapeOf({ type: 'string', pattern: '^a\\_\\-b$' }) as { pattern: RegExp }
    expect(escaped.pattern.test('a_-b')).toBe(true)
    expect(escaped).toMatchObject({ exact: true })
    expect(shapeOf({ type: 'string', pattern: '^{a}$' })).toMatchObject({ pattern: /^{a}$/, exact: false })
    expect(shapeOf({ type: 'string', pattern: '(' })).toEqual({ kind: 'string', exact: false })
  })

  test('the type is guessed from keywords when it is missing', () => {
    expect(shapeOf({ properties: { a: {} } }).kind).toBe('object')
    expect(shapeOf({ items: { type: 'string' } }).kind).toBe('array')
    expect(shapeOf({ minLength: 1 }).kind).toBe('string')
    expect(shapeOf({ minimum: 1 }).kind).toBe('number')
    expect(shapeOf({ minimum: 1, minLength: 1 })).toEqual({ kind: 'any', exact: false })
  })
})

describe('enums', () => {
  test('from enum and const, with aliases and descriptions', () => {
    const shape = shapeOf({
      type: 'string',
      enum: ['SPAM', 'HAM'],
      'x-alias': { SPAM: ['junk', 'trash'], HAM: 'fine' },
      'x-enum-descriptions': { SPAM: 'unwanted' },
    })
    expect(shape).toEqual({
      kind: 'enum',
      members: [
        { value: 'SPAM', description: 'unwanted', aliases: ['junk', 'trash'] },
        { value: 'HAM', aliases: ['fine'] },
      ],
      exact: true,
    })
    expect(shapeOf({ const: 5 })).toEqual({ kind: 'enum', members: [{ value: 5, aliases: [] }], exact: true })
  })

  test('descriptions may stand in the order of the members', () => {
    const shape = shapeOf({ enum: ['a', 'b'], enumDescriptions: ['first', 'second'] }) as EnumShape
    expect(shape.members.map((member) => member.description)).toEqual(['first', 'second'])
  })

  test.each(['anyOf', 'oneOf'])('from %s of constants', (choice) => {
    const shape = shapeOf({
      type: 'string',
      description: 'How urgent?',
      [choice]: [
        { const: 'now', description: 'Drop everything', 'x-alias': 'asap' },
        { const: 'later', title: 'Some day' },
      ],
    })
    expect(shape).toEqual({
      kind: 'enum',
      description: 'How urgent?',
      members: [
        { value: 'now', description: 'Drop everything', aliases: ['asap'] },
        { value: 'later', description: 'Some day', aliases: [] },
      ],
      exact: true,
    })
  })

  test('members of another type than the schema are left out; other values are any', () => {
    expect((shapeOf({ type: 'string', enum: ['a', 1] }) as EnumShape).members).toHaveLength(1)
    expect(shapeOf({ enum: [['a'], { b: 1 }] })).toEqual({ kind: 'any', exact: false })
    expect(shapeOf({ enum: ['a', null] })).toMatchObject({ kind: 'enum', exact: true })
    expect(shapeOf({ oneOf: [{ const: 1 }, { const: 1 }] })).toMatchObject({ kind: 'enum', exact: false })
  })
})

describe('objects', () => {
  const shape = shapeOf({
    type: 'object',
    properties: {
      city: { type: 'string', 'x-alias': ['town', 'place'], 'x-stream': 'done' },
      note: { anyOf: [{ type: 'string', 'x-alias': 'remark' }, { type: 'null' }] },
      place: { type: 'string', 'x-stream': 'sometimes' },
    },
    required: ['city', 'extra'],
  })

  test('fields, requirements, aliases and wishes', () => {
    expect([...object(shape).fields.keys()]).toEqual(['city', 'note', 'place', 'extra'])
    // `place` is a field of its own, so it cannot also mean another one.
    expect(field(shape, 'city')).toMatchObject({ required: true, aliases: ['town'], stream: 'done' })
    expect(field(shape, 'note')).toMatchObject({ required: false, aliases: ['remark'], stream: undefined })
    expect(field(shape, 'place').stream).toBeUndefined()
    expect(field(shape, 'extra')).toMatchObject({ shape: { kind: 'any' }, required: true })
    expect(object(shape).required).toBe(2)
  })

  test('additional properties', () => {
    expect(object(shape).additional).toEqual({ kind: 'any', exact: true })
    expect(object(shapeOf({ type: 'object', additionalProperties: false })).additional).toBe(false)
    const record = object(shapeOf({ type: 'object', additionalProperties: { type: 'number' } }))
    expect(record.additional).toMatchObject({ kind: 'number' })
  })

  test('property names that are listed are fields', () => {
    const listed = object(
      shapeOf({
        type: 'object',
        propertyNames: { enum: ['a', 'b'] },
        additionalProperties: { type: 'number' },
        required: ['a'],
      }),
    )
    expect([...listed.fields]).toMatchObject([
      ['a', { required: true, shape: { kind: 'number' } }],
      ['b', { required: false }],
    ])
    expect(listed).toMatchObject({ additional: false, exact: true })
  })

  test('a property may be called anything', () => {
    const schema = JSON.parse(
      '{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}}}',
    )
    expect([...object(shapeOf(schema)).fields.keys()]).toEqual(['__proto__', 'constructor'])
  })
})

describe('arrays', () => {
  const array = (schema: object) => shapeOf({ type: 'array', ...schema }) as ArrayShape

  test('items and bounds', () => {
    expect(array({ items: { type: 'string' }, minItems: 1, maxItems: 3 })).toEqual({
      kind: 'array',
      items: { kind: 'string', exact: true },
      prefix: [],
      minItems: 1,
      maxItems: 3,
      exact: true,
    })
    expect(array({}).items).toMatchObject({ kind: 'any' })
    expect(array({ items: false }).items).toBe(false)
  })

  test('tuples of both drafts', () => {
    const tuple = [{ type: 'string' }, { type: 'number' }]
    for (const schema of [
      { prefixItems: tuple, items: false },
      { items: tuple, additionalItems: false, $schema: 'http://json-schema.org/draft-07/schema#' },
    ])
      expect(array(schema)).toMatchObject({
        prefix: [{ kind: 'string' }, { kind: 'number' }],
        items: false,
        exact: true,
      })
    expect(array({ items: tuple, additionalItems: { type: 'null' } }).items).toMatchObject({ kind: 'null' })
  })
})

describe('unions', () => {
  const kinds = (schema: JsonSchema) =>
    (shapeOf(schema) as UnionShape).variants.map((variant) => variant.kind)

  test('from anyOf, oneOf, lists of types and nullable', () => {
    expect(kinds({ anyOf: [{ type: 'string' }, { type: 'number' }] })).toEqual(['string', 'number'])
    expect(kinds({ type: ['string', 'null'], minLength: 1 })).toEqual(['string', 'null'])
    expect(kinds({ type: 'string', nullable: true })).toEqual(['string', 'null'])
    expect(kinds({ $ref: '#/$defs/a', nullable: true, $defs: { a: { type: 'object' } } })).toEqual([
      'object',
      'null',
    ])
    expect(kinds({ anyOf: [{ type: 'string' }], nullable: true })).toEqual(['string', 'null'])
    expect(shapeOf({ type: 'string', enum: ['a'], nullable: true })).toMatchObject({
      members: [{ value: 'a' }, { value: null }],
    })
    expect(shapeOf({ type: ['string'] }).kind).toBe('string')
  })

  test('a union of one is that one', () => {
    expect(shapeOf({ description: 'outer', anyOf: [{ type: 'string', description: 'inner' }] })).toEqual({
      kind: 'string',
      description: 'outer',
      exact: true,
    })
  })

  test('oneOf is exact only when no value can fit two', () => {
    const tagged = (tag: string) => ({
      type: 'object',
      properties: { tag: { const: tag } },
      required: ['tag'],
    })
    expect(shapeOf({ oneOf: [tagged('a'), tagged('b')] }).exact).toBe(true)
    expect(shapeOf({ oneOf: [tagged('a'), tagged('a')] }).exact).toBe(false)
    expect(shapeOf({ oneOf: [{ type: 'string' }, { type: 'number' }] }).exact).toBe(true)
    expect(shapeOf({ oneOf: [{ type: 'integer' }, { type: 'number' }] }).exact).toBe(false)
    expect(shapeOf({ oneOf: [{ minLength: 1 }, { minimum: 1 }] }).exact).toBe(false)
    expect(shapeOf({ type: 'object', oneOf: [tagged('a'), tagged('b')] }).exact).toBe(true)
  })

  test('properties beside variants belong to each of them', () => {
    const shape = shapeOf({
      type: 'object',
      properties: { id: { type: 'string' } },
      oneOf: [{ properties: { a: { type: 'string' } } }, { properties: { b: { type: 'string' } } }],
    }) as UnionShape
    expect(shape.variants.map((variant) => [...object(variant).fields.keys()])).toEqual([
      ['id', 'a'],
      ['id', 'b'],
    ])
    expect(shape.exact).toBe(false)
    const either = shapeOf({
      properties: { a: {}, b: {} },
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
    })
    expect(either).toMatchObject({ kind: 'object', exact: false })
  })
})

describe('references', () => {
  test.each(['$defs', 'definitions'])('to %s, with words of their own', (place) => {
    const shape = shapeOf({
      type: 'object',
      properties: {
        home: { $ref: `#/${place}/postal~1address`, description: 'Where they live' },
        work: { allOf: [{ $ref: `#/${place}/postal~1address` }], default: null },
      },
      [place]: { 'postal/address': { type: 'object', description: 'An address', properties: { zip: {} } } },
    })
    expect(field(shape, 'home').shape).toMatchObject({
      kind: 'object',
      description: 'Where they live',
      exact: true,
    })
    expect(field(shape, 'work').shape).toMatchObject({
      description: 'An address',
      default: null,
      exact: true,
    })
    expect(object(field(shape, 'home').shape).fields.has('zip')).toBe(true)
    expect(field(shape, 'work').shape.name).toBe('postal/address')
  })

  test('by $id and $anchor', () => {
    const $defs = {
      a: { $id: 'https://example.com/a', type: 'string' },
      b: { $anchor: 'bee', type: 'number' },
    }
    expect(shapeOf({ $ref: 'https://example.com/a', $defs }).kind).toBe('string')
    expect(shapeOf({ $ref: '#bee', $defs }).kind).toBe('number')
  })

  test('a shape may contain itself', () => {
    const shape = shapeOf({
      type: 'object',
      properties: {
        value: { type: 'number' },
        children: { type: 'array', items: { $ref: '#' } },
        parent: { $ref: '#', description: 'Above' },
      },
    })
    const children = field(shape, 'children').shape as ArrayShape
    expect(children.items).toBe(shape)
    expect(object(field(shape, 'parent').shape).fields).toBe(object(shape).fields)
    expect(shape.exact).toBe(true)
  })

  test('one inexact part makes everything above it inexact, around cycles too', () => {
    const shape = shapeOf({
      $ref: '#/$defs/a',
      $defs: {
        a: { type: 'object', properties: { b: { $ref: '#/$defs/b' } } },
        b: {
          type: 'object',
          properties: { a: { $ref: '#/$defs/a' }, odd: { type: 'string', not: { const: 'x' } } },
        },
        c: { type: 'string' },
      },
    })
    expect(shape.exact).toBe(false)
    expect(field(shape, 'b').shape.exact).toBe(false)
  })

  test('beside a $ref, keywords count since 2019-09 and not before', () => {
    const schema = {
      $ref: '#/$defs/a',
      required: ['b'],
      $defs: { a: { type: 'object', properties: { a: {} } } },
    }
    expect([...object(shapeOf(schema)).fields.keys()]).toEqual(['a', 'b'])
    const old = { ...schema, $schema: 'http://json-schema.org/draft-07/schema#' }
    expect([...object(shapeOf(old)).fields.keys()]).toEqual(['a'])
  })

  test('allOf merges objects', () => {
    const shape = shapeOf({
      description: 'A dog',
      allOf: [
        { $ref: '#/$defs/animal' },
        { type: 'object', properties: { barks: { type: 'boolean' } }, required: ['barks'] },
      ],
      $defs: {
        animal: {
          type: 'object',
          description: 'An animal',
          properties: { name: { type: 'string' } },
          required: ['name'],
        },
      },
    })
    expect(shape).toMatchObject({ kind: 'object', description: 'A dog', required: 2, exact: true })
    expect([...object(shape).fields.keys()]).toEqual(['name', 'barks'])
    const clash = shapeOf({
      allOf: [{ properties: { a: { type: 'string' } } }, { properties: { a: { const: 'x' } } }],
    })
    expect(field(clash, 'a').shape.kind).toBe('enum')
    expect(clash.exact).toBe(false)
    expect(shapeOf({ type: 'string', allOf: [{ pattern: 'a' }, { pattern: 'b' }] })).toMatchObject({
      kind: 'string',
      exact: false,
    })
    expect(shapeOf({ type: 'number', allOf: [{ type: 'integer' }] })).toMatchObject({ integer: true })
  })
})

test.each([
  ['not', {}],
  ['if', {}],
  ['dependentRequired', { a: ['b'] }],
  ['dependentSchemas', { a: {} }],
  ['dependencies', { a: ['b'] }],
  ['patternProperties', { '^a': {} }],
  ['unevaluatedProperties', false],
  ['propertyNames', { minLength: 2 }],
  ['minProperties', 1],
  ['maxProperties', 1],
  ['contains', {}],
  ['unevaluatedItems', false],
  ['uniqueItems', true],
  ['exclusiveMinimum', true],
  ['$dynamicRef', '#x'],
])('%s is more than a shape can say', (keyword, value) => {
  const type = keyword === 'exclusiveMinimum' ? 'number' : 'object'
  expect(shapeOf({ type, [keyword]: value })).toMatchObject({ kind: type, exact: false })
})

test('annotations restrict nothing', () => {
  const notes = {
    $comment: 'x',
    readOnly: true,
    deprecated: true,
    'x-own': {},
    uniqueItems: false,
    contentEncoding: 'base64',
  }
  expect(shapeOf({ type: 'string', ...notes }).exact).toBe(true)
})

describe('broken schemas', () => {
  const cyclic: Record<string, unknown> = { type: 'object' }
  cyclic.properties = { self: cyclic }

  test.each([
    ['null', null, /this is null/],
    ['a text', 'string', /this is string/],
    ['a list', [], /this is an array/],
    ['a $ref to nowhere', { $ref: '#/$defs/gone' }, /"#\/\$defs\/gone" leads nowhere/],
    ['a $ref to what is inherited', { $ref: '#/constructor' }, /leads nowhere/],
    ['a $ref to another file', { $ref: 'other.json' }, /"other.json" leads nowhere/],
    ['a $ref to itself', { $ref: '#' }, /leads back to itself/],
    ['a $ref to itself in a union', { anyOf: [{ type: 'string' }, { $ref: '#' }] }, /leads back to itself/],
    ['a $ref to itself in allOf', { allOf: [{ type: 'object' }, { $ref: '#' }] }, /leads back to itself/],
    [
      'two that refer to each other',
      { $ref: '#/$defs/a', $defs: { a: { $ref: '#/$defs/b', description: 'x' }, b: { $ref: '#/$defs/a' } } },
      /leads back to itself/,
    ],
    [
      'a property that is no schema',
      { properties: { a: 'string' } },
      /at #\/properties\/a: expected a schema, got "string"/,
    ],
    ['anyOf that is no list', { anyOf: {} }, /#\/anyOf: expected a list/],
    ['properties that are a list', { properties: [] }, /expected schemas by name/],
    ['required that is no list', { required: 'a' }, /#\/required: expected a list/],
    ['an unknown type', { type: 'text' }, /there is no type "text"/],
    ['a bad name pattern', { patternProperties: { '(': {} } }, /"\(" is not a regular expression/],
    ['a schema within itself', cyclic, /nests more than 200/],
  ])('%s', (_, schema, message) => {
    expect(() => shapeOf(schema as never)).toThrow(message)
    expect(() => shapeOf(schema as never)).toThrow(LegibleError)
  })

  test('a long chain and a wide schema take no time', () => {
    const $defs: Record<string, object> = { d0: { type: 'string', not: {} } }
    for (let index = 1; index < 2000; index++)
      $defs[`d${index}`] = { type: 'object', properties: { next: { $ref: `#/$defs/d${index - 1}` } } }
    expect(shapeOf({ $ref: '#/$defs/d200', $defs }).exact).toBe(false)
    expect(() => shapeOf({ $ref: '#/$defs/d1999', $defs })).toThrow(/nests more than 500/)
    const wide = Object.fromEntries(
      Array.from({ length: 5000 }, (_, index) => [`p${index}`, { type: 'string' }]),
    )
    expect(object(shapeOf({ type: 'object', properties: wide })).fields.size).toBe(5000)
  })
})
