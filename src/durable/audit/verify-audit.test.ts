import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  chmodSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import fc from 'fast-check'
import { afterAll, beforeEach, describe, expect, it, test } from 'vitest'
import type { AuditEntry } from './audit-entry.ts'
import { CHAIN_START, type ChainPlace, formatAuditLine } from './audit-line.ts'
import { verifyAudit } from './verify-audit.ts'

const folder = mkdtempSync(join(tmpdir(), 'legible-verify-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const file = join(folder, 'audit.jsonl')
beforeEach(() => {
  for (const name of [file, `${file}.head`]) rmSync(name, { force: true, recursive: true })
})

const time = new Date(0)
const next = (after: ChainPlace, entry: AuditEntry) => formatAuditLine(after, time, entry)
/** A log, as it is written. */
function logOf(entries: readonly AuditEntry[]) {
  const lines: string[] = []
  const places: ChainPlace[] = [CHAIN_START]
  for (const entry of entries) {
    const { line, place } = next(places.at(-1) as ChainPlace, entry)
    lines.push(line)
    places.push(place)
  }
  return { lines, places, head: places.at(-1) as ChainPlace }
}
const end = (reason: string): AuditEntry => ({ type: 'session-end', reason })
const put = (bytes: string | Buffer, head?: unknown) => {
  writeFileSync(file, bytes, { mode: 0o600 })
  if (head !== undefined) writeFileSync(`${file}.head`, JSON.stringify(head), { mode: 0o600 })
}
const textOf = (lines: readonly string[]) => lines.map((line) => `${line}\n`).join('')

const entry: fc.Arbitrary<AuditEntry> = fc.oneof(
  fc.record({ type: fc.constant('session-end' as const), reason: fc.string({ unit: 'binary' }) }),
  fc.record({
    type: fc.constant('call-refused' as const),
    call: fc.record({ id: fc.string(), name: fc.string(), arguments: fc.jsonValue() }),
    code: fc.string(),
    reason: fc.string(),
  }),
)
const log = fc.array(entry, { minLength: 1, maxLength: 8 }).map(logOf)
const index = fc.nat({ max: 1_000_000 })

/** Every way to change a log that was thought of. Undefined where it changes nothing. */
const changes: Record<
  string,
  (lines: string[], a: number, b: number, places: ChainPlace[]) => string | Buffer | undefined
> = {
  'a byte': (lines, a, b) => {
    const bytes = Buffer.from(textOf(lines))
    const at = a % bytes.length
    bytes[at] = (bytes[at] as number) ^ (1 + (b % 255))
    return bytes
  },
  'a byte less': (lines, a) => {
    const bytes = Buffer.from(textOf(lines))
    const at = a % bytes.length
    return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + 1)])
  },
  'a byte more': (lines, a, b) => {
    const bytes = Buffer.from(textOf(lines))
    const at = a % (bytes.length + 1)
    return Buffer.concat([bytes.subarray(0, at), Buffer.from([b % 256]), bytes.subarray(at)])
  },
  'the end cut off': (lines, a) => {
    const bytes = Buffer.from(textOf(lines))
    return bytes.subarray(0, a % bytes.length)
  },
  'a line deleted': (lines, a) => textOf(lines.toSpliced(a % lines.length, 1)),
  'the first deleted': (lines) => textOf(lines.slice(1)),
  'the last deleted': (lines) => textOf(lines.slice(0, -1)),
  'two swapped': (lines, a, b) => {
    const [i, j] = [a % lines.length, b % lines.length]
    return i === j ? undefined : textOf(lines.with(i, lines[j] as string).with(j, lines[i] as string))
  },
  'one moved': (lines, a, b) => {
    const [i, j] = [a % lines.length, b % lines.length]
    return i === j ? undefined : textOf(lines.toSpliced(i, 1).toSpliced(j, 0, lines[i] as string))
  },
  'one repeated': (lines, a, b) =>
    textOf(lines.toSpliced(b % (lines.length + 1), 0, lines[a % lines.length] as string)),
  'copies at the end': (lines, a) => textOf([...lines, ...lines.slice(a % lines.length)]),
  'one inserted, with a hash that is right': (lines, a, b, places) => {
    const at = a % lines.length
    return textOf(lines.toSpliced(at, 0, next(places[b % (at + 1)] as ChainPlace, end('forged')).line))
  },
  'one edited, with a hash that is right': (lines, a, _, places) => {
    const at = a % lines.length
    return textOf(lines.with(at, next(places[at] as ChainPlace, end('forged')).line))
  },
  'all from one on written anew': (lines, a, _, places) => {
    const at = a % lines.length
    let place = places[at] as ChainPlace
    const forged = lines.slice(at).map(() => {
      const one = next(place, end('forged'))
      place = one.place
      return one.line
    })
    return textOf([...lines.slice(0, at), ...forged])
  },
}

