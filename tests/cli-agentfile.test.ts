// check, fmt and graph as they are started: on files, folders, links and pipes.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { root } from '../scripts/entries.ts'
import { formatMermaid } from '../src/agentfile/graph/format-mermaid.ts'
import { formatSvg } from '../src/agentfile/graph/format-svg.ts'
import { graphOf } from '../src/agentfile/graph/graph-of.ts'
import type { Agentfile } from '../src/agentfile/syntax/agentfile.ts'
import { readWithFiles } from '../src/cli/agentfile-files.ts'

// Starting the command takes a while on a machine that has other things to do.
vi.setConfig({ testTimeout: 60_000 })

const main = join(root, 'dist/cli/main.js')
const top = mkdtempSync(join(tmpdir(), 'legible-agentfile-'))
afterAll(() => rmSync(top, { recursive: true, force: true }))
const { FORCE_COLOR, NO_COLOR, ...plain } = process.env

/** A folder with these files. */
function folderWith(files: Record<string, string | Buffer>): string {
  const folder = mkdtempSync(join(top, 'case-'))
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  return folder
}

async function legible(cwd: string, args: string[], input = '') {
  const child = spawn(process.execPath, [main, ...args], { cwd, env: plain })
  child.stdin.end(input)
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'close'),
  ])
  return { status: status as number, stdout, stderr }
}

const good = 'NAME research\nINPUT topic\n\nGOAL report "Write on $topic" -> text\n\nRUN main USING report\n'
const broken = 'NAME research\nINPUT topic\nGOAL report "Write on $topc"\nRUN main USING report\n'
const untidy =
  'NAME   research\n\n\n\nINPUT topic\nGOAL report "Write on $topic"   ->text\nRUN main   USING report'
const tidy = 'NAME research\n\nINPUT topic\nGOAL report "Write on $topic" -> text\nRUN main USING report\n'
const old = 'WORKFLOW research\nINPUT topic="tea"\nGOAL report "Write on {{topic}}"\nRUN main USING report\n'
const modern =
  'NAME research\nINPUT topic DEFAULT "tea"\nGOAL report "Write on $topic"\nRUN main USING report\n'

