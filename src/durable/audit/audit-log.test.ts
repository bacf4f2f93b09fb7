import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { AuditEntry } from './audit-entry.ts'
import { openAuditLog } from './audit-log.ts'
import { verifyAudit } from './verify-audit.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legible-audit-'))
  file = join(folder, '.legible', 'audit.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const lines = () => readFileSync(file, 'utf8').split('\n').slice(0, -1)
const records = () => lines().map((line) => JSON.parse(line))
const end = (reason: string): AuditEntry => ({ type: 'session-end', reason })
async function record(...entries: AuditEntry[]) {
  const log = await openAuditLog(file)
  for (const entry of entries) await log.record(entry)
  await log.close()
}
const problems = async () =>
  (await verifyAudit(file)).problems.map(({ line, kind }) => `${line ?? ''} ${kind}`.trim())

describe('records', () => {
  it('what happens, in a chain, without secrets, for its owner alone', async () => {
    const call = {
      id: 'a',
      name: 'shell',
      arguments: { command: 'curl -H "X-Api-Key: hunter2"', token: 'hunter2' },
    }
    await record(
      {
        type: 'session-start',
        command: 'chat',
        model: 'http://me:hunter2@127.0.0.1/v1#qwen3',
        root: '/home/me',
      },
      { type: 'call-start', call, needs: [{ capability: 'shell', path: undefined }], permittedBy: 'person' },
      {
        type: 'call-end',
        call: { id: 'a', name: 'shell' },
        ok: true,
        milliseconds: 4,
        result: { bytes: 2, sha256: 'ab'.repeat(32) },
      },
    )
    expect(records()).toEqual([
      {
        seq: 1,
        time: expect.stringMatching(/^\d{4}-.*Z$/),
        type: 'session-start',
        command: 'chat',
        model: 'http://me:[redacted]@127.0.0.1/v1#qwen3',
        root: '/home/me',
        prev: '0'.repeat(64),
        hash: expect.any(String),
      },
      {
        seq: 2,
        time: expect.any(String),
        type: 'call-start',
        call: {
          id: 'a',
          name: 'shell',
          arguments: { command: 'curl -H "X-Api-Key: [redacted]"', token: '[redacted]' },
        },
        needs: [{ capability: 'shell' }],
        permittedBy: 'person',
        prev: records()[0].hash,
        hash: expect.any(String),
      },
      {
        seq: 3,
        time: expect.any(String),
        type: 'call-end',
        call: { id: 'a', name: 'shell' },
        ok: true,
        milliseconds: 4,
        result: { bytes: 2, sha256: 'ab'.repeat(32) },
        prev: records()[1].hash,
        hash: expect.any(String),
      },
    ])
    const files = readdirSync(join(folder, '.legible')).sort()
    expect(files).toEqual(['audit.jsonl', 'audit.jsonl.head'])
    if (process.platform !== 'win32')
      for (const name of files) expect(statSync(join(folder, '.legible', name)).mode & 0o777).toBe(0o600)
    expect(await problems()).toEqual([])
  })

  it('what a call needs, however much its arguments are', async () => {
    const call = { id: 'a', name: 'x', arguments: Array.from({ length: 5000 }, () => 'word '.repeat(1000)) }
    await record({
      type: 'call-start',
      call,
      needs: [{ capability: 'fs.write', path: 'a' }],
      permittedBy: 'rule',
    })
    expect(records()[0]).toMatchObject({
      needs: [{ capability: 'fs.write', path: 'a' }],
      permittedBy: 'rule',
    })
    expect(statSync(file).size).toBeLessThan(1024 * 1024)
    expect(await problems()).toEqual([])
  })

  it('nothing after it was closed', async () => {
    const log = await openAuditLog(file)
    const last = log.record(end('a'))
    await log.close()
    await last
    await expect(log.record(end('b'))).rejects.toMatchObject({ code: 'durable.closed' })
    expect(lines().length).toBe(1)
  })

  it('from several places at once', async () => {
    const logs = await Promise.all([openAuditLog(file), openAuditLog(file)])
    await Promise.all(Array.from({ length: 40 }, (_, i) => logs[i % 2]?.record(end(`${i}`))))
    expect(records().map(({ seq }) => seq)).toEqual(Array.from({ length: 40 }, (_, i) => i + 1))
    expect(await problems()).toEqual([])
  })
})

describe('a log that is not as it was', () => {
  it('torn: what is half is cut off, and that is told', async () => {
    await record(end('a'))
    appendFileSync(file, '{"seq":2,"time":"2026')
    expect(await problems()).toEqual(['2 torn'])
    await record(end('b'))
    expect(records().map(({ type, found, bytes }) => [type, found, bytes])).toEqual([
      ['session-end', undefined, undefined],
      ['log-mended', 'torn', 21],
      ['session-end', undefined, undefined],
    ])
    expect(await problems()).toEqual([])
  })

  it('edited: it goes on, and the edit stays visible', async () => {
    await record(end('a'), end('b'))
    writeFileSync(file, readFileSync(file, 'utf8').replace('"b"', '"x"'))
    await record(end('c'))
    expect(await problems()).toEqual(['2 edited'])
  })

  it('cut off: the gap stays visible when it goes on', async () => {
    await record(end('a'), end('b'), end('c'))
    const [one = ''] = lines()
    writeFileSync(file, `${one}\n`)
    expect(await problems()).toEqual(['1 cut_off'])
    await record(end('d'))
    expect(records().map(({ seq }) => seq)).toEqual([1, 4])
    expect(await problems()).toEqual(['2 missing'])
  })

  it('the last line edited, also with a new hash: it stays visible when it goes on', async () => {
    await record(end('a'), end('b'))
    const before = readFileSync(file)
    truncateSync(file, Buffer.byteLength(`${lines()[0]}\n`))
    rmSync(`${file}.head`)
    const { formatAuditLine } = await import('./audit-line.ts')
    const [one] = records()
    writeFileSync(
      `${file}.head`,
      JSON.stringify({ seq: 2, hash: JSON.parse(String(before).split('\n')[1] ?? '').hash }),
    )
    appendFileSync(file, `${formatAuditLine(one, new Date(), end('forged')).line}\n`)
    await record(end('c'))
    expect(await problems()).toContain('2 edited')
  })

  it('the end of its last line removed: the line stays', async () => {
    await record(end('a'), end('b'))
    truncateSync(file, statSync(file).size - 1)
    await record(end('c'))
    expect(records().map(({ type, kept, reason }) => kept ?? reason ?? type)).toEqual(['a', 'b', true, 'c'])
    expect(await problems()).toEqual([])
  })

  it('deleted while it is written: the gap is there', async () => {
    const log = await openAuditLog(file)
    await log.record(end('a'))
    rmSync(join(folder, '.legible'), { recursive: true })
    await log.record(end('b'))
    expect(records().at(-1)).toMatchObject({ seq: 3, reason: 'b' })
    expect(await problems()).toEqual(['1 head_missing', '1 missing'])
  })

  it('without its head: that stays visible', async () => {
    await record(end('a'))
    rmSync(`${file}.head`)
    await record(end('b'))
    expect(await problems()).toEqual(['2 head_missing'])
  })

  it('a last line that nobody can read', async () => {
    await record(end('a'))
    appendFileSync(file, 'hello\n')
    await record(end('b'))
    expect(await problems()).toEqual(['2 not_json'])
  })
})

const module = JSON.stringify(fileURLToPath(new URL('./audit-log.ts', import.meta.url)))
/** Records entries, and prints the number of each when it is recorded. */
const program = `
  const { openAuditLog } = await import(${module})
  const { writeSync } = await import('node:fs')
  const [, file, name, count] = process.argv
  const log = await openAuditLog(file)
  for (let i = 0; i < count; i++) {
    await log.record({ type: 'session-end', reason: name + ':' + i })
    writeSync(1, i + '\\n')
  }
  await log.close()
`
function writer(
  name: string,
  count: number,
): ChildProcess & { done: Promise<{ code: number | null; printed: string }> } {
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, file, name, String(count)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let printed = ''
  child.stdout?.on('data', (chunk) => {
    printed += chunk
  })
  const done = new Promise<{ code: number | null; printed: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, printed }))
  })
  return Object.assign(child, { done })
}

