import fc from 'fast-check'
import { expect, it } from 'vitest'
import { findText } from './find-text.ts'

const few = fc.string({ unit: fc.constantFrom('a', 'b', 'ü'), maxLength: 40 })

it('finds what indexOf finds', () => {
  const wanted = fc.string({ unit: fc.constantFrom('a', 'b', 'ü'), minLength: 1, maxLength: 5 })
  fc.assert(
    fc.property(few, wanted, fc.nat(45), (text, what, from) => {
      expect(findText(what)(text, from)).toBe(text.indexOf(what, from))
    }),
    { numRuns: 2000 },
  )
})

it('takes no longer for what almost matches everywhere', () => {
  const half = 'a'.repeat(500_000)
  const before = performance.now()
  expect(findText(`${half}b${half}`)(half + half)).toBe(-1)
  expect(performance.now() - before).toBeLessThan(1000)
})
