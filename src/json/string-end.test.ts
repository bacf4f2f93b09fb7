import { describe, expect, it } from 'vitest'
import { afterComma, ELEMENT, END, INNER, KEY, MEMBER, type Place, stringEnd, WAIT } from './string-end.ts'

const names = ['end', 'inner', 'wait']

/** The verdict on the quote that ‸ stands behind. */
function verdict(sample: string, place: Place, ending = false, inArray = place === ELEMENT, inObject = true) {
  const at = sample.indexOf('‸')
  const text = sample.replace('‸', '')
  return names[stringEnd(text, at, place, inArray, inObject, ending)]
}

describe('stringEnd', () => {
  it.each([
    ['{"a": "x"‸}', 'end'],
    ['{"a": "x"‸, "b": 1}', 'end'],
    ['{"a": "x"‸, b: 1}', 'end'],
    ['{"a": "x"‸, first name: "y"}', 'end'],
    ['{"a": "x"‸\n"b": 1}', 'end'],
    ['{"a": "x"‸ // note', 'end'],
    ['{"a": "x"‸ + "y"}', 'end'],
    ['{"a": "x"‸; "b": 1}', 'end'],
    ['{"a": "he said "‸hello" to me"}', 'inner'],
    ['{"a": "he said "hello"‸ to me"}', 'inner'],
    ['{"a": "the "x"‸, and y", "b": 1}', 'inner'],
    ['{"a": "the "x"‸: and y"}', 'inner'],
    ['{"a": "27"‸", "b": 1}', 'inner'],
    ['{"a": "f("x"‸);"}', 'inner'],
  ])('of a member: %s %s', (sample, expected) => {
    expect(verdict(sample, MEMBER)).toBe(expected)
  })

  it.each([
    ['["x"‸]', 'end'],
    ['["x"‸, "y"]', 'end'],
    ['["x"‸, true]', 'end'],
    ['["x"‸\n{"a": 1}]', 'end'],
    ['["x"‸ "y"]', 'end'],
    ['["so "x"‸, then y"]', 'inner'],
    ['["x"‸ y"]', 'inner'],
  ])('of an element: %s %s', (sample, expected) => {
    expect(verdict(sample, ELEMENT)).toBe(expected)
  })

  it.each([
    ['{"a"‸: 1}', 'end'],
    ['{"a"‸ = 1}', 'end'],
    ['{"a"‸ "x"}', 'end'],
    ['{"the "real"‸ name": 1}', 'inner'],
  ])('of a key: %s %s', (sample, expected) => {
    expect(verdict(sample, KEY)).toBe(expected)
  })

  it('waits for what decides, and decides when nothing more will come', () => {
    for (const sample of ['{"a": "x"‸', '{"a": "x"‸,', '{"a": "x"‸, "b', '{"a": "x"‸, "b"', '{"a": "x"‸ /'])
      expect([verdict(sample, MEMBER), verdict(sample, MEMBER, true)]).toEqual(['wait', 'end'])
  })

  it('does not wait for ever', () => {
    expect(verdict(`{"a": "x"‸${' '.repeat(200)}`, MEMBER)).toBe('end')
    expect(verdict(`{"a": "x"‸, "${'b'.repeat(200)}`, MEMBER)).toBe('end')
  })

  it('takes a closer only for what is open', () => {
    expect(verdict('{"a": "f(x["1"‸]) and on"}', MEMBER)).toBe('inner')
    expect(verdict('[{"a": "x"‸]', MEMBER, false, true)).toBe('end')
  })
})

describe('afterComma', () => {
  it.each([
    [' "b": 1', MEMBER, END],
    [' and so on: more', MEMBER, INNER],
    [' and so', MEMBER, WAIT],
    [' "b"', ELEMENT, END],
    [' red]', ELEMENT, END],
    [' red or blue', ELEMENT, INNER],
  ] as const)('%j in %i: %i', (text, place, expected) => {
    expect(afterComma(text, 0, place, false)).toBe(expected)
  })
})