describe('processes', () => {
  it('two at once: every entry is there once, in one chain', async () => {
    const ends = await Promise.all(['a', 'b'].map((name) => writer(name, 500).done))
    expect(ends.map(({ code }) => code)).toEqual([0, 0])
    const all = records()
    expect(all.map(({ seq }) => seq)).toEqual(Array.from({ length: 1000 }, (_, i) => i + 1))
    for (const name of ['a', 'b'])
      expect(all.map(({ reason }) => reason).filter((reason) => reason.startsWith(name))).toEqual(
        Array.from({ length: 500 }, (_, i) => `${name}:${i}`),
      )
    expect(await problems()).toEqual([])
  }, 30_000)

  it('killed at any moment: nothing that was recorded is lost, and the log is right after the next start', async () => {
    const recorded: string[] = []
    for (let round = 0; round < 8; round++) {
      const names = [`a${round}`, `b${round}`]
      const children = names.map((name) => writer(name, 100_000))
      // From the first entry on, a few milliseconds more each time.
      await Promise.all(
        children.map((child) => new Promise((resolve) => child.stdout?.once('data', resolve))),
      )
      await new Promise((resolve) => setTimeout(resolve, 3 + round * 2.3))
      for (const child of children) child.kill('SIGKILL')
      for (const [i, { done }] of children.entries()) {
        const { printed } = await done
        for (const number of printed.split('\n').slice(0, -1)) recorded.push(`${names[i]}:${number}`)
      }
      await (await openAuditLog(file)).close()
      expect(await problems()).toEqual([])
    }
    const there = new Set(records().map(({ reason }) => reason))
    expect(recorded.length).toBeGreaterThan(16)
    expect(recorded.filter((reason) => !there.has(reason))).toEqual([])
    expect(readdirSync(join(folder, '.legible')).filter((name) => name.includes('lock'))).toEqual([])
  }, 60_000)
})

