import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { openAppendFile } from './append-file.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'legible-append-'))
  file = join(folder, 'state', 'log.jsonl')
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

const text = () => readFileSync(file, 'utf8')
const modeOf = (path: string) => statSync(path).mode & 0o777
async function append(...lines: string[]) {
  const opened = await openAppendFile(file)
  await opened.append(...lines)
  await opened.close()
  return opened
}
const put = (content: string | Buffer) => {
  mkdirSync(join(folder, 'state'), { recursive: true })
  writeFileSync(file, content)
}

describe('lines', () => {
  it('come one after the other, and stay', async () => {
    const opened = await openAppendFile(file)
    expect(opened).toMatchObject({ wasEmpty: true, lastLine: undefined, torn: undefined })
    await Promise.all(Array.from({ length: 100 }, (_, i) => opened.append(`{"i":${i}}`)))
    await opened.close()
    expect(text()).toBe(Array.from({ length: 100 }, (_, i) => `{"i":${i}}\n`).join(''))
    const again = await append('{}', '{"last":"é"}')
    expect(again.wasEmpty).toBe(false)
    expect(String(again.lastLine)).toBe('{"i":99}')
    expect(text().endsWith('{"i":99}\n{}\n{"last":"é"}\n')).toBe(true)
  })

  it('are whole lines', async () => {
    const opened = await openAppendFile(file)
    await expect(opened.append('{}\n{}')).rejects.toMatchObject({ code: 'durable.invalid_line' })
    await expect(opened.append('')).rejects.toMatchObject({ code: 'durable.invalid_line' })
    await opened.close()
    await opened.close()
    await expect(opened.append('{}')).rejects.toMatchObject({ code: 'durable.closed' })
    expect(text()).toBe('')
  })

  it('that are torn are cut off, or only lack their end; the next one stands alone', async () => {
    const line = JSON.stringify({ text: 'é"}', n: 1 })
    const bytes = Buffer.from(line)
    for (let length = 1; length <= bytes.length; length++) {
      put(Buffer.concat([Buffer.from('{"a":1}\n'), bytes.subarray(0, length)]))
      const kept = length === bytes.length
      const { torn, lastLine } = await append('{"b":2}')
      expect(torn).toEqual({ bytes: length, kept })
      expect(String(lastLine)).toBe(kept ? line : '{"a":1}')
      expect(text()).toBe(kept ? `{"a":1}\n${line}\n{"b":2}\n` : '{"a":1}\n{"b":2}\n')
    }
  })

  it('of any length, torn or not, are found from the end', async () => {
    const part = fc.integer({ min: 0, max: 200_000 })
    await fc.assert(
      fc.asyncProperty(fc.array(part, { maxLength: 3 }), part, async (lengths, torn) => {
        const lines = lengths.map((length) => 'x'.repeat(length))
        put(lines.map((line) => `${line}\n`).join('') + 'y'.repeat(torn))
        const opened = await openAppendFile(file)
        await opened.close()
        expect(opened.torn?.bytes ?? 0).toBe(torn)
        expect(opened.lastLine?.toString()).toBe(lines.at(-1))
        expect(text()).toBe(lines.map((line) => `${line}\n`).join(''))
      }),
      { numRuns: 30 },
    )
  })
})

