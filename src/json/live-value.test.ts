import { describe, expect, it } from 'vitest'
import type { Schema } from '../schema/schema.ts'
import { createJsonReader } from './create-json-reader.ts'
import type { JsonChange } from './live-value.ts'

/** What is shown after each chunk. The chunks are parted by ¦. */
function shown(text: string, schema?: Schema): unknown[] {
  const reader = createJsonReader(schema as Schema)
  return text.split('¦').map((chunk) => {
    reader.push(chunk)
    return structuredClone(reader.value)
  })
}

function changes(text: string, schema?: Schema): string[] {
  const list: string[] = []
  const said = ({ path, ...change }: JsonChange) =>
    `${path.join('.') || '.'} ${change.kind === 'append' ? `+${change.text}` : JSON.stringify(change.value)}`
  const reader = createJsonReader(schema as Schema, { onChange: (change) => void list.push(said(change)) })
  for (const chunk of text.split('¦')) reader.push(chunk)
  return list
}

const object = (properties: Record<string, unknown>) => ({ type: 'object', properties })
const string = { type: 'string' }
const number = { type: 'number' }

describe('the live value', () => {
  it('shows texts while they grow, and all else when it is whole', () => {
    expect(shown('{"a": "x¦y", "n": 1¦2, "ok": tr¦ue}', object({ a: string, n: number }))).toEqual([
      { a: 'x' },
      { a: 'xy' },
      { a: 'xy', n: 12 },
      { a: 'xy', n: 12, ok: true },
    ])
  })

  it('shows members as the schema wants them: by their names, and converted', () => {
    const schema = object({ unitPrice: { ...number, 'x-alias': ['cost'] }, size: { enum: ['S', 'M'] } })
    expect(shown('{"cost": "€ 3.50", "Size": ¦"m¦"}', schema)).toEqual([
      { unitPrice: 3.5 },
      { unitPrice: 3.5 },
      { unitPrice: 3.5, size: 'M' },
    ])
    expect(shown('{"unit_price": 1, ', schema)[0]).toEqual({ unitPrice: 1 })
  })

  it('shows no half of a date or of an enum member', () => {
    const schema = object({ day: { type: 'string', format: 'date' }, size: { enum: ['S', 'M'] } })
    expect(shown('{"day": "2026-01¦-20", "size": "S¦"}', schema)).toEqual([
      {},
      { day: '2026-01-20' },
      { day: '2026-01-20', size: 'S' },
    ])
  })

  it('shows what a union is once that is read', () => {
    const schema = object({
      who: {
        anyOf: [
          { ...object({ kind: { const: 'a' }, n: number }), required: ['kind', 'n'] },
          { ...object({ kind: { const: 'b' }, n: string }), required: ['kind', 'n'] },
        ],
      },
    })
    expect(shown('{"who": {"kind": "b", "n": 7, ¦}¦}', schema)).toEqual([
      { who: { kind: 'b', n: 7 } },
      { who: { kind: 'b', n: '7' } },
      { who: { kind: 'b', n: '7' } },
    ])
  })

  it('goes from the draft to the final value', () => {
    expect(shown('Draft: {"a": 1}.¦ Final: {¦"a": 2}', object({ a: number }))).toEqual([
      { a: 1 },
      { a: 1 },
      { a: 2 },
    ])
  })

  it('does not show reasoning', () => {
    expect(shown('<think>{"a": 1}¦ no</think> {"a":¦ 2}', object({ a: number }))).toEqual([
      undefined,
      {},
      { a: 2 },
    ])
  })

  it('takes back what turned out to be no value', () => {
    expect(shown('x {"a": 1}, in {b: 1, ¦)', object({ a: number }))).toEqual([{ b: 1 }, { a: 1 }])
  })

  it('is not fooled by keys that objects have anyway', () => {
    const [value] = shown('{"__proto__": {"x": 1}}', object({ a: number })) as [object]
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype)
    expect(Object.keys(value)).toEqual(['__proto__'])
  })
})

describe('a field that wishes', () => {
  it('to be done is shown whole', () => {
    const schema = object({ a: { ...string, 'x-stream': 'done' }, l: { type: 'array', 'x-stream': 'done' } })
    expect(shown('{"a": "x¦y", "l": [1,¦ 2]¦}', schema)).toEqual([
      {},
      { a: 'xy' },
      { a: 'xy', l: [1, 2] },
      { a: 'xy', l: [1, 2] },
    ])
  })

  it('to be not null hides the object around it until it is there', () => {
    const schema = { type: 'array', items: object({ id: { ...string, 'x-stream': 'not-null' }, n: number }) }
    expect(shown('[{"n": 1, ¦"id": "a¦", "n": ¦2}, {"id": null}', schema)).toEqual([
      [],
      [],
      [{ n: 1, id: 'a' }],
      // The second one will not get its id any more.
      [{ n: 2, id: 'a' }, {}],
    ])
  })

  it('to have its state has it', () => {
    expect(shown('{"a": "x¦y"¦}', object({ a: { ...string, 'x-stream': 'state' } }))).toEqual([
      { a: { value: 'x', state: 'incomplete' } },
      { a: { value: 'x', state: 'incomplete' } },
      { a: { value: 'xy', state: 'complete' } },
    ])
  })
})

describe('changes', () => {
  it('append to texts and set all else', () => {
    expect(changes('{"a": "x¦y", "l": [1,¦ {}]}', object({ a: string }))).toEqual([
      '. {}',
      'a "x"',
      'a +y',
      'a "xy"',
      'l []',
      'l.0 1',
      'l.1 {}',
      'l.1 {}',
      'l [1,{}]',
      '. {"a":"xy","l":[1,{}]}',
    ])
  })

  it('come at once when a hidden object is shown', () => {
    const schema = object({ id: { ...number, 'x-stream': 'not-null' }, a: string })
    expect(changes('{"a": "x", "id": 1, "b": 2}', schema)).toEqual([
      '. {"a":"x","id":1}',
      'b 2',
      '. {"a":"x","id":1,"b":2}',
    ])
  })

  it('do not tell of reasoning', () => {
    expect(changes('<think>{"a": 1}</think>')).toEqual([])
  })
})
