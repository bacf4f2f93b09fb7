import { expect, it } from 'vitest'
import { arithmeticOf, numberOf } from './number-literal.ts'

it.each(['', '.', '+', 'e5', '.e5', '1__0', '_1', '0x10', '1'.repeat(100)])('%s is no number', (text) =>
  expect(numberOf(text)).toBeUndefined(),
)

it.each([
  ['1+2*3', 7],
  ['(1+2)*3', 9],
  ['2**3**2', 512],
  ['7//2', 3],
  ['7%4', 3],
  ['-2**2', -4],
  ['0.05/4', 0.0125],
  ['1_000*2', 2000],
])('%s', (text, value) => expect(arithmeticOf(text)).toBe(value))

it.each(['5', '1+', '*2', '(1', '1)', '555-1234-5678', '01+2', '-7%4', '1+x', '2**9999', '((((1)'])(
  '%s is not folded',
  (text) => expect(arithmeticOf(text)).toBeUndefined(),
)
