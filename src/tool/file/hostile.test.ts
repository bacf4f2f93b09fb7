// 100,000 paths as a hostile model would write them: none leads out, and each is refused in plain words or stays within.
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { randomNumbers } from '../../core/random-numbers.ts'
import type { Tool, ToolContext } from '../tool.ts'
import { asToolResult } from '../tool-result.ts'
import { FileError } from './file-error.ts'
import { fileTools } from './file-tools.ts'
import { previewChange } from './preview-change.ts'

let above: string
beforeAll(() => {
  above = realpathSync(mkdtempSync(join(tmpdir(), 'legible-hostile-')))
  for (const folder of ['outside/deep', 'root/a/b', 'root/.git'])
    mkdirSync(join(above, folder), { recursive: true })
  for (const file of ['secret', 'outside/secret', 'outside/deep/secret', 'root/.git/secret', 'root/.env'])
    writeFileSync(join(above, file), 'SECRET')
  for (const file of ['root/file', 'root/a/file', 'root/a/b/file']) writeFileSync(join(above, file), 'inside')
  const links = {
    up: '..',
    out: '../outside',
    abs: join(above, 'outside'),
    self: 'self',
    etc: join(above, 'outside/deep'),
    dot: '.',
    git: '.git',
  }
  for (const [name, target] of Object.entries(links)) {
    symlinkSync(target, join(above, 'root', name))
    symlinkSync(
      target === '.' || target.startsWith('/') ? target : `../${target}`,
      join(above, 'root/a', name),
    )
  }
})
afterAll(() => rmSync(above, { recursive: true, force: true }))

/** What no tool may touch. Links are not followed here either. */
const snapshot = () =>
  ['.', 'outside', 'outside/deep', 'root/.git', 'root/.env']
    .map((path) => join(above, path))
    .map((path) => `${path}: ${statSync(path).isFile() ? readFileSync(path) : readdirSync(path).sort()}`)
    .concat(
      ['secret', 'outside/secret', 'outside/deep/secret', 'root/.git/secret'].map(
        (path) => `${readFileSync(join(above, path))}`,
      ),
    )

const names =
  '.. . ... up out abs self etc dot git a b file secret outside deep root .git .GIT .env .env.local git~1 .legible legible.toml passwd hostname proc self fd %2e%2e ．． ..;  ~ ~root C: nul CON aux.c file:stream file::$DATA .git::$INDEX_ALLOCATION -rf * ? $HOME $(id) `id` | "'
    .split(' ')
    .concat(
      '..\0',
      'a\0',
      'a\n',
      '.. ',
      '. ',
      '..\t',
      '\u202e',
      '\u200b',
      '.\u200bgit',
      '\ud800',
      '\udfff',
      '\ufeff',
      'é',
      'e\u0301',
    )
    .concat(
      '..%c0%af',
      '..\u2215',
      '\u2024\u2024',
      'x'.repeat(255),
      'x'.repeat(256),
      '😀'.repeat(64),
      '__proto__',
      'constructor',
    )
const between = [
  '/',
  '/',
  '/',
  '/',
  '/',
  '//',
  '\\',
  '/./',
  '/../',
  '\\..\\',
  '\0',
  '%2f',
  '\u2044',
  ':',
  ' ',
  '',
]
const starts = [
  '',
  '',
  '',
  '',
  './',
  '/',
  '../',
  '~/',
  'file://',
  'C:\\',
  '\\\\?\\',
  '//',
  '/proc/self/root',
  '/dev/fd/',
]

it('100,000 hostile paths stay within the root', { timeout: 60_000 }, async () => {
  const before = snapshot()
  const random = randomNumbers(7)
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const tools = fileTools({ root: join(above, 'root') })
  const toolOf = new Map(tools.map((tool) => [tool.name, tool]))
  const context: ToolContext = {
    signal: new AbortController().signal,
    callId: 'a',
    idempotencyKey: 'a',
    context: undefined,
  }
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)

  const escaped: string[] = []
  const check = (told: string, path: string) => {
    if (/SECRET|legible-hostile-/.test(told) || told.length > 10_000) escaped.push(path)
  }
  const attempt = async (i: number) => {
    let path = pick(starts) + pick(names)
    for (let more = Math.floor(random() * 5); more > 0; more--) path += pick(between) + pick(names)
    // Writes reach the disk, so there are fewer of them; a preview checks the same.
    const name =
      i % 500 === 0
        ? 'fs.write'
        : i % 500 === 1
          ? 'fs.edit'
          : pick(['fs.read', 'fs.list', 'fs.search', 'preview'])
    const args = { path, content: 'x', old: 'inside', new: 'inside!', text: 'SECRET' }
    try {
      if (name === 'preview') {
        const preview = await previewChange(tools, { name: 'fs.write', arguments: args })
        if (preview?.ok === false) throw new FileError(preview.code, preview.problem)
        check(preview?.diff ?? '', path)
      } else {
        const { text, instructions } = asToolResult(await (toolOf.get(name) as Tool).run(args, context))
        check(`${text}${instructions}`, path)
      }
      count('fine')
    } catch (error) {
      if (!(error instanceof FileError)) throw new Error(`${name} ${JSON.stringify(path)}`, { cause: error })
      check(error.message, path)
      count(error.code)
    }
  }
  for (let i = 0; i < 100_000; i += 50)
    await Promise.all(Array.from({ length: 50 }, (_, k) => attempt(i + k)))

  expect(escaped).toEqual([])
  expect(snapshot()).toEqual(before)
  // Every kind of refusal was met, and some paths were good.
  for (const what of [
    'fine',
    'file.invalid_path',
    'file.protected',
    'file.link',
    'file.missing',
    'file.wrong_kind',
  ])
    expect(counts.get(what) ?? 0, what).toBeGreaterThan(20)
})
