import { Validator } from '@cfworker/json-schema'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { compileSchema } from './compile-schema.ts'
import { fits } from './fits.ts'
import { shapeOf } from './shape-of.ts'

type Json = Record<string, unknown>

const names = fc.constantFrom('a', 'b', 'c', 'toString', '__proto__')
const small = fc.integer({ min: 0, max: 4 })
const texts = fc.oneof(
  fc.constantFrom(
    '',
    'a',
    'ab',
    'abc',
    'x-1',
    '😀',
    '😀😀',
    '2026-01-20',
    '2026-02-30',
    'a@b.co',
    '\ud800',
    'ABC-123',
  ),
  fc.string({ maxLength: 5 }),
)
const numbers = fc.oneof(
  fc.integer({ min: -6, max: 12 }),
  fc.constantFrom(0.5, 1.5, 0.1, 0.3, -0, 1e21, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY),
)

function optional(keywords: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<Json> {
  return fc.record(keywords, { requiredKeys: [] })
}

const schemas: fc.Memo<unknown> = fc.memo((depth) => {
  const leaf = fc.oneof(
    fc.boolean(),
    fc.constant({}),
    optional({
      type: fc.constant('string'),
      minLength: small,
      maxLength: small,
      pattern: fc.constantFrom('^a', 'b$', '^[a-z]+$', '^.$', '\\_', '(', '^{a}$'),
      format: fc.constantFrom('date', 'email', 'uuid', 'date-time', 'unheard-of', '__proto__'),
    }),
    optional({
      type: fc.constantFrom('number', 'integer'),
      minimum: small,
      maximum: small,
      exclusiveMinimum: small,
      exclusiveMaximum: small,
      multipleOf: fc.constantFrom(1, 2, 3, 0.1, 0.5),
      format: fc.constant('duration'),
    }),
    fc.record({
      type: fc.constantFrom('boolean', 'null', ['string', 'null'], ['integer', 'object'], ['array']),
    }),
    fc.record({
      enum: fc.array(fc.oneof(texts, numbers, fc.boolean(), fc.constant(null)), { minLength: 1 }),
    }),
    fc.record({ const: fc.oneof(texts, fc.constantFrom(1, null, true, [1], { a: 1 })) }),
    fc.record({ type: fc.constant('string'), nullable: fc.constant(true), enum: fc.constant(['a', 'b']) }),
    fc.constant({ $ref: '#/$defs/again' }),
    fc.constant({ const: 'a', enum: ['b'] }),
  )
  if (depth <= 1) return leaf
  const deeper = schemas(depth - 1)
  return fc.oneof(
    leaf,
    optional({
      type: fc.constant('object'),
      properties: fc.dictionary(names, deeper, { maxKeys: 3 }),
      required: fc.uniqueArray(names, { maxLength: 2 }),
      additionalProperties: deeper,
      propertyNames: fc.constantFrom(true, {}, { type: 'string' }, { enum: ['a', 'b'] }, { minLength: 2 }),
      minProperties: small,
    }),
    optional({
      type: fc.constant('array'),
      items: fc.oneof(deeper, fc.array(deeper, { maxLength: 2 })),
      prefixItems: fc.array(deeper, { maxLength: 2 }),
      additionalItems: deeper,
      minItems: small,
      maxItems: small,
      uniqueItems: fc.boolean(),
    }),
    fc.record({ anyOf: fc.array(deeper, { minLength: 1, maxLength: 3 }) }),
    fc.record({ oneOf: fc.array(deeper, { minLength: 1, maxLength: 3 }) }),
    fc.record(
      { allOf: fc.array(deeper, { minLength: 1, maxLength: 2 }), type: fc.constant('object') },
      { requiredKeys: ['allOf'] },
    ),
    fc.record({ not: deeper }),
    fc.record({ type: fc.constant('object'), oneOf: fc.array(deeper, { minLength: 1, maxLength: 2 }) }),
    fc.record({
      $ref: fc.constant('#/$defs/again'),
      type: fc.constant('object'),
      required: fc.constant(['b']),
    }),
  )
})

const values: fc.Memo<unknown> = fc.memo((depth) => {
  const leaf = fc.oneof(texts, numbers, fc.boolean(), fc.constant(null))
  if (depth <= 1) return leaf
  const deeper = values(depth - 1)
  return fc.oneof(
    leaf,
    fc.array(deeper, { maxLength: 4 }),
    fc.dictionary(names, deeper, { maxKeys: 4 }).map((value) => Object.fromEntries(Object.entries(value))),
  )
})

/** Values that are near to a schema: what its words suggest, with a slip now and then. */
function near(schema: unknown, root: Json, depth = 4): fc.Arbitrary<unknown> {
  if (typeof schema !== 'object' || schema === null || depth === 0) return values(2)
  const node = schema as Record<string, never>
  const pick = (list: unknown[]) => fc.constantFrom(...list)
  const slip = (arbitrary: fc.Arbitrary<unknown>) =>
    fc.oneof({ weight: 9, arbitrary }, { weight: 1, arbitrary: values(2) })
  if (node.$ref) return near((root.$defs as Json).again, root, depth - 1)
  if (node.enum) return slip(pick(node.enum))
  if ('const' in node) return slip(fc.constant(node.const))
  const choices = (node.anyOf ?? node.oneOf ?? node.allOf) as unknown[] | undefined
  if (choices) return fc.oneof(...choices.map((choice) => near(choice, root, depth - 1)))
  const type = ([] as unknown[]).concat(
    node.type ?? (node.properties ? 'object' : node.items ? 'array' : []),
  )[0]
  if (type === 'string') return slip(texts)
  if (type === 'number' || type === 'integer') return slip(numbers)
  if (type === 'array') {
    const { prefixItems, items } = node as Json
    const first = (Array.isArray(items) ? items : ((prefixItems ?? []) as unknown[])).map((item) =>
      near(item, root, depth - 1),
    )
    const rest = fc.array(near(Array.isArray(items) ? node.additionalItems : items, root, depth - 1), {
      maxLength: 3,
    })
    return slip(fc.tuple(fc.tuple(...first), rest).map(([one, more]) => [...one, ...more]))
  }
  if (type === 'object') {
    const properties = Object.entries((node.properties ?? {}) as Json)
    const fields = fc.tuple(
      ...properties.map(([, property]) =>
        fc.option(near(property, root, depth - 1), { nil: 'left out', freq: 8 }),
      ),
    )
    return slip(
      fc
        .tuple(fields, fc.dictionary(names, near(node.additionalProperties, root, depth - 1), { maxKeys: 1 }))
        .map(([parts, more]) =>
          Object.fromEntries([
            ...Object.entries(more),
            ...properties
              .map(([name], index) => [name, parts[index]])
              .filter(([, part]) => part !== 'left out'),
          ]),
        ),
    )
  }
  return values(2)
}

describe('fits', () => {
  test('never accepts what the validator refuses', () => {
    let fitting = 0
    const schemaAndValue = fc
      .record({ schema: schemas(3), again: schemas(2), draft7: fc.boolean() })
      .map(({ schema, again, draft7 }) => ({
        ...(typeof schema === 'object' ? schema : { anyOf: [schema] }),
        $defs: { again },
        ...(draft7 && { $schema: 'http://json-schema.org/draft-07/schema#' }),
      }))
      .chain((schema) => fc.tuple(fc.constant(schema as Json), near(schema, schema as Json)))
    fc.assert(
      fc.property(schemaAndValue, ([schema, value]) => {
        let compiled: ReturnType<typeof compileSchema>
        try {
          compiled = compileSchema(schema)
        } catch (error) {
          // Only a schema that refers to itself without end may be refused here.
          expect(String(error)).toMatch(/leads back to itself/)
          return
        }
        if (!fits(value, compiled.shape)) return
        fitting++
        expect(compiled.validate(value)).toEqual({ ok: true, value })
      }),
      { numRuns: 6000 },
    )
    // The property is worth nothing if nothing ever fits.
    expect(fitting).toBeGreaterThan(200)
  })

  test('accepts what an exact schema accepts, and refuses the rest', () => {
    const schema = {
      type: 'object',
      properties: {
        id: { type: 'integer', minimum: 1 },
        name: { type: 'string', minLength: 2, maxLength: 3 },
        tags: { type: 'array', items: { enum: ['x', 'y'] }, minItems: 1, maxItems: 2 },
        pair: { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }], items: false },
        next: { anyOf: [{ $ref: '#' }, { type: 'null' }] },
        even: { type: 'integer', multipleOf: 2 },
        day: { type: 'string', format: 'date' },
      },
      required: ['id', 'name'],
      additionalProperties: false,
    }
    const { shape, exact } = compileSchema(schema)
    expect(exact).toBe(true)
    const base = { id: 1, name: 'abc' }
    const good = [
      base,
      { ...base, tags: ['x', 'y'] },
      { ...base, pair: ['a', 1.5] },
      { ...base, pair: [] },
      { ...base, next: { ...base, next: null } },
      { ...base, even: 4, day: '2026-01-20' },
      { name: '😀😀😀', id: 1 },
    ]
    const bad = [
      null,
      [],
      { id: 1 },
      { ...base, id: 0 },
      { ...base, id: 1.5 },
      { ...base, name: 'a' },
      { ...base, name: '😀' },
      { ...base, name: 'abcd' },
      { ...base, tags: [] },
      { ...base, tags: ['x', 'z'] },
      { ...base, tags: ['x', 'x', 'x'] },
      { ...base, pair: ['a', 1, 2] },
      { ...base, next: { id: 1 } },
      { ...base, even: 3 },
      { ...base, day: '2026-02-30' },
      { ...base, more: 1 },
      { ...base, id: undefined },
    ]
    for (const value of good) expect(fits(value, shape), JSON.stringify(value)).toBe(true)
    for (const value of bad) expect(fits(value, shape), JSON.stringify(value)).toBe(false)
  })

  test('takes JavaScript values where the shape has them', () => {
    const shape = shapeOf(z.object({ seen: z.date(), size: z.bigint() }))
    expect(fits({ seen: new Date(0), size: 5n }, shape)).toBe(true)
    expect(fits({ seen: new Date(Number.NaN), size: 5n }, shape)).toBe(false)
    expect(fits({ seen: '2026-01-20', size: 5n }, shape)).toBe(false)
    expect(fits({ seen: new Date(0), size: 5 }, shape)).toBe(false)
  })

  test('is certain only where binary fractions are', () => {
    const shape = shapeOf({ type: 'number', multipleOf: 0.1 })
    expect(fits(0.3, shape)).toBe(false)
    expect(compileSchema({ type: 'number', multipleOf: 0.1 }).validate(0.3).ok).toBe(true)
  })

  test('does not take an inherited property for a required one', () => {
    const schema = { type: 'object', properties: { toString: {} }, required: ['toString'] }
    expect(fits({}, shapeOf(schema))).toBe(false)
    expect(fits({ toString: 1 }, shapeOf(schema))).toBe(true)
    expect(new Validator(structuredClone(schema) as Json, '2020-12').validate({}).valid).toBe(false)
  })
})
