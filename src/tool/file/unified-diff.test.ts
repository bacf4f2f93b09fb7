import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { diffLines } from './diff-lines.ts'
import { defaultFileLimits } from './file-limits.ts'
import { unifiedDiff } from './unified-diff.ts'

const limits = defaultFileLimits
const diffOf = (before: string | undefined, after: string) => unifiedDiff('a.txt', before, after, limits).diff
const numbers = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, i) => `${from + i}\n`).join('')

describe('changes of lines', () => {
  const line = fc.constantFrom('a', 'b', 'c', 'd')
  it('lead from one text to the other, and are the least', () => {
    fc.assert(
      fc.property(fc.array(line, { maxLength: 25 }), fc.array(line, { maxLength: 25 }), (old, now) => {
        const changes = diffLines(old, now)
        const made: string[] = []
        let at = 0
        let size = 0
        for (const { from, to, newFrom, newTo } of changes) {
          made.push(...old.slice(at, from), ...now.slice(newFrom, newTo))
          at = to
          size += to - from + newTo - newFrom
        }
        expect([...made, ...old.slice(at)]).toEqual(now)
        expect(size).toBe(old.length + now.length - 2 * longestCommon(old, now))
      }),
      { numRuns: 500 },
    )
  })

  it('are one change if there are too many', () => {
    const old = Array.from({ length: 3000 }, (_, i) => `old ${i}`)
    const now = Array.from({ length: 3000 }, (_, i) => `new ${i}`)
    expect(diffLines(['x', ...old], ['x', ...now])).toEqual([{ from: 1, to: 3001, newFrom: 1, newTo: 3001 }])
  })
})

function longestCommon(a: readonly string[], b: readonly string[]): number {
  const rows = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0))
  for (let i = 1; i <= a.length; i++)
    for (let k = 1; k <= b.length; k++)
      rows[i]![k] =
        a[i - 1] === b[k - 1] ? rows[i - 1]![k - 1]! + 1 : Math.max(rows[i - 1]![k]!, rows[i]![k - 1]!)
  return rows[a.length]![b.length]!
}

describe('a diff', () => {
  it('shows what changes, with the lines around it', () => {
    expect(diffOf(numbers(1, 9), numbers(1, 9).replace('5\n', 'five\n'))).toBe(
      '--- a/a.txt\n+++ b/a.txt\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8',
    )
  })

  it('has a hunk for each place', () => {
    const after = numbers(1, 30).replace('5\n', '').replace('25\n', '25\n25b\n')
    expect(diffOf(numbers(1, 30), after).match(/^@@.*/gm)).toEqual(['@@ -2,7 +2,6 @@', '@@ -23,6 +22,7 @@'])
  })

  it('shows a new file, an empty one, and a missing line end', () => {
    expect(diffOf(undefined, 'a\nb')).toBe(
      '--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,2 @@\n+a\n+b\n\\ No newline at end of file',
    )
    expect(diffOf('a\n', 'a')).toBe(
      '--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-a\n+a\n\\ No newline at end of file',
    )
    expect(diffOf('a\n', '')).toContain('@@ -1 +0,0 @@\n-a')
  })

  it('shows a change of line ends alone', () => {
    expect(diffOf('a\r\n', 'a\n')).toContain('-a\r\n+a')
  })

  it('is bounded, and says so', () => {
    const long = unifiedDiff('a.txt', '', numbers(1, 5000), limits)
    expect(long).toMatchObject({ added: 5000, removed: 0, cut: true })
    expect(long.diff.split('\n')).toHaveLength(limits.diffLines + 3)
    expect(long.diff).toMatch(/… 4601 more lines$/)
    const wide = unifiedDiff('a.txt', '', `${'😀'.repeat(1e5)}\n`, limits)
    expect(wide.cut).toBe(true)
    expect(wide.diff.length).toBeLessThan(1000)
    expect(wide.diff).toContain('… (199600 more characters)')
    expect(unifiedDiff('a.txt', 'a\n', 'b\n', limits).cut).toBe(false)
  })

  const noPatch = spawnSync('sh', ['-c', 'patch --version']).status !== 0
  it.skipIf(noPatch)('is one that patch understands', () => {
    const folder = mkdtempSync(join(tmpdir(), 'legible-diff-'))
    const file = join(folder, 'a.txt')
    const text = fc
      .array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 30 })
      .map((lines) => lines.map((line) => `${line}\n`).join(''))
    try {
      fc.assert(
        fc.property(text, text, fc.boolean(), fc.boolean(), (one, two, cutOne, cutTwo) => {
          const before = cutOne ? one.slice(0, -1) : one
          const after = cutTwo ? two.slice(0, -1) : two
          fc.pre(before !== after && before !== '' && after !== '')
          writeFileSync(file, before)
          execFileSync('sh', ['-c', 'patch -s -p1'], { cwd: folder, input: `${diffOf(before, after)}\n` })
          expect(readFileSync(file, 'utf8')).toBe(after)
        }),
        { numRuns: 60 },
      )
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
})