describe.skipIf(process.platform === 'win32')('what is private', () => {
  it('is for its owner alone', async () => {
    const before = process.umask(0)
    await append('{}').finally(() => process.umask(before))
    expect([modeOf(join(folder, 'state')), modeOf(file)]).toEqual([0o700, 0o600])
    chmodSync(file, 0o644)
    await append('{}')
    expect(modeOf(file)).toBe(0o600)
  })

  it('is no link, pipe, folder, or another name of a file', async () => {
    const elsewhere = join(folder, 'elsewhere')
    writeFileSync(elsewhere, 'mine\n')
    const refused = () =>
      expect(openAppendFile(file)).rejects.toMatchObject({ code: 'durable.unusable_file' })
    mkdirSync(join(folder, 'state'))
    symlinkSync(elsewhere, file)
    await refused()
    rmSync(file)
    symlinkSync(join(folder, 'not-there'), file)
    await refused()
    expect(existsSync(join(folder, 'not-there'))).toBe(false)
    rmSync(file)
    linkSync(elsewhere, file)
    await refused()
    rmSync(file)
    spawnSync('sh', ['-c', 'mkfifo "$0"', file])
    await refused()
    rmSync(file)
    mkdirSync(file)
    await expect(openAppendFile(file)).rejects.toThrow()
    expect(readFileSync(elsewhere, 'utf8')).toBe('mine\n')
  })

  it('stands in a folder that is no link', async () => {
    mkdirSync(join(folder, 'real'))
    symlinkSync(join(folder, 'real'), join(folder, 'state'))
    await expect(openAppendFile(file)).rejects.toThrow(/state is a link/)
    expect(existsSync(join(folder, 'real/log.jsonl'))).toBe(false)
  })
})

/** Adds lines until it fails, then looks; then makes room, and adds one more. */
const program = `
  const { openAppendFile } = await import(${JSON.stringify(fileURLToPath(new URL('./append-file.ts', import.meta.url)))})
  const { readFileSync, rmSync, writeFileSync } = await import('node:fs')
  const [, root] = process.argv
  const file = root + '/log.jsonl'
  // A line that goes over the end of the disk in its middle.
  const line = JSON.stringify({ text: 'x'.repeat(30_000) })
  const log = await openAppendFile(file)
  let count = 0
  let error
  try {
    for (; count < 100; count++) await log.append(line)
  } catch (caught) {
    error = caught.code + ': ' + caught.message.replace(root, '')
  }
  const whole = readFileSync(file, 'utf8') === (line + '\\n').repeat(count)
  rmSync(root + '/ballast', { force: true })
  const after = await log.append('{"small":1}').then(() => 'added', (error) => error.code)
  await log.close()
  console.log(JSON.stringify({ some: count > 0 && count < 100, error, whole, after, lines: readFileSync(file, 'utf8').split('\\n').length - 1 - count }))
`
const node = [process.execPath, '--input-type=module', '-e', program]

describe('a write that fails', () => {
  it.skipIf(process.platform === 'win32')('leaves nothing half: a file that is too large', () => {
    const { stdout, stderr } = spawnSync('sh', ['-c', 'ulimit -f 100; exec "$@"', 'sh', ...node, folder], {
      encoding: 'utf8',
    })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({
      some: true,
      whole: true,
      error:
        'durable.write_failed: Nothing was added to /log.jsonl: it is larger than the system lets files be.',
    })
  })

  // A disk of our own, in a namespace of our own; not every system lets us.
  const mount =
    'mount -t tmpfs -o size=256k tmpfs "$0" && head -c 65536 /dev/zero > "$0/ballast" && exec "$@" "$0"'
  const inNamespace = (...command: string[]) =>
    spawnSync('sh', ['-c', 'exec unshare -Urm sh -c "$@"', 'sh', mount, folder, ...command], {
      encoding: 'utf8',
    })

  it('leaves nothing half: a disk that is full', ({ skip }) => {
    if (inNamespace('true').status !== 0) skip('no namespace to mount a disk in')
    const { stdout, stderr } = inNamespace(...node)
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual({
      some: true,
      whole: true,
      error: 'durable.write_failed: Nothing was added to /log.jsonl: the disk is full.',
      after: 'added',
      lines: 1,
    })
  })
})

it('waits for nobody who writes beside it', async () => {
  // Another process that adds without asking: its lines are not taken back.
  const opened = await openAppendFile(file)
  await opened.append('{"a":1}')
  appendFileSync(file, '{"b":2}\n')
  await opened.append('{"c":3}')
  await opened.close()
  expect(text()).toBe('{"a":1}\n{"b":2}\n{"c":3}\n')
})
