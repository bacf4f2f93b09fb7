import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { eachMark, json, quoted, valueText } from './notation.ts'
import { type Plain, plainValue } from './plain-value.ts'

const marks = /<\/?\||<<a>|<a>/gu

describe('quoted', () => {
  it('writes a string of JSON without a mark in it', () => {
    const piece = fc.constantFrom('<', '<a>', '<<a>', '<|', '</|', '\\', '"', '\n', 'a', '\ud800', '😀')
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        const written = quoted(pieces.join(''), marks)
        expect(JSON.parse(written)).toBe(pieces.join(''))
        expect(written.search(marks)).toBe(-1)
      }),
    )
  })

  it('finds a mark that begins within another', () => {
    expect(quoted('<<a>', marks)).toBe('"\\u003c\\u003ca>"')
    const within = eachMark(
      'x<<a>',
      marks,
      (text) => text,
      (first) => `${first}\\`,
    )
    expect(within).toBe('x<\\<\\a>')
  })
})

describe('valueText', () => {
  it('is JSON that parses to the value', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(JSON.parse(valueText(plainValue(value), json(marks)))).toEqual(
          JSON.parse(JSON.stringify(value)),
        )
      }),
    )
  })

  it('keeps members that have a name of their own in JavaScript', () => {
    const value = plainValue(JSON.parse('{"__proto__": 1, "toString": 2}')) as Plain
    expect(valueText(value, json(marks))).toBe('{"__proto__": 1, "toString": 2}')
  })
})