test('a log that is as it was written is fine', async () => {
  await fc.assert(
    fc.asyncProperty(log, async ({ lines, head }) => {
      put(textOf(lines), head)
      const fine = { ok: true, problems: [], entries: lines.length, last: head, behindHead: 0 }
      expect(await verifyAudit(file)).toMatchObject(fine)
    }),
  )
})

describe('any change is found', () => {
  test.each(Object.entries(changes))('%s', async (_, change) => {
    await fc.assert(
      fc.asyncProperty(log, index, index, async ({ lines, places, head }, a, b) => {
        const changed = change(lines, a, b, places)
        fc.pre(changed !== undefined)
        put(changed as string | Buffer, head)
        const report = await verifyAudit(file)
        expect(report.ok).toBe(false)
        expect(report.problems.length).toBeGreaterThan(0)
      }),
      { numRuns: 40 },
    )
  })
})

describe('a problem is named', () => {
  const { lines, places, head } = logOf(['a', 'b', 'c', 'd', 'e'].map(end))
  const [one, two, three, four, five] = lines as [string, string, string, string, string]
  const forged = next(places[2] as ChainPlace, end('forged')).line
  const garbled = three.replace('"c"', '"x"')
  test.each<[string, string[], string[]]>([
    ['nothing', [one, two, three, four, five], []],
    ['an edit', [one, two, garbled, four, five], ['3 edited']],
    ['an edit of a number', [one, two, three.replace('"seq":3', '"seq":9'), four, five], ['3 edited']],
    ['an edit with a new hash', [one, two, forged, four, five], ['3 edited']],
    ['an edit of the last', [one, two, three, four, five.replace('"e"', '"x"')], ['5 edited']],
    ['a line gone', [one, two, four, five], ['3 missing']],
    ['two gone', [one, four, five], ['2 missing']],
    ['the first gone', [two, three, four, five], ['1 missing']],
    ['the last gone', [one, two, three, four], ['4 cut_off']],
    ['all gone', [], ['cut_off']],
    ['neighbours swapped', [one, three, two, four, five], ['3 reordered']],
    ['one moved to the end', [one, three, four, five, two], ['5 reordered']],
    ['the first moved to the end', [two, three, four, five, one], ['5 reordered']],
    ['one repeated', [one, two, two, three, four, five], ['3 repeated']],
    ['copies at the end', [one, two, three, four, five, one, two], ['6 repeated', '7 repeated']],
    ['no JSON', [one, two, 'hello', four, five], ['3 not_json']],
    ['an empty line', [one, two, '', three, four, five], ['3 not_json']],
    ['other JSON', [one, '{}', two, three, four, five], ['2 not_json']],
    ['several', [two, garbled, five], ['1 missing', '2 edited', '3 missing']],
  ])('%s', async (_, changed, kinds) => {
    put(textOf(changed), head)
    const { ok, problems } = await verifyAudit(file)
    expect(problems.map(({ line, kind }) => [line, kind].join(' ').trim())).toEqual(kinds)
    expect(ok).toBe(kinds.length === 0)
  })

  it('a torn line', async () => {
    put(`${textOf(lines.slice(0, 4))}${five.slice(0, 40)}`, places[4])
    expect((await verifyAudit(file)).problems).toEqual([
      { kind: 'torn', line: 5, message: expect.any(String) },
    ])
  })

  it('of many, the first are listed and all are counted', async () => {
    const { lines, head } = logOf(Array.from({ length: 1000 }, (_, i) => end(`${i}`)))
    put(textOf(lines.map((line) => line.replace('session', 'Session'))), head)
    const report = await verifyAudit(file)
    expect([report.problems.length, report.problemCount]).toEqual([100, 1000])
    put(textOf(lines.filter((_, i) => i % 2 === 1)), head)
    expect((await verifyAudit(file)).problemCount).toBe(500)
    put(textOf(lines.toReversed()), head)
    expect((await verifyAudit(file)).problemCount).toBe(999)
  })
})

