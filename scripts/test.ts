// Everything that must hold, in one command, quick checks first; stops at the first that fails.
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { root } from './entries.ts'

const results = 'coverage/tests.json'
const steps: [what: string, command: string][] = [
  ['lint and format', 'biome check .'],
  ['build', 'node scripts/build.ts'],
  ['types', 'tsc'],
  ['types, without those of Node', 'tsc -p tsconfig.portable.json'],
  ['unused code and dependencies', 'knip --no-config-hints'],
  ['system packages', 'scripts/setup-system'],
  ['tests', `vitest run --coverage --reporter=default --reporter=json --outputFile.json=${results}`],
]

rmSync(`${root}/${results}`, { force: true })
const counts = { passed: 0, failed: 0, skipped: 0 }
for (const [what, command] of steps) {
  console.log(`\n▶ ${what}: ${command}`)
  const start = performance.now()
  // npm has put node_modules/.bin into PATH
  const ok = spawnSync(command, { cwd: root, shell: true, stdio: 'inherit' }).status === 0
  console.log(`${ok ? '✓' : '✗'} ${what} (${((performance.now() - start) / 1000).toFixed(1)} s)`)
  if (what === 'tests') countTests(ok)
  else if (ok) counts.passed++
  else counts.failed++
  if (!ok) break
}

/** Every single test counts, not the run: but a run that fails without a failing test (coverage) is a failure. */
function countTests(ok: boolean): void {
  try {
    const tests = JSON.parse(readFileSync(`${root}/${results}`, 'utf8'))
    counts.passed += tests.numPassedTests
    counts.failed += tests.numFailedTests
    counts.skipped += tests.numPendingTests + tests.numTodoTests
  } catch {
    console.log('the tests left no results')
    ok = false
  }
  if (!ok && counts.failed === 0) counts.failed++
}

if (counts.skipped > 0) console.log(`${counts.skipped} skipped`)
console.log(`${counts.passed} passed, ${counts.failed} failed`)
process.exitCode = counts.failed > 0 ? 1 : 0