describe('check', () => {
  test('says nothing but a line about a file that is right', async () => {
    const folder = folderWith({ 'a.agent': good })
    expect(await legible(folder, ['check', 'a.agent'])).toEqual({
      status: 0,
      stdout: '',
      stderr: '1 file, no issues\n',
    })
  })

  test('shows what is wrong, and where', async () => {
    const folder = folderWith({ 'a.agent': broken, 'b.agent': good, 'c.agent': old })
    const { status, stdout, stderr } = await legible(folder, ['check', 'a.agent', 'b.agent', 'c.agent'])
    expect(status).toBe(1)
    expect(stdout).toBe('')
    expect(stderr).toContain(`a.agent:3:23 error agentfile.undefined_variable
  2 │ INPUT topic
  3 │ GOAL report "Write on $topc"
    │                       ^^^^^ no input or output is named topc; did you mean $topic?
`)
    expect(stderr).toMatch(/\n3 files, 1 error, 3 warnings\n$/)
  })

  test('lets warnings pass unless it is strict', async () => {
    const folder = folderWith({ 'old.agent': old })
    expect((await legible(folder, ['check', 'old.agent'])).status).toBe(0)
    const { status, stderr } = await legible(folder, ['check', '--strict', 'old.agent'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/\n1 file, 3 warnings\n$/)
  })

  test('for programs: one object', async () => {
    const folder = folderWith({ 'a.agent': broken, 'b.agent': good })
    const { status, stdout, stderr } = await legible(folder, ['check', '--json', 'a.agent', 'b.agent'])
    expect(status).toBe(1)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      files: [
        {
          file: 'a.agent',
          ok: false,
          issues: [
            {
              code: 'agentfile.undefined_variable',
              severity: 'error',
              message: 'no input or output is named topc; did you mean $topic?',
              span: [48, 53],
              line: 3,
              column: 23,
            },
          ],
        },
        { file: 'b.agent', ok: true, issues: [] },
      ],
      errors: 1,
      warnings: 0,
    })
    const places = await legible(folder, ['check', '--json', '-'], 'NAME a\n\n\n')
    expect(JSON.parse(places.stdout).files[0].issues[0]).toMatchObject({
      code: 'agentfile.nothing_to_run',
      line: 1,
    })
  })

  test('reads standard input, with the files of the current folder', async () => {
    const folder = folderWith({ 'p.md': 'Write on $topic' })
    const text = good.replace('"Write on $topic"', 'FROM p.md')
    expect((await legible(folder, ['check', '-'], text)).status).toBe(0)
    expect((await legible(folder, ['check', '-'], broken)).stderr).toContain('stdin:3:23 error')
  })

  test('takes folders, and what FROM names', async () => {
    const from = 'NAME a\nINPUT topic\nGOAL g FROM p.md\nRUN main USING g\n'
    const folder = folderWith({ 'a/b/c.agent': from, 'a/b/p.md': 'On $topic', 'a/Agentfile': from })
    symlinkSync('/etc/hosts', join(folder, 'a/p.md'))
    const { status, stderr } = await legible(folder, ['check', 'a'])
    expect(status).toBe(1)
    expect(stderr).toMatch(/^a\/Agentfile:3:13 error agentfile\.missing_file\n/)
    expect(stderr).toMatch(/"p\.md" leads out of the folder of this file, by a link\n2 files, 1 error\n$/)
  })

  test('cannot be carried out', async () => {
    const folder = folderWith({ 'a.agent': good })
    expect(await legible(folder, ['check', 'a.agent', 'none.agent'])).toEqual({
      status: 2,
      stdout: '',
      stderr: 'legible: none.agent: there is no such file\n',
    })
    const { status, stdout } = await legible(folder, ['check', '--json', 'none.agent'])
    expect(status).toBe(2)
    expect(JSON.parse(stdout)).toEqual({
      ok: false,
      error: { code: 'cli.unreadable_file', message: 'none.agent: there is no such file' },
    })
  })
})

