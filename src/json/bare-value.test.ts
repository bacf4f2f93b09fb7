import { describe, expect, it } from 'vitest'
import { bareValue, cutValue, smallInteger } from './bare-value.ts'

describe('bareValue', () => {
  it.each([
    ['12', 12],
    ['-0', -0],
    ['0.5', 0.5],
    ['1E+5', 1e5],
    ['123456789012345678', 123456789012345680],
    ['true', true],
    ['null', null],
  ])('%s is JSON', (text, value) => {
    expect(bareValue(text)).toEqual({ value, code: undefined })
  })

  it.each([
    ['True', true, 'foreign_word'],
    ['None', null, 'foreign_word'],
    ['NaN', Number.NaN, 'foreign_word'],
    ['-Infinity', Number.NEGATIVE_INFINITY, 'foreign_word'],
    ['+1', 1, 'loose_number'],
    ['.5', 0.5, 'loose_number'],
    ['5.', 5, 'loose_number'],
    ['1_000', 1000, 'loose_number'],
    ['1,234,567.8', 1234567.8, 'loose_number'],
    ['hello world', 'hello world', 'unquoted_text'],
    ['007', '007', 'unquoted_text'],
    ['12k', '12k', 'unquoted_text'],
    ['1,23', '1,23', 'unquoted_text'],
    ['2026-01-20', '2026-01-20', 'unquoted_text'],
    ['.', '.', 'unquoted_text'],
  ])('%s is %j: %s', (text, value, code) => {
    expect(bareValue(text)).toEqual({ value, code })
  })
})

describe('cutValue', () => {
  it.each([
    ['t', true],
    ['fals', false],
    ['nul', null],
    ['12.', 12],
    ['-1.5e', -1.5],
    ['-1.5e-', -1.5],
  ])('%s was to become %j', (text, value) => {
    expect(cutValue(text)).toEqual({ value })
  })

  it.each(['-', '+', 'trx', 'Nul', '1a'])('%s is nothing', (text) => {
    expect(cutValue(text)).toBeUndefined()
  })
})

describe('smallInteger', () => {
  it.each([
    ['0', 0],
    ['999999999999999', 999999999999999],
    ['1000000000000000', -1],
    ['01', -1],
    ['', -1],
    ['-1', -1],
  ])('%j: %d', (text, value) => {
    expect(smallInteger(text)).toBe(value)
  })
})
