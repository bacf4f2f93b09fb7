import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { describeSchema } from '../../schema/describe-schema.ts'
import { exampleOf } from '../../schema/example-of.ts'
import { readTypeText } from './read-type-text.ts'

interface Node {
  value: string
  next?: Node | undefined
}
const node: z.ZodType<Node> = z.object({
  value: z.string(),
  get next() {
    return node.optional()
  },
})

describe('readTypeText', () => {
  it('reads back what describeSchema writes', () => {
    const schema = z.object({
      name: z.string().min(2).max(5).describe('Of a person // not of a place'),
      age: z.number().int().gt(17).describe('more than 200 // no'),
      mood: z.enum(['good', 'so so']).optional(),
      tags: z.array(z.union([z.string(), z.number().max(-3)])).min(2),
      'odd key': z.boolean().nullable(),
      pair: z.tuple([z.literal(3), z.iso.date()]),
    })
    expect(readTypeText(describeSchema(schema))).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 2, maxLength: 5 },
        age: { type: 'integer', exclusiveMinimum: 17 },
        mood: { enum: ['good', 'so so'] },
        tags: expect.objectContaining({ type: 'array', minItems: 2 }),
        'odd key': { anyOf: [{ type: 'boolean' }, { type: 'null' }] },
        pair: expect.objectContaining({ type: 'array', minItems: 2 }),
      },
      required: ['name', 'age', 'tags', 'odd key', 'pair'],
    })
  })

  it('follows names, and not for ever', () => {
    const example = exampleOf(readTypeText(describeSchema(z.object({ first: node, second: node }))))
    expect(z.object({ first: node, second: node }).safeParse(example).success).toBe(true)
  })

  const texts = [
    '',
    '{',
    '{ a: ',
    '[[[',
    'a: b: c',
    '(((',
    '"x',
    '- 1 -',
    '['.repeat(90_000),
    '{ "a\\q": string }',
    '{ a: 1e999 | -- }',
  ]
  it.each(texts.map((text, i) => [i, text] as const))('takes anything: %i', (_, text) => {
    expect(() => exampleOf(readTypeText(`JSON of this type:\n${text}`))).not.toThrow()
  })
})
