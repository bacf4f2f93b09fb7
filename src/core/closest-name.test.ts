import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { closestName } from './closest-name.ts'

const names = ['model', 'limits', 'tools', 'profiles']

describe('closestName', () => {
  it.each([
    ['modle', 'model'],
    ['Model', 'model'],
    ['modell', 'model'],
    ['tool', 'tools'],
    ['profile', 'profiles'],
    ['temperature', undefined],
    ['', undefined],
    ['x', undefined],
  ])('%s → %s', (name, meant) => {
    expect(closestName(name, names)).toBe(meant)
  })

  it('a name itself is the closest', () => {
    fc.assert(
      fc.property(fc.uniqueArray(fc.stringMatching(/^[a-z]{1,12}$/), { minLength: 1 }), (all) => {
        for (const one of all) expect(closestName(one, all)).toBe(one)
      }),
    )
  })

  it('takes no time over endless names', () => {
    const start = performance.now()
    closestName('x'.repeat(1e6), [`y${'x'.repeat(1e6)}`, ...names])
    expect(performance.now() - start).toBeLessThan(100)
  })
})
