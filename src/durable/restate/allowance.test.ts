import { expect, test } from 'vitest'
import { allowanceOf } from './allowance.ts'

test('what a run may use is what both allow', () => {
  const { limits } = allowanceOf(
    { limits: { turns: 9, time: 5000 } },
    { limits: { turns: 4, tokens: 100, concurrency: 2 } },
  )
  expect(limits).toEqual({ turns: 4, tokens: 100, time: 5000, concurrency: 2 })
  expect(allowanceOf({}, {})).toEqual({ limits: { concurrency: 8 }, goalLimits: {}, spawn: false })
})

test('agents are spawned where both say so', () => {
  expect(allowanceOf({ spawn: true }, {}).spawn).toEqual({ depth: 1, count: 16 })
  expect(allowanceOf({ spawn: true }, { spawn: { count: 2 } }).spawn).toEqual({ depth: 1, count: 2 })
  expect(allowanceOf({ spawn: true }, { spawn: false }).spawn).toBe(false)
  expect(allowanceOf({}, { spawn: true }).spawn).toBe(false)
})

test('a limit that limits nothing is told', () => {
  const prices = { input: 1, output: 2 }
  expect(() => allowanceOf({ limits: { cost: 1 } }, {})).toThrow('needs prices')
  expect(allowanceOf({ limits: { cost: 1 } }, { prices })).toMatchObject({ limits: { cost: 1 }, prices })
  for (const turns of [0, -1, Number.NaN, '3', null])
    expect(() => allowanceOf({ limits: { turns: turns as number } }, {})).toThrow('a number above 0')
})
