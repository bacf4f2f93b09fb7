import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { root } from '../scripts/entries.ts'
import { openAuditLog } from '../src/durable/index.ts'

vi.setConfig({ testTimeout: 20_000 })

const main = join(root, 'dist/cli/main.js')
const folder = mkdtempSync(join(tmpdir(), 'legible-cli-audit-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const state = join(folder, '.legible')
const file = join(state, 'audit.jsonl')
const { FORCE_COLOR, NO_COLOR, ...plain } = process.env

function audit(args: string[], { env = {}, cwd = folder } = {}) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [main, 'audit', ...args], {
    cwd,
    env: { ...plain, ...env },
    encoding: 'utf8',
  })
  return { status, stdout, stderr, lines: stdout.split('\n').slice(0, -1) }
}
const hashes = () =>
  readFileSync(file, 'utf8')
    .split('\n')
    .slice(0, -1)
    .map((line): string => JSON.parse(line).hash)

beforeEach(async () => {
  rmSync(state, { recursive: true, force: true })
  const log = await openAuditLog(file)
  const call = { id: '1', name: 'fs.write', arguments: { path: 'a.md', content: 'password=hunter2' } }
  await log.record({ type: 'session-start', command: 'chat', model: 'rehearsal', root: folder })
  await log.record({
    type: 'call-start',
    call,
    needs: [{ capability: 'fs.write', path: 'a.md' }],
    permittedBy: 'person',
  })
  await log.record({
    type: 'call-end',
    call: { id: '1', name: 'fs.write' },
    ok: true,
    milliseconds: 4,
    result: { bytes: 12, sha256: 'ab'.repeat(32) },
  })
  await log.record({
    type: 'call-refused',
    call: { id: '2', name: 'x\u001b[2J\n', arguments: {} },
    code: 'tool.denied',
    reason: 'A rule is against it.',
  })
  await log.record({
    type: 'permission-grant',
    rule: { id: 'r1', effect: 'grant', capability: 'fs.write', path: 'src' },
  })
  await log.record({
    type: 'call-end',
    call: { id: '3', name: 'y' },
    ok: false,
    code: 'tool.timeout',
    milliseconds: 9,
  })
  await log.record({ type: 'session-end', reason: 'the user left' })
  await log.close()
})

describe('shows', () => {
  test('an entry a line, and nothing that a terminal would obey', () => {
    const { status, lines, stderr } = audit([])
    expect([status, stderr]).toEqual([0, ''])
    expect(lines.every((line) => /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\dZ {2}\S/.test(line))).toBe(true)
    expect(lines.map((line) => line.slice(22))).toEqual([
      `session-start      chat on rehearsal in ${folder}`,
      'call-start         fs.write a.md {"path":"a.md","content":"password=[redacted]"} (permitted by a person)',
      'call-end           fs.write ok, 4 ms, 12 bytes',
      'call-refused       x\\u001b[2J\\n tool.denied: A rule is against it. {}',
      'permission-grant   r1 fs.write src',
      'call-end           y failed tool.timeout, 9 ms',
      'session-end        the user left',
    ])
  })

  test('the last, of another folder or file, for programs', () => {
    expect(audit(['--last', '2']).lines.map((line) => line.slice(22, 33))).toEqual([
      'call-end   ',
      'session-end',
    ])
    expect(audit(['--last', '100']).lines.length).toBe(7)
    const elsewhere = { cwd: tmpdir() }
    expect(audit(['--root', folder], elsewhere).lines.length).toBe(7)
    expect(audit(['--file', file], elsewhere).lines.length).toBe(7)
    expect(audit(['--json']).stdout).toBe(readFileSync(file, 'utf8'))
  })

  test('colours where they are wanted', () => {
    expect(audit([], { env: { FORCE_COLOR: '1' } }).stdout).toContain('\u001b[31mcall-refused')
    expect(audit([]).stdout).not.toContain('\u001b')
  })

  test('also lines that are none, or not as they were', () => {
    writeFileSync(
      file,
      `hello\u001b[2J\n${readFileSync(file, 'utf8').replace('the user left', 'it crashed')}`,
    )
    const { lines } = audit([])
    expect(lines[0]).toBe('line 1 is no line of an audit log')
    expect(lines.at(-1)).toContain('session-end        it crashed (not as it was written)')
    expect(JSON.parse(audit(['--json']).lines[0] ?? '')).toEqual({ line: 1, unreadable: true })
  })

  test('no log', () => {
    for (const command of [[], ['verify']]) {
      const { status, stderr } = audit([...command, '--root', tmpdir()])
      expect(status).toBe(2)
      expect(stderr).toContain('there is no audit log')
    }
    const { stdout } = audit(['verify', '--json', '--root', tmpdir()])
    expect(JSON.parse(stdout)).toMatchObject({ ok: false, error: { code: 'cli.unreadable_file' } })
    expect(audit(['nonsense']).status).toBe(2)
  })
})