describe('fmt', () => {
  test('writes files in their form, and names those that changed', async () => {
    const folder = folderWith({ 'a.agent': untidy, 'b.agent': tidy })
    chmodSync(join(folder, 'a.agent'), 0o640)
    const before = statSync(join(folder, 'b.agent')).mtimeMs
    expect(await legible(folder, ['fmt', '.'])).toEqual({ status: 0, stdout: 'a.agent\n', stderr: '' })
    expect(readFileSync(join(folder, 'a.agent'), 'utf8')).toBe(tidy)
    expect(statSync(join(folder, 'a.agent')).mode & 0o777).toBe(0o640)
    expect(statSync(join(folder, 'b.agent')).mtimeMs).toBe(before)
    expect(readdirSync(folder)).toEqual(['a.agent', 'b.agent'])
  })

  test('--check writes nothing', async () => {
    const folder = folderWith({ 'a.agent': untidy, 'b.agent': tidy })
    expect(await legible(folder, ['fmt', '--check', 'a.agent', 'b.agent'])).toEqual({
      status: 1,
      stdout: 'a.agent\n',
      stderr: '',
    })
    expect(readFileSync(join(folder, 'a.agent'), 'utf8')).toBe(untidy)
  })

  test('leaves a file with errors as it is, and formats those beside it', async () => {
    const folder = folderWith({ 'a.agent': `${broken}\n\n\n`, 'b.agent': untidy })
    const { status, stdout, stderr } = await legible(folder, ['fmt', 'a.agent', 'b.agent'])
    expect(status).toBe(1)
    expect(stdout).toBe('b.agent\n')
    expect(stderr).toContain('a.agent:3:23 error agentfile.undefined_variable')
    expect(stderr).toMatch(/\nlegible: a\.agent: left as it is: it has errors\n$/)
    expect(readFileSync(join(folder, 'a.agent'), 'utf8')).toBe(`${broken}\n\n\n`)
    expect(readFileSync(join(folder, 'b.agent'), 'utf8')).toBe(tidy)
  })

  test('rewrites older spellings only if it may', async () => {
    const folder = folderWith({ 'old.agent': old })
    for (const args of [
      ['fmt', '--check'],
      ['fmt', '--stdout'],
    ]) {
      const { status, stdout, stderr } = await legible(folder, [...args, 'old.agent'])
      expect(status).toBe(1)
      expect(stdout).toBe(args.includes('--check') ? 'old.agent\n' : '')
      for (const code of ['old_workflow', 'old_default', 'old_variable'])
        expect(stderr).toContain(`agentfile.${code}`)
      expect(stderr).toMatch(
        /\nlegible: old\.agent: left as it is: it has older spellings; --fix rewrites them\n$/,
      )
      expect(readFileSync(join(folder, 'old.agent'), 'utf8')).toBe(old)
    }
    expect(await legible(folder, ['fmt', '--fix', 'old.agent'])).toEqual({
      status: 0,
      stdout: 'old.agent\n',
      stderr: '',
    })
    expect(readFileSync(join(folder, 'old.agent'), 'utf8')).toBe(modern)
  })

  test('prints instead: --stdout, and standard input', async () => {
    const folder = folderWith({ 'a.agent': untidy, 'b.agent': tidy })
    expect(await legible(folder, ['fmt', '--stdout', 'a.agent'])).toEqual({
      status: 0,
      stdout: tidy,
      stderr: '',
    })
    expect(readFileSync(join(folder, 'a.agent'), 'utf8')).toBe(untidy)
    expect(await legible(folder, ['fmt', '-'], untidy)).toEqual({ status: 0, stdout: tidy, stderr: '' })
    expect(await legible(folder, ['fmt', '--check', '-'], untidy)).toEqual({
      status: 1,
      stdout: 'stdin\n',
      stderr: '',
    })
    expect(await legible(folder, ['fmt', '--stdout', '.'])).toMatchObject({ status: 2, stdout: '' })
  })

  test('keeps line ends, a byte order mark, links and read-only files', async () => {
    const folder = folderWith({
      'windows.agent': untidy.replaceAll('\n', '\r\n'),
      'mark.agent': `\ufeff${untidy}`,
      'real/a.agent': untidy,
      'latin.agent': Buffer.from([...Buffer.from(untidy), 0x0a, 0x23, 0xe9, 0x0a]),
    })
    symlinkSync('real/a.agent', join(folder, 'link.agent'))
    expect((await legible(folder, ['fmt', 'windows.agent', 'mark.agent', 'link.agent'])).status).toBe(0)
    expect(readFileSync(join(folder, 'windows.agent'), 'utf8')).toBe(tidy.replaceAll('\n', '\r\n'))
    expect(readFileSync(join(folder, 'mark.agent'), 'utf8')).toBe(`\ufeff${tidy}`)
    expect(readFileSync(join(folder, 'real/a.agent'), 'utf8')).toBe(tidy)
    const before = readFileSync(join(folder, 'latin.agent'))
    expect(await legible(folder, ['fmt', 'latin.agent'])).toMatchObject({
      status: 2,
      stderr: 'legible: latin.agent: this is not all UTF-8, and would not stay as it is\n',
    })
    expect(readFileSync(join(folder, 'latin.agent'))).toEqual(before)
  })

  test.skipIf(process.getuid?.() === 0)('does not write over a read-only file', async () => {
    const folder = folderWith({ 'a.agent': untidy })
    chmodSync(join(folder, 'a.agent'), 0o444)
    expect(await legible(folder, ['fmt', 'a.agent'])).toMatchObject({
      status: 2,
      stderr: 'legible: a.agent: writing this file is not permitted\n',
    })
  })
})

