import { globSync, readFileSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readAgentfileFixture } from '../fixtures/agentfile/read.ts'
import { readCallFixture } from '../fixtures/calls/read.ts'
import * as jsonSchemas from '../fixtures/json/schemas.ts'
import { readPlanFixture } from '../fixtures/plan/read.ts'
import { tools as replyTools } from '../fixtures/reply/tools.ts'
import { readSectionFixture } from '../fixtures/section/read.ts'
import * as sectionSchemas from '../fixtures/section/schemas.ts'
import * as textReads from '../fixtures/text/reads.ts'
import { readToolFixture } from '../fixtures/tool/tools.ts'
import { root } from '../scripts/entries.ts'
import { agentfileIssues } from '../src/agentfile/syntax/issues.ts'
import type { Issue } from '../src/core/issue.ts'
import type { Read } from '../src/core/read.ts'
import { callIssues } from '../src/dialects/issues.ts'
import { createJsonReader, type JsonOptions, readJson } from '../src/json/index.ts'
import { jsonIssues } from '../src/json/issues.ts'
import { planIssues } from '../src/plan/issues.ts'
import { createReplyReader, type ReplyOptions, readReply } from '../src/reply/index.ts'
import { replyIssues } from '../src/reply/issues.ts'
import { schemaIssues } from '../src/schema/issues.ts'
import type { Schema } from '../src/schema/schema.ts'
import { sectionIssues } from '../src/section/issues.ts'
import { splits } from '../src/testing/splits.ts'
import { textIssues } from '../src/text/issues.ts'
import { toolIssues } from '../src/tool/issues.ts'

/** One case of fixtures/<area>/<theme>.yaml. */
interface Fixture {
  readonly name: string
  readonly why: string
  readonly input: string
  /** JSON Schema. */
  readonly schema?: Schema
  /** The name of a zod schema in the area's schemas.ts. */
  readonly zod?: string
  readonly options?: Record<string, unknown>
  /** Absent when nothing usable was found. `{ $date }`, `{ $bigint }` and `{ $number }` for what YAML lacks. */
  readonly value?: unknown
  readonly ok?: boolean
  readonly complete?: boolean
  /** All of them, in the order of the text. */
  readonly issues?: readonly Expected[]
  /** Why the case does not run. */
  readonly skip?: string
}

/** Whatever else is given is compared with the params of the issue. */
interface Expected {
  /** Without the area's name, unless it is another area. */
  readonly code: string
  /** The text that the span points at; `a … b`: it begins with a and ends with b. None: an empty span, or no span. */
  readonly at?: string
  /** What stands right before it, where `at` alone could be any of several. */
  readonly after?: string
  readonly path?: readonly PropertyKey[]
  readonly [param: string]: unknown
}

/** What reads the fixtures of an area. A new area adds its line to `areas`. */
interface Area {
  /** Every code of these tables must appear in a fixture of the area. */
  readonly tables: readonly { readonly area: string; readonly kinds: object }[]
  readWhole(fixture: Fixture): Read<unknown>
  readChunks(fixture: Fixture, chunks: readonly string[]): Read<unknown>
}

