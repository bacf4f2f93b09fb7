import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { duration, formatDuration, readDuration } from './duration.ts'
import { shapeOf } from './shape-of.ts'

describe('readDuration', () => {
  test.each([
    ['1h30m', 5_400_000],
    ['1h 30m', 5_400_000],
    ['90s', 90_000],
    ['250ms', 250],
    ['1.5h', 5_400_000],
    ['2 hours 5 minutes', 7_500_000],
    ['2 hours, 5 minutes and 10 seconds', 7_510_000],
    ['1 HR', 3_600_000],
    ['5 mins.', 300_000],
    ['1d', 86_400_000],
    ['1w', 604_800_000],
    ['2 weeks', 1_209_600_000],
    ['1:30:00', 5_400_000],
    ['100:00:00.5', 360_000_500],
    ['-5m', -300_000],
    ['−5m', -300_000],
    ['+5m', 300_000],
    ['PT1H30M', 5_400_000],
    ['pt1h30m', 5_400_000],
    ['P1DT2H', 93_600_000],
    ['P2W', 1_209_600_000],
    ['PT0.5S', 500],
    ['PT1,5H', 5_400_000],
    ['-PT5M', -300_000],
    ['1.1s', 1100],
    ['1500', 1500],
    ['0s', 0],
    ['-0', 0],
    [1500, 1500],
    [-1.5, -1.5],
  ])('%j', (text, length) => expect(readDuration(text)).toBe(length))

  test.each([
    '1:30',
    '1:60:00',
    'P1Y',
    'P1M',
    'P1Y2M',
    'P',
    'PT',
    'P1DT',
    'PT1M1H',
    '1 year',
    '2 months',
    '5m 5m',
    '5m 1h',
    'five minutes',
    '5 minutes ago',
    'h',
    '1h30',
    '',
    'soon',
    '1__proto__',
    '1constructor',
    Number.NaN,
    Number.POSITIVE_INFINITY,
  ])('%j is none', (text) => expect(readDuration(text)).toBeUndefined())

  test('long texts are none, and cost nothing', () => {
    expect(readDuration(`1h${' '.repeat(1e6)}1m`)).toBeUndefined()
    expect(readDuration('1'.repeat(1e6))).toBeUndefined()
  })
})

describe('formatDuration', () => {
  test.each([
    [5_400_000, '1h30m'],
    [250, '250ms'],
    [1500, '1s500ms'],
    [0, '0s'],
    [-300_000, '-5m'],
    [93_600_000, '1d2h'],
    [1.5, '1.5ms'],
  ])('%d', (length, text) => expect(formatDuration(length)).toBe(text))

  test('is read back as it was', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: -1e12, max: 1e12 }),
        (length) => readDuration(formatDuration(length)) === (length || 0),
      ),
    )
  })
})

test('duration makes a number one', () => {
  const schema = z.object({ wait: z.number().min(0).meta(duration).optional(), id: z.number() })
  const shape = shapeOf(schema)
  if (shape.kind !== 'object') throw new Error('no object')
  expect(shape.fields.get('wait')).toMatchObject({ shape: { kind: 'duration', min: 0 }, required: false })
  expect(shape.fields.get('id')?.shape.kind).toBe('number')
  expect(shapeOf({ type: 'integer', ...duration })).toMatchObject({ kind: 'duration', integer: true })
})
