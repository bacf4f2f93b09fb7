import { expect, it } from 'vitest'
import { progressLine } from './calls-progress.ts'

const state = { bytes: 460, rows: 11_532, broken: 0, total: 1000, seconds: 4, width: 100 }

it('shows how much is done, and how long it will take', () => {
  expect(progressLine(state)).toBe(
    `${'━'.repeat(18)}${'─'.repeat(22)}  46%  11,532 rows  2,883 rows/s  0:04 left`,
  )
})

it('says what it knows of an input without an end', () => {
  expect(progressLine({ ...state, total: undefined, broken: 2 })).toBe('11,532 rows  2,883 rows/s  2 broken')
})

it('fits on the line', () => {
  for (let width = 5; width < 120; width++)
    for (const total of [undefined, 1000, 100]) {
      const line = progressLine({ ...state, total, broken: 1234, seconds: 4000, width })
      expect(line.length).toBeLessThan(width)
    }
})

it('begins', () => {
  expect(progressLine({ ...state, bytes: 0, rows: 0, seconds: 0 })).toContain('0%  0 rows  0 rows/s')
})
