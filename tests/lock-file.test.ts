import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { root } from '../scripts/entries.ts'

interface Locked {
  resolved?: string
  optionalDependencies?: Record<string, string>
}
const packages: Record<string, Locked> = JSON.parse(
  readFileSync(`${root}/package-lock.json`, 'utf8'),
).packages

it('the lock file names no registry', () => {
  expect(Object.keys(packages).filter((path) => packages[path]?.resolved)).toEqual([])
})

// npm drops a platform's package from the lock file without a word when a registry does not have it (yet);
// `npm ci` then fails for everyone. The remedy is an older minor of the tool.
it('the lock file has the packages of every platform', () => {
  const locked = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')))
  const needed = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
  expect(needed.filter((name) => !locked.has(name))).toEqual([])
})
