import { spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
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
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { withBriefLock } from './brief-lock.ts'
import { openHistory } from './line-history.ts'

const folder = mkdtempSync(join(tmpdir(), 'legible-history-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
let made = 0
const newFile = () => join(folder, String(++made), 'deep', 'history.jsonl')
const mode = (path: string) => statSync(path).mode & 0o777
const jsonLines = (lines: readonly string[]) => lines.map((line) => `${JSON.stringify(line)}\n`).join('')

describe('what is kept', () => {
  test('is there in the next run, for nobody else to read', () => {
    const file = newFile()
    const history = openHistory(file)
    history.add('one')
    history.add('two\nlines')
    expect(openHistory(file).lines).toEqual(['one', 'two\nlines'])
    expect(mode(file)).toBe(0o600)
    expect(mode(join(file, '..'))).toBe(0o700)
    expect(readdirSync(join(file, '..'))).toEqual(['history.jsonl'])
  })

  test('is neither repeated, nor blank, nor meant to be forgotten, nor huge', () => {
    const file = newFile()
    const history = openHistory(file)
    for (const line of ['a', 'a', '', ' \t', ' secret', 'x'.repeat(60_000), 'b', 'a']) history.add(line)
    expect(history.lines).toEqual(['a', 'b', 'a'])
    expect(openHistory(file).lines).toEqual(['a', 'b', 'a'])
  })

  test('is at most 1,000 lines, and a file that is far too long is written anew', () => {
    const file = newFile()
    const history = openHistory(file)
    history.add('first')
    for (let i = 0; i < 1500; i++) appendFileSync(file, jsonLines([`line ${i}`]))
    expect(openHistory(file).lines).toHaveLength(1000)
    expect(openHistory(file).lines.at(-1)).toBe('line 1499')
    expect(readFileSync(file, 'utf8').split('\n').length).toBeGreaterThan(1500)
    for (let i = 0; i < 1000; i++) appendFileSync(file, jsonLines([`more ${i}`]))
    expect(openHistory(file).lines.at(-1)).toBe('more 999')
    expect(readFileSync(file, 'utf8').split('\n')).toHaveLength(1001)
    expect(mode(file)).toBe(0o600)
    expect(readdirSync(join(file, '..'))).toEqual(['history.jsonl'])
  })

  test('has nothing in it that a terminal would obey', () => {
    const file = newFile()
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, jsonLines(['a\x1b[2Jb\x07', 'c\r\nd']))
    expect(openHistory(file).lines).toEqual(['ab', 'c\nd'])
  })
})

describe('what is wrong with the file', () => {
  const found = (text: string | Buffer) => {
    const file = newFile()
    mkdirSync(join(file, '..'), { recursive: true })
    writeFileSync(file, text)
    return file
  }

  test('bad lines are left out', () => {
    const file = found('"good"\n{"a":1}\n"half\n\0\0\nnull\n\n"also good"\n"cut of')
    const history = openHistory(file)
    expect(history.lines).toEqual(['good', 'also good'])
    // What was cut off does not spoil what comes after it.
    history.add('new')
    expect(openHistory(file).lines).toEqual(['good', 'also good', 'new'])
  })

  test('bytes that are no text', () => {
    expect(openHistory(found(Buffer.from([0xff, 0xfe, 0x0a, 0x22, 0x61, 0x22, 0x0a]))).lines).toEqual(['a'])
  })

  test('others could read it', () => {
    const file = found('"a"\n')
    chmodSync(file, 0o644)
    openHistory(file)
    expect(mode(file)).toBe(0o600)
  })

  test.each([
    ['a folder', (file: string) => mkdirSync(file, { recursive: true })],
    [
      'no folder to put it in',
      (file: string) => {
        mkdirSync(join(file, '..', '..'), { recursive: true })
        writeFileSync(join(file, '..'), '')
      },
    ],
    [
      'a full disk',
      (file: string) => {
        mkdirSync(join(file, '..'), { recursive: true })
        symlinkSync('/dev/full', file)
      },
    ],
  ])('%s: told once, and lines are kept in memory', (_what, make) => {
    const file = newFile()
    make(file)
    const told: string[] = []
    const history = openHistory(file, { warn: (message) => told.push(message) })
    history.add('a')
    history.add('b')
    expect(history.lines).toEqual(['a', 'b'])
    expect(told).toEqual([expect.stringMatching(/^The history is not kept: /)])
  })
})

test('chats at once lose nothing of each other, also while one writes the file anew', async () => {
  const file = newFile()
  openHistory(file).add('first')
  const module = JSON.stringify(join(import.meta.dirname, 'line-history.ts'))
  const writer = (name: string) =>
    spawn(process.execPath, [
      '--input-type=module',
      '-e',
      `import { openHistory } from ${module}
       const history = openHistory(${JSON.stringify(file)})
       for (let i = 0; i < 200; i++) history.add(${JSON.stringify(name)} + i)`,
    ])
  const writers = ['a', 'b'].map(writer)
  const ended = writers.map((child) => once(child, 'exit'))
  const old = jsonLines(Array.from({ length: 2100 }, (_, i) => `old ${i}`))
  let rewritten = 0
  while (writers.some(({ exitCode }) => exitCode === null)) {
    // Makes it far too long before the first line, so that it is written anew while the others append.
    withBriefLock(`${file}.lock`, () => writeFileSync(file, old + readFileSync(file, 'utf8')))
    openHistory(file)
    if (statSync(file).size < old.length) rewritten++
    await new Promise((resolve) => setTimeout(resolve, 1))
  }
  expect((await Promise.all(ended)).map(([code]) => code)).toEqual([0, 0])
  expect(rewritten).toBeGreaterThan(3)
  const lines = openHistory(file).lines
  for (const name of ['a', 'b']) {
    const expected = Array.from({ length: 200 }, (_, i) => `${name}${i}`)
    expect(lines.filter((line) => line.startsWith(name))).toEqual(expected)
  }
})