const areas: Record<string, Area> = {
  agentfile: {
    tables: [agentfileIssues],
    readWhole: ({ input, options }) => readAgentfileFixture(input, options),
    // A file is whole before anybody reads it.
    readChunks: ({ options }, chunks) => readAgentfileFixture(chunks.join(''), options),
  },
  section: {
    tables: [sectionIssues],
    readWhole: (fixture) => readSectionFixture(fixture, schemaOf(fixture, sectionSchemas)),
    // A section is whole before anybody reads it.
    readChunks: (fixture, chunks) =>
      readSectionFixture({ ...fixture, input: chunks.join('') }, schemaOf(fixture, sectionSchemas)),
  },
  tool: {
    tables: [toolIssues],
    readWhole: (fixture) => readToolFixture(fixture),
    readChunks: (fixture, chunks) => readToolFixture({ ...fixture, input: chunks.join('') }),
  },
  calls: {
    tables: [callIssues],
    readWhole: (fixture) => readCallFixture(fixture, [fixture.input]),
    readChunks: (fixture, chunks) => readCallFixture(fixture, chunks),
  },
  json: {
    tables: [jsonIssues, schemaIssues],
    readWhole: (fixture) =>
      readJson(fixture.input, schemaOf(fixture, jsonSchemas) as Schema, fixture.options as JsonOptions),
    readChunks(fixture, chunks) {
      const reader = createJsonReader(
        schemaOf(fixture, jsonSchemas) as Schema,
        fixture.options as JsonOptions,
      )
      for (const chunk of chunks) reader.push(chunk)
      return reader.end()
    },
  },
  plan: {
    tables: [planIssues],
    readWhole: ({ input, options }) => readPlanFixture(options, [input]),
    readChunks: ({ options }, chunks) => readPlanFixture(options, chunks),
  },
  // `cut`: the stream broke off.
  reply: {
    tables: [replyIssues],
    readWhole: ({ input, options: { cut, ...options } = {} }) =>
      cut
        ? readReplyChunks([input], true, options)
        : readReply(input, { tools: replyTools, ...(options as Partial<ReplyOptions>) }),
    readChunks: ({ options: { cut, ...options } = {} }, chunks) =>
      readReplyChunks(chunks, cut === true, options),
  },
  text: { tables: [textIssues], ...textReads },
}

function readReplyChunks(chunks: readonly string[], cut: boolean, options: object): Read<unknown> {
  const reader = createReplyReader({ tools: replyTools, ...options })
  for (const chunk of chunks) reader.push(chunk)
  return reader.end({ cut })
}

const keys = 'name why input schema zod options value ok complete issues skip'.split(' ')
const seen = new Map<string, Fixture[]>()

for (const file of globSync('fixtures/*/*.yaml', { cwd: root }).sort()) {
  const area = basename(dirname(file))
  const fixtures: Fixture[] = parse(readFileSync(`${root}/${file}`, 'utf8'))
  seen.set(area, [...(seen.get(area) ?? []), ...fixtures])
  describe(file, () => {
    for (const fixture of fixtures)
      it.skipIf(fixture.skip)(fixture.name, () => {
        const reads = areas[area]
        if (!reads) throw new Error(`nothing reads fixtures/${area}: add it to the areas above`)
        expect(Object.keys(fixture).filter((key) => !keys.includes(key))).toEqual([])

        const whole = reads.readWhole(fixture)
        for (const { code, span } of whole.issues)
          if (span && !(0 <= span[0] && span[0] <= span[1] && span[1] <= fixture.input.length))
            throw new Error(`the span of ${code} lies outside the text: ${span}`)
        expect(whole.ok).toBe(!whole.issues.some(({ severity }) => severity === 'error'))
        // Soft: the streams are worth knowing about all the same.
        expect.soft(actualText(fixture, area, whole)).toBe(expectedText(fixture, area))

        const [characters, ...cuts] = splits(fixture.input, hash(fixture.name))
        for (const [way, chunks] of Object.entries({ whole: [fixture.input], characters, ...cuts })) {
          const read = reads.readChunks(fixture, chunks as string[])
          expect(plain(read), `as a stream, cut ${way}: ${JSON.stringify(chunks)}`).toBe(plain(whole))
        }
      })
  })
}

describe.each([...seen])('fixtures/%s', (area, fixtures) => {
  it('have names of their own', () => {
    const names = fixtures.map(({ name }) => name)
    expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([])
  })

  // Every prefix of a fixture is a text that was cut off.
  it('read the same in pieces, wherever they end', { timeout: 60_000 }, () => {
    const reads = areas[area] as Area
    const differ = new Map<string, string>()
    for (const fixture of fixtures)
      for (let end = 0; end < fixture.input.length; end++) {
        const cut = { ...fixture, input: fixture.input.slice(0, end) }
        if (plain(reads.readChunks(cut, cut.input.split(''))) !== plain(reads.readWhole(cut)))
          differ.set(fixture.name, cut.input)
      }
    expect(Object.fromEntries(differ)).toEqual({})
  })

  it('show every code', () => {
    const shown = new Set(
      fixtures.flatMap(({ issues }) => issues ?? []).map(({ code }) => fullCode(code, area)),
    )
    for (const table of areas[area]?.tables ?? [])
      expect(Object.keys(table.kinds).filter((code) => !shown.has(`${table.area}.${code}`))).toEqual([])
  })
})

