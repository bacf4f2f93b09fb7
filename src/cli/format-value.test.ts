import { expect, it } from 'vitest'
import { formatValue } from './format-value.ts'

it('writes what JSON cannot hold as well as it can', () => {
  const value = { big: 12345678901234567890n, day: new Date(0), never: new Date(Number.NaN), none: undefined }
  expect(formatValue(value)).toEqual({
    text: '{\n  "big": 12345678901234567890,\n  "day": "1970-01-01T00:00:00.000Z",\n  "never": null\n}',
    lost: [],
  })
})

it('names the numbers that were lost, once each', () => {
  expect(formatValue([Number.NaN, Number.NaN, Infinity, -Infinity])).toEqual({
    text: '[\n  null,\n  null,\n  null,\n  null\n]',
    lost: ['NaN', 'Infinity', '-Infinity'],
  })
})
