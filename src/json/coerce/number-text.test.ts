import { describe, expect, it } from 'vitest'
import { numberInText } from './number-text.ts'

describe('numberInText', () => {
  it.each([
    ['42', 42],
    ['-3.5', -3.5],
    ['−3', -3],
    ['minus 3', -3],
    ['1,234', 1234],
    ['1,234.5', 1234.5],
    ['1.234,56', 1234.56],
    ['1 234 567', 1234567],
    ["1'000", 1000],
    ['1_000', 1000],
    ['0,500', 0.5],
    ['1,2', 1.2],
    ['1e3', 1000],
    ['.5', 0.5],
    ['€ 12', 12],
    ['USD 12', 12],
    ['12%', 12],
    ['12k', 12_000],
    ['$3.5M', 3_500_000],
    ['2 dozen', 24],
    ['1/4', 0.25],
    ['2 1/4', 2.25],
    ['2½', 2.5],
    ['about 42 people', 42],
    ['seven', 7],
  ])('%s is %d', (text, number) => {
    expect(numberInText(text)).toBe(number)
  })

  it.each([
    '',
    'none',
    'between 3 and 5',
    '3-5',
    'B2B',
    'v1.2',
    '10:30',
    '1/0',
    '2026-01-20',
    '1.2.3',
    '1,23,4',
    '$5m',
  ])('%j is no number', (text) => {
    expect(numberInText(text)).toBeUndefined()
  })
})
