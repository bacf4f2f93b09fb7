import { expect, it } from 'vitest'
import { entries } from '../scripts/entries.ts'
import { limits, measure } from '../scripts/size.ts'

it.each(Object.entries(limits))('%s fits into %d bytes, minified and gzipped', async (id, limit) => {
  const entry = entries.find((entry) => entry.id === id)
  expect(entry, `package.json has no entry point ${id}`).toBeDefined()
  expect((await measure(entry!)).gzipped).toBeLessThanOrEqual(limit)
})