describe('verify', () => {
  test('a log that is as it was written', () => {
    const { status, lines } = audit(['verify'])
    expect(status).toBe(0)
    expect(lines).toEqual(['✓ 7 entries, as they were written', `head: ${hashes().at(-1)}`])
    const { stdout } = audit(['verify', '--json', '--root', folder], { cwd: tmpdir() })
    expect(JSON.parse(stdout)).toEqual({
      ok: true,
      entries: 7,
      last: { seq: 7, hash: hashes().at(-1) },
      behindHead: 0,
      problems: [],
      problemCount: 0,
    })
  })

  test('edits, deletions and reorders', () => {
    const written = readFileSync(file, 'utf8').split('\n').slice(0, -1)
    const put = (lines: string[]) => writeFileSync(file, lines.map((line) => `${line}\n`).join(''))
    const [one = '', two = '', three = '', ...rest] = written
    put([one, two.replace('a.md', 'b.md'), three, ...rest])
    expect(audit(['verify'])).toMatchObject({
      status: 1,
      lines: [
        'line 2: edited: entry 2 is not as it was written',
        '✗ 1 problem in 7 entries',
        expect.any(String),
      ],
    })
    put([one, three, ...rest])
    expect(audit(['verify'])).toMatchObject({
      status: 1,
      lines: [
        'line 2: missing: entry 2 is missing before this line',
        '✗ 1 problem in 6 entries',
        expect.any(String),
      ],
    })
    put([one, three, two, ...rest])
    expect(audit(['verify'])).toMatchObject({
      status: 1,
      lines: [
        'line 3: reordered: entry 2 stands behind entry 3',
        '✗ 1 problem in 7 entries',
        expect.any(String),
      ],
    })
    put(written.slice(0, -2))
    expect(audit(['verify'])).toMatchObject({
      status: 1,
      lines: [
        'line 5: cut_off: entries 6 to 7 are missing at the end',
        '✗ 1 problem in 5 entries',
        expect.any(String),
      ],
    })
    rmSync(file)
    expect(audit(['verify']).status).toBe(1)
  })

  test('against a hash that was kept', () => {
    const [, kept = ''] = hashes()
    expect(audit(['verify', '--head', kept.toUpperCase()]).status).toBe(0)
    const { status, stdout } = audit(['verify', '--head', 'f'.repeat(64)])
    expect(status).toBe(1)
    expect(stdout).toContain(`cut_off: no entry has the hash ${'f'.repeat(64)}`)
    expect(audit(['verify', '--head', 'abc'])).toMatchObject({ status: 2, stdout: '' })
  })

  test.skipIf(process.platform === 'win32')('who may read it, and links', () => {
    chmodSync(file, 0o644)
    expect(audit(['verify']).stdout).toContain(
      `permissions: ${file} can be used by others (mode 644, not 600)`,
    )
    const other = join(folder, 'other')
    rmSync(other, { recursive: true, force: true })
    mkdirSync(other)
    symlinkSync(state, join(other, '.legible'))
    const { status, stderr } = audit(['verify', '--root', other])
    expect(status).toBe(2)
    expect(stderr).toMatch(/^legible: .*other\/\.legible is a link\./)
  })
})
