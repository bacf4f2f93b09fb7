import fc from 'fast-check'
import { expect, it } from 'vitest'
import { usableNames } from './usable-names.ts'

it('gives every tool a name that is usable and its own, and leaves those alone that are', () => {
  const name = fc.oneof(fc.string(), fc.constantFrom('a b', 'a/b', 'a_b', 'A_B', 'a_b_2', 'x'.repeat(70)))
  fc.assert(
    fc.property(fc.uniqueArray(name), (names) => {
      const usable = usableNames(names)
      expect(usable).toHaveLength(names.length)
      for (const one of usable) expect(one).toMatch(/^[A-Za-z\d_.-]{1,64}$/)
      expect(new Set(usable.map((one) => one.toLowerCase())).size).toBe(names.length)
      const folded = names.map((one) => one.toLowerCase())
      for (const [i, one] of names.entries())
        if (/^[A-Za-z\d_.-]{1,64}$/.test(one) && folded.indexOf(one.toLowerCase()) === i)
          expect(usable[i]).toBe(one)
    }),
  )
})
