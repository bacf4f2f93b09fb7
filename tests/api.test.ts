import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { apiReport, reportPath } from '../scripts/api.ts'
import { entries, root } from '../scripts/entries.ts'

it.each(entries)(
  'the API report of $id is up to date (`npm run api` updates it)',
  { timeout: 30_000 },
  (entry) => {
    const stored = existsSync(reportPath(entry)) ? readFileSync(reportPath(entry), 'utf8') : ''
    expect(stored).toBe(apiReport(entry))
  },
)

it('there is no report without an entry point', () => {
  expect(readdirSync(`${root}/api`).sort()).toEqual(entries.map((entry) => `${entry.name}.api.md`).sort())
})