describe('graph', () => {
  test('draws Mermaid, or a picture', async () => {
    const folder = folderWith({
      'a.agent': good.replace('"Write on $topic"', 'FROM p.md'),
      'p.md': 'On $topic',
    })
    const { status, stdout, stderr } = await legible(folder, ['graph', 'a.agent'])
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
    expect(stdout).toContain('flowchart TD\n')
    expect(stdout).toContain('input1 -. "topic" .-> goal1\n')
    expect(await legible(folder, ['graph', 'a.agent', '--out', 'a.svg'])).toEqual({
      status: 0,
      stdout: '',
      stderr: '',
    })
    const svg = (await legible(folder, ['graph', '--format', 'svg', 'a.agent'])).stdout
    expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" .*<\/svg>\n$/s)
    expect(readFileSync(join(folder, 'a.svg'), 'utf8')).toBe(svg)
  })

  test('draws nothing of a file with errors', async () => {
    const folder = folderWith({ 'a.agent': broken })
    const { status, stdout, stderr } = await legible(folder, ['graph', 'a.agent', '--out', 'a.svg'])
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' })
    expect(stderr).toContain('agentfile.undefined_variable')
    expect(existsSync(join(folder, 'a.svg'))).toBe(false)
  })

  test('never writes over the Agentfile', async () => {
    const folder = folderWith({ 'a.agent': good })
    symlinkSync('a.agent', join(folder, 'b.svg'))
    expect((await legible(folder, ['graph', 'a.agent', '--out', 'b.svg'])).status).toBe(2)
    expect(readFileSync(join(folder, 'a.agent'), 'utf8')).toBe(good)
    expect((await legible(folder, ['graph', 'a.agent', '--out', 'none/a.svg'])).stderr).toMatch(
      /^legible: none\/a\.svg: it /,
    )
  })
})

test.each(['check', 'fmt', 'graph'])('%s --help teaches', async (command) => {
  const { status, stdout } = await legible(top, [command, '--help'])
  expect(status).toBe(0)
  expect(stdout).toMatch(/\nExamples:\n.*\nExit codes:\n {4}0 {2}.*\n {4}2 {2}/s)
  for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(125)
})

const shared = join(process.env.LEGIBLE_DATA ?? join(root, '../shared'), 'agentfiles')
const isThere = existsSync(join(shared, 'index.json'))
if (!isThere)
  console.log(`Agentfiles of others are not tried by tests/cli-agentfile.test.ts: there is no ${shared}`)

describe.skipIf(!isThere)('Agentfiles of others', () => {
  const { length } = isThere ? JSON.parse(readFileSync(join(shared, 'index.json'), 'utf8')) : []

  test('are all checked, formatted and drawn', async () => {
    const folder = join(top, 'others')
    cpSync(shared, folder, { recursive: true })
    const checked = JSON.parse((await legible(folder, ['check', '--json', '.'])).stdout)
    expect(checked.files).toHaveLength(length)
    const codes = checked.files.flatMap(({ issues }: { issues: { severity: string; code: string }[] }) =>
      issues.filter(({ severity }) => severity === 'error').map(({ code }) => code),
    )
    expect([...new Set(codes)]).toEqual(['agentfile.missing_file'])
    expect(await legible(folder, ['fmt', '--fix', '.'])).toMatchObject({ status: 0, stderr: '' })
    expect(await legible(folder, ['fmt', '--check', '.'])).toEqual({ status: 0, stdout: '', stderr: '' })
    const again = JSON.parse((await legible(folder, ['check', '--json', '.'])).stdout)
    expect(again.errors).toBe(checked.errors)
    const drawn = again.files.filter(({ ok }: { ok: boolean }) => ok)
    expect(drawn.length).toBeGreaterThan(80)
    for (const { file } of drawn) {
      const { read, files } = readWithFiles(join(folder, file), {
        text: readFileSync(join(folder, file), 'utf8'),
      })
      const graph = graphOf(read.value as Agentfile, files)
      expect(formatMermaid(graph)).toContain('\nflowchart TD\n')
      expect(formatSvg(graph)).toMatch(/<\/svg>\n$/)
    }
  })
})
