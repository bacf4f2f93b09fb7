import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readJson } from '../../json/read-json.ts'
import type { Schema } from '../../schema/schema.ts'
import { splits } from '../../testing/splits.ts'
import { damage, damages } from '../rehearsal/damage.ts'
import { JsonAnswer } from './json-answer.ts'

const person: Schema = {
  type: 'object',
  properties: {
    name: { type: 'string' },
    age: { type: 'integer' },
    mood: { enum: ['good', 'bad'] },
    tags: { type: 'array', items: { type: 'string' } },
    home: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    pet: {
      anyOf: [
        { type: 'object', properties: { dog: { type: 'string' } }, required: ['dog'] },
        { type: 'object', properties: { cats: { type: 'integer' } }, required: ['cats'] },
      ],
    },
  },
  required: ['name'],
  additionalProperties: false,
}

function stream(chunks: readonly string[], schema: Schema | undefined, cut = false): string[] {
  const deltas: string[] = []
  const answer = new JsonAnswer({ schema, streams: true, limits: undefined }, (text) => deltas.push(text))
  for (const chunk of chunks) answer.push(chunk)
  answer.end(cut)
  return deltas
}

function whole(text: string, schema: Schema | undefined): string {
  let all = ''
  const answer = new JsonAnswer({ schema, streams: false, limits: undefined }, (text) => {
    all += text
  })
  answer.push(text)
  answer.end(false)
  return all
}

const texts = [
  '{"name": "Ada \\"L\\" 😀", "age": "36", "mood": "Good", "tags": ["a", "b"], "home": {"city": "Paris"}}',
  "```json\n{name: 'Ada', tags: 'one', pet: {cats: '3'}}\n```",
  'Here you are: {"name": "Ada", "pet": {"dog": "Rex"}, "other": 1} I hope it helps.',
  'A set {a, b} is no answer. {"name": "Ada"}',
  '{"name": "Ada", "age": 1}\nWait, that is wrong:\n{"name": "Grace", "age": 2}',
  '{"name": "Ada", "home": {"city": "Par',
  '{"Name": "Ada", "AGE": "not known"}',
  '{"name": null, "age": [1, 2]}',
  '<think>{"name": "no"}</think>{"name": "yes", "tags": []}',
  '{"name": "a", "name": "b"}',
  '{"name": "x", "tags": ["a", {"b": 1}, 3]}',
]

describe('JSON text while it arrives', () => {
  it.each(texts)('says what readJson says: %s', (text) => {
    const { value } = readJson(text, person)
    expect(JSON.parse(whole(text, person))).toEqual(value)
    for (const chunks of [[text], ...splits(text)])
      expect(JSON.parse(stream(chunks, person).join(''))).toEqual(value)
  })

  it('comes piece by piece', () => {
    const text = '{"name": "Ada Lovelace", "age": "36", "tags": ["first", "second"]}'
    const shown = stream(text.match(/.{1,8}/gs) ?? [], person).join('|')
    expect(shown).toBe('{"name":|"|Ada Lo|velace|"|,"age":|36|,"tags":|[|"|first|"|,|"|second|"|]|}')
  })

  it('holds what is not decided', () => {
    const shown = stream([...'{"name": "x", "pet": {"cats": "12"}, "age": 3}'], person).join('|')
    expect(shown).toBe('{"name":|"|x|"|,"pet":|{"cats":12}|,"age":|3|}')
  })

  it('cannot make one value of two, and does not try', () => {
    const text = '{"name": "Ada", "age": 1}\nBetter:\n{"name": "Grace"}'
    expect(stream([text], person).join('')).toBe('{"name":"Ada","age":1}\n{"name":"Grace"}')
    expect(whole(text, person)).toBe('{"name":"Grace"}')
  })

  it('is left open when the model was not done', () => {
    expect(stream(['{"name": "Ada", "home": {"city": "Par'], person, true).join('')).toBe(
      '{"name":"Ada","home":{"city":"Par',
    )
    expect(stream(['[{"name": "Ad'], person, true).join('')).toBe('[{"name": "Ad')
  })

  it('is the text itself when there is no JSON in it', () => {
    expect(stream(['I do ', 'not know.'], person).join('')).toBe('I do not know.')
    expect(stream(['Sunny.'], choice).join('')).toBe('{"result":"sunny"}')
  })

  it('needs no schema', () => {
    for (const text of [
      '{"a": [1, {"b": "c"}], "d": "e"}',
      '[1, 2]',
      'See {x}: {"a": 1}',
      '```\n{"a": 1}\n```',
    ])
      for (const chunks of [[text], ...splits(text)])
        expect(JSON.parse(stream(chunks, undefined).join(''))).toEqual(readJson(text).value)
  })

  it('says what readJson says, however a model may write it', () => {
    const values = fc.record(
      {
        name: fc.string(),
        age: fc.integer(),
        mood: fc.constantFrom('good', 'bad'),
        tags: fc.array(fc.string(), { maxLength: 3 }),
        home: fc.record({ city: fc.string({ unit: 'grapheme' }) }),
        pet: fc.oneof(fc.record({ dog: fc.string() }), fc.record({ cats: fc.integer() })),
      },
      { requiredKeys: ['name'] },
    )
    // Reasoning is taken away before.
    const ways = damages.filter((way) => way !== 'reasoning' && way !== 'truncation')
    fc.assert(
      fc.property(values, fc.subarray(ways), fc.nat(1000), (value, some, seed) => {
        const { text } = damage(value, { damages: some, seed })
        const read = readJson(text, person)
        // What fits no schema may be anything, also something that was not shown.
        if (!read.ok) return
        for (const chunks of splits(text, seed, 1))
          expect(JSON.parse(stream(chunks, person).join(''))).toEqual(read.value)
        const half = text.slice(0, text.length / 2)
        if (!readJson(half, person).complete)
          expect(() => JSON.parse(stream([half], person, true).join(''))).toThrow()
      }),
      { numRuns: 300 },
    )
  })

  it('never throws', () => {
    const bits = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      '"',
      "'",
      ',',
      ':',
      'name',
      'tags',
      'pet',
      '1',
      '\n',
      '```',
      '<think>',
      '</think>',
      '\\',
      ' a ',
    )
    fc.assert(
      fc.property(fc.array(bits, { maxLength: 40 }), (chunks) => {
        const { value } = readJson(chunks.join(''), person)
        const streamed = stream(chunks, person).join('')
        if (value !== undefined)
          expect(JSON.parse(streamed.split('}\n').at(-1) as string)).toEqual(
            JSON.parse(JSON.stringify(value)),
          )
      }),
      { numRuns: 3000 },
    )
  })
})

const choice: Schema = {
  type: 'object',
  properties: { result: { type: 'string', enum: ['sunny', 'rainy'] } },
  required: ['result'],
  additionalProperties: false,
}