function schemaOf({ schema, zod }: Fixture, named: Record<string, Schema>): Schema | undefined {
  if (zod && !Object.hasOwn(named, zod)) throw new Error(`schemas.ts has no ${zod}`)
  return zod ? named[zod] : schema
}

function expectedText(fixture: Fixture, area: string): string {
  const { ok = true, complete = true, issues = [] } = fixture
  const lines = issues.map(({ code, at, ...rest }) => issueLine(fullCode(code, area), at ?? '', rest))
  return readText(ok, complete, 'value' in fixture ? valueText(fixture.value) : '(none)', lines)
}

function actualText({ input, issues: expected = [] }: Fixture, area: string, read: Read<unknown>): string {
  const lines = read.issues.map((issue, i) => actualLine(input, issue, expected[i], area))
  return readText(read.ok, read.complete, 'value' in read ? valueText(read.value) : '(none)', lines)
}

/** The issue, told with the same facts as the expected one. */
function actualLine(input: string, issue: Issue, expected: Expected | undefined, area: string): string {
  const { code, span: [start, end] = [0, 0], path, params } = issue
  const text = input.slice(start, end)
  if (!expected || fullCode(expected.code, area) !== code) return issueLine(code, text, {})
  const { code: _, at = '', ...rest } = expected
  const [head, tail] = at.split(' … ') as [string, string?]
  const abbreviated = tail !== undefined && text.startsWith(head) && text.endsWith(tail)
  const facts = Object.keys(rest).map((name) => {
    if (name === 'after') return [name, input.slice(Math.max(0, start - String(rest.after).length), start)]
    return [name, name === 'path' ? path : params[name]]
  })
  return issueLine(code, abbreviated ? at : text, Object.fromEntries(facts))
}

function fullCode(code: string, area: string): string {
  return code.includes('.') ? code : `${area}.${code}`
}

function issueLine(code: string, at: string, facts: Record<string, unknown>): string {
  const told = Object.entries(facts).map(([name, fact]) => ` ${name}: ${JSON.stringify(fact)}`)
  return `  ${code} at ${JSON.stringify(at)}${told.join('')}`
}

function readText(ok: boolean, complete: boolean, value: string, issues: string[]): string {
  return [`ok: ${ok}`, `complete: ${complete}`, `value: ${value}`, 'issues:', ...issues].join('\n')
}

function plain({ ok, complete, issues, ...rest }: Read<unknown>): string {
  const lines = issues.map((issue) => `  ${JSON.stringify(issue)}`)
  return readText(ok, complete, 'value' in rest ? valueText(rest.value) : '(none)', lines)
}

function valueText(value: unknown): string {
  return JSON.stringify(canonical(value), null, 2)
}

/** Own keys in order, and what JSON lacks under the names that the fixtures give it. */
function canonical(value: unknown): unknown {
  if (typeof value === 'bigint') return { $bigint: String(value) }
  if (typeof value === 'number' && !Number.isFinite(value)) return { $number: String(value) }
  if (value === undefined) return { $undefined: true }
  if (value instanceof Date) return { $date: Number.isNaN(+value) ? 'invalid' : value.toISOString() }
  if (Array.isArray(value)) return Array.from(value, canonical)
  if (typeof value !== 'object' || value === null) return value
  const { $number } = value as { $number?: unknown }
  if (typeof $number === 'number') return { $number: String($number) } // YAML may read NaN as a number
  const prototype = Object.getPrototypeOf(value)
  const entries = Object.keys(value)
    .sort()
    .map((key) => [key, canonical((value as Record<string, unknown>)[key])])
  if (prototype !== null && prototype !== Object.prototype) entries.push(['$prototype', 'changed'])
  return Object.fromEntries(entries)
}

function hash(text: string): number {
  let sum = 7
  for (let i = 0; i < text.length; i++) sum = (Math.imul(sum, 31) + text.charCodeAt(i)) | 0
  return sum
}