it('a disk that is full: an error, and a log that is right', async ({ skip }) => {
  const mount = 'mount -t tmpfs -o size=64k tmpfs "$0" && exec "$@" "$0"'
  const inNamespace = (...command: string[]) =>
    spawnSync('sh', ['-c', 'exec unshare -Urm sh -c "$@"', 'sh', mount, folder, ...command], {
      encoding: 'utf8',
    })
  if (inNamespace('true').status !== 0) skip('no namespace to mount a disk in')
  const verify = JSON.stringify(fileURLToPath(new URL('./verify-audit.ts', import.meta.url)))
  const { stdout, stderr } = inNamespace(
    process.execPath,
    '--input-type=module',
    '-e',
    `const { openAuditLog } = await import(${module})
     const { verifyAudit } = await import(${verify})
     const file = process.argv[1] + '/.legible/audit.jsonl'
     const log = await openAuditLog(file)
     let count = 0
     let code
     try { for (; count < 1000; count++) await log.record({ type: 'session-end', reason: 'word '.repeat(200) }) }
     catch (error) { code = error.code }
     const { entries, problems, behindHead } = await verifyAudit(file)
     console.log(JSON.stringify({ code, some: count > 0, lost: count - entries, problems, behindHead }))`,
  )
  expect(stderr).toBe('')
  expect(JSON.parse(stdout)).toEqual({
    code: 'durable.write_failed',
    some: true,
    lost: 0,
    problems: [],
    behindHead: 0,
  })
})
