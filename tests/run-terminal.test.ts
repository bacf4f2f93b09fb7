// `legible run` on a real terminal: the tree, a person who decides, and Ctrl-C.
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { root } from '../scripts/entries.ts'
import { openPty, type Pty } from './terminal/pty.ts'

vi.setConfig({ testTimeout: 60_000 })

const main = join(root, 'dist/cli/main.js')
const open: { close(): void }[] = []
afterEach(() => {
  for (const one of open.splice(0)) one.close()
})

function start(files: Record<string, string>, args: string[]): { pty: Pty; dir: string } {
  const dir = mkdtempSync(join(tmpdir(), 'legible-run-'))
  open.push({ close: () => rmSync(dir, { recursive: true, force: true }) })
  for (const [name, text] of Object.entries(files)) writeFileSync(join(dir, name), text)
  const env = { LEGIBLE_STATE: join(dir, 'state'), LEGIBLE_MODEL: undefined, HOME: dir }
  const pty = openPty(process.execPath, [main, ...args], { cwd: dir, env, cols: 100, rows: 40 })
  open.unshift(pty)
  return { pty, dir }
}
const say = (pty: Pty, text: string) => {
  pty.write(text)
  pty.key('enter')
}

test('the tree, the result, and what answered', async () => {
  const research = readFileSync(join(root, 'examples/research.agent'), 'utf8')
  const { pty } = start({ 'r.agent': research }, ['run', 'r.agent'])
  expect((await pty.exit).code).toBe(0)
  const screen = pty.screen().join('\n')
  expect(screen).toContain('rehearsal model (offline)')
  expect(screen).toMatch(/✓ optimist/)
  expect(screen).toMatch(/run [\da-f]{8} completed in/)
  expect(screen).toContain('A rehearsal model answered: no language model was asked.')
})

const human =
  'NAME n\nGOAL migrate "Migrate" SUPERVISED HUMAN\nGOAL after "After"\nRUN r USING migrate, after\n'

test('a person says yes, and it goes on', async () => {
  const { pty } = start({ 'h.agent': human }, ['run', 'h.agent'])
  await pty.waitFor(/\[l\]ater\? *$/m)
  expect(pty.screen().join('\n')).toContain('? migrate came to this:')
  say(pty, 'y')
  expect((await pty.exit).code).toBe(0)
  expect(pty.screen().join('\n')).toMatch(/✓ after/)
})

test('a person has it done again, then says no', async () => {
  const { pty } = start({ 'h.agent': human }, ['run', 'h.agent'])
  await pty.waitFor(/\[l\]ater\? *$/m)
  say(pty, 'again')
  await pty.waitFor('what to do differently ›')
  say(pty, 'More slowly')
  await pty.waitFor((screen) => screen.filter((line) => line.includes('[l]ater?')).length === 2)
  await pty.waitFor(/\[l\]ater\? *$/m)
  say(pty, 'no')
  await pty.waitFor('why ›')
  say(pty, 'Enough')
  expect((await pty.exit).code).toBe(1)
  expect(pty.screen().join('\n')).toContain('a person stopped it: Enough')
})

test('a call is shown and permitted, and only then made', async () => {
  const file =
    'NAME n\nGOAL g "Please call fs.write with {\\"path\\": \\"a.txt\\", \\"content\\": \\"hello\\\\n\\"}" -> done\nRUN r USING g\n'
  const { pty, dir } = start({ 'w.agent': file }, ['run', 'w.agent', '--tools', 'fs'])
  await pty.waitFor(/\[nev\]er\? *$/m)
  expect(pty.screen().join('\n')).toContain('+hello')
  expect(existsSync(join(dir, 'a.txt'))).toBe(false)
  say(pty, 'yes')
  expect((await pty.exit).code).toBe(0)
  expect(readFileSync(join(dir, 'a.txt'), 'utf8')).toBe('hello\n')
})

test('Ctrl-C at a question leaves it for later, and says how to go on', async () => {
  const { pty } = start({ 'h.agent': human }, ['run', 'h.agent'])
  await pty.waitFor(/\[l\]ater\? *$/m)
  pty.key('ctrl-c')
  expect((await pty.exit).code).toBe(6)
  expect(pty.screen().join('\n')).toContain('legible approve')
})
