import { describe, expect, it } from 'vitest'
import { valueStart } from './value-start.ts'

describe('valueStart', () => {
  it.each([
    '{"a": 1}',
    '{}',
    '{a: 1}',
    "{'a'",
    '{ // c',
    '["a"',
    '[]',
    '[{',
    '[[',
    '[1, 2]',
    '[red, blue]',
    '[true] ',
  ])('in prose, %s is a value', (text) => {
    expect(valueStart(text, 0, false, false)).toBe(true)
  })

  it.each([
    '{name} and',
    '{ see below }',
    '[link](https://x)',
    '[see note',
    '[x or y]',
    '[ ... ]',
    '{, "a": 1}',
  ])('in prose, %s is none', (text) => {
    expect(valueStart(text, 0, false, false)).toBe(false)
  })

  it.each(['[, 1]', '{...', '[+1]', '{first name: 1}', '[ … ]'])(
    'where one is expected, %s is a value',
    (text) => {
      expect(valueStart(text, 0, true, false)).toBe(true)
    },
  )

  it.each(['{', '{ ', '{ab', '{ab ', '[12', '[12]'])('waits behind %s', (text) => {
    expect(valueStart(text, 0, false, false)).toBeUndefined()
  })

  it('decides when nothing more will come', () => {
    expect(valueStart('{', 0, true, true)).toBe(true)
    expect(valueStart('[12', 0, true, true)).toBe(true)
    expect(valueStart('[12', 0, false, true)).toBe(false)
    expect(valueStart('[12]', 0, false, true)).toBe(true)
  })
})