describe('the head', () => {
  const { lines, places, head } = logOf(['a', 'b', 'c'].map(end))

  it('may be behind, in a chain that is right', async () => {
    put(textOf(lines), places[2])
    expect(await verifyAudit(file)).toMatchObject({ ok: true, behindHead: 1, last: head })
    put(textOf(lines), CHAIN_START)
    expect(await verifyAudit(file)).toMatchObject({
      ok: false,
      behindHead: 3,
      problems: [{ kind: 'not_in_head' }],
    })
  })

  test.each([
    ['missing', undefined, 'head_missing'],
    ['unreadable', 'nonsense', 'head_missing'],
    ['of another log', { seq: 2, hash: 'f'.repeat(64) }, 'edited'],
    ['ahead', { seq: 4, hash: 'f'.repeat(64) }, 'cut_off'],
  ])('%s', async (_, given, kind) => {
    put(textOf(lines), given)
    expect((await verifyAudit(file)).problems.map((problem) => problem.kind)).toEqual([kind])
  })

  it('that was kept elsewhere must be in the log', async () => {
    put(textOf(lines), head)
    for (const { hash } of places) expect((await verifyAudit(file, { head: hash })).ok).toBe(true)
    // All written anew, head included: nothing else finds this.
    const other = logOf(['a', 'x', 'c'].map(end))
    put(textOf(other.lines), other.head)
    expect((await verifyAudit(file)).ok).toBe(true)
    const { problems } = await verifyAudit(file, { head: head.hash })
    expect(problems.map(({ kind }) => kind)).toEqual(['cut_off'])
    await expect(verifyAudit(file, { head: 'abc' })).rejects.toMatchObject({ code: 'audit.invalid_head' })
  })
})

describe('the files', () => {
  const { lines, head } = logOf([end('a')])

  it('that are missing', async () => {
    const kinds = async () => (await verifyAudit(file)).problems.map(({ kind }) => kind)
    expect(await kinds()).toEqual(['file_missing'])
    put('', head)
    rmSync(file)
    expect(await kinds()).toEqual(['file_missing', 'cut_off'])
    // Nothing was ever recorded.
    put('', CHAIN_START)
    expect(await kinds()).toEqual([])
    rmSync(file)
    expect(await kinds()).toEqual([])
  })

  it.skipIf(process.platform === 'win32')('that others may read', async () => {
    put(textOf(lines), head)
    chmodSync(file, 0o640)
    chmodSync(`${file}.head`, 0o604)
    const { problems } = await verifyAudit(file)
    expect(problems.map(({ kind, message }) => [kind, /mode \d+/.exec(message)?.[0]])).toEqual([
      ['permissions', 'mode 640'],
      ['permissions', 'mode 604'],
    ])
  })

  it('that are no files', async () => {
    mkdirSync(file)
    await expect(verifyAudit(file)).rejects.toMatchObject({ code: 'durable.unusable_file' })
    rmSync(file, { recursive: true })
    symlinkSync('/etc/hostname', file)
    await expect(verifyAudit(file)).rejects.toMatchObject({ code: 'durable.unusable_file' })
  })

  it('that are huge take no more memory', () => {
    const { lines } = logOf(Array.from({ length: 2000 }, () => end('x'.repeat(1500))))
    put('', head)
    // A line of half a gigabyte without an end, then one that has it, and the same lines again and again.
    truncateSync(file, 512 * 1024 * 1024)
    for (let i = 0; i < 10; i++) appendFileSync(file, `\n${textOf(lines)}`)
    const program = `
      const { verifyAudit } = await import(${JSON.stringify(fileURLToPath(new URL('./verify-audit.ts', import.meta.url)))})
      const { entries, problemCount } = await verifyAudit(process.argv[1])
      console.log(JSON.stringify({ entries, found: problemCount > 1000, large: process.resourceUsage().maxRSS > 256 * 1024 }))`
    const { stdout } = spawnSync(process.execPath, ['--input-type=module', '-e', program, file], {
      encoding: 'utf8',
    })
    expect(JSON.parse(stdout)).toEqual({ entries: 20_000, found: true, large: false })
  })
})
