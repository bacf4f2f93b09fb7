import { spawn, spawnSync } from 'node:child_process'
import {
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { withFileLock } from './file-lock.ts'

let folder: string
let file: string
let lock: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legible-lock-'))
  file = join(folder, 'a')
  lock = `${file}.lock`
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const take = () => withFileLock(file, async () => 'done')
/** What a holder writes, as this process does. */
async function ownHolder(): Promise<Record<string, unknown>> {
  return withFileLock(file, async () => JSON.parse(readFileSync(lock, 'utf8')))
}

it('one after the other, within a process and when the work fails', async () => {
  let inside = 0
  const work = async () => {
    expect(++inside).toBe(1)
    await setTimeout(2)
    inside--
  }
  await Promise.all(Array.from({ length: 10 }, () => withFileLock(file, work)))
  await expect(withFileLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await take()).toBe('done')
  expect(readdirSync(folder)).toEqual([])
})

it('says who holds it, for its owner alone', async () => {
  const holder = await ownHolder()
  expect(holder.pid).toBe(process.pid)
  expect(holder.host).toContain(hostname())
})

it('is taken from a process that is dead, or was another', async () => {
  const holder = await ownHolder()
  const { pid } = spawnSync('true')
  for (const stale of [
    { ...holder, pid },
    ...(process.platform === 'linux' ? [{ ...holder, started: '1' }] : []),
  ]) {
    writeFileSync(lock, JSON.stringify(stale))
    expect(await take()).toBe('done')
    expect(readdirSync(folder)).toEqual([])
  }
})

it('is not taken from one that lives, nor from another machine before its time', async () => {
  const holder = await ownHolder()
  for (const [text, age, isStale] of [
    [JSON.stringify(holder), 3600, false],
    [JSON.stringify({ ...holder, host: 'elsewhere', pid: 1 }), 30, false],
    [JSON.stringify({ ...holder, host: 'elsewhere', pid: 1 }), 90, true],
    ['', 0, false],
    ['', 5, true],
    ['{"pid": -1}', 5, true],
  ] as const) {
    writeFileSync(lock, text)
    const then = Date.now() / 1000 - age
    utimesSync(lock, then, then)
    const taking = take()
    const first = await Promise.race([taking, setTimeout(100, 'waits')])
    expect([text, age, first]).toEqual([text, age, isStale ? 'done' : 'waits'])
    rmSync(lock, { force: true })
    await taking
  }
})

it('is given up by a process that is killed, whoever finds it', async () => {
  const module = JSON.stringify(fileURLToPath(new URL('./file-lock.ts', import.meta.url)))
  const program = `const { withFileLock } = await import(${module})
    await withFileLock(${JSON.stringify(file)}, () => { console.log('held'); return new Promise(() => setInterval(() => {}, 1e6)) })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program])
  await new Promise((resolve) => child.stdout.once('data', resolve))
  expect(existsSync(lock)).toBe(true)
  child.kill('SIGKILL')
  await new Promise((resolve) => child.once('exit', resolve))
  let inside = 0
  const work = async () => {
    expect(++inside).toBe(1)
    await setTimeout(1)
    inside--
  }
  await Promise.all(Array.from({ length: 20 }, () => withFileLock(file, work)))
  expect(readdirSync(folder)).toEqual([])
})
