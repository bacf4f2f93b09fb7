// Cases of inference servers and clients, over all dialects. They are not part of the project: LEGIBLE_DATA says where
// they are (see ../shared/README.md), and without them there is nothing to try.
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { gunzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { root } from '../scripts/entries.ts'
import { createToolCallReader } from '../src/tool/create-tool-call-reader.ts'
import type { DeclaredTool } from '../src/tool/declared-tools.ts'
import type { ToolCallsRead } from '../src/tool/tool-calls.ts'

interface Case {
  readonly id: string
  readonly dialect: string
  /** `tools`: marks of reasoning are content. */
  readonly surface: 'tools' | 'reasoning' | 'full'
  readonly tools?: readonly DeclaredTool[]
  readonly input: string
  /** What is absent was not asserted. */
  readonly expect: {
    readonly content?: string
    readonly reasoning?: string
    readonly calls?: readonly {
      readonly id?: string
      readonly name: string
      readonly arguments?: Record<string, unknown>
    }[]
  }
  readonly start_in_reasoning?: boolean
  readonly cmp?: string
  readonly basis?: { readonly args?: string }
  /** Another case has the same text and wants something else. */
  readonly conflict?: unknown
}

const LEAST_RIGHT = 0.91
const file = join(process.env.LEGIBLE_DATA ?? join(root, '../shared'), 'dialects/dev.jsonl.gz')
const isThere = existsSync(file)
if (!isThere) console.log(`tests/dialects.test.ts is skipped: there is no ${file}`)

function cases(): Case[] {
  const lines = gunzipSync(readFileSync(file)).toString().trim().split('\n')
  return lines
    .map((line): Case => JSON.parse(line))
    .filter(({ conflict, basis }) => conflict === undefined && /^(full|none)$/.test(basis?.args ?? ''))
}

function read({ tools, surface, start_in_reasoning }: Case, chunks: readonly string[]): ToolCallsRead {
  const reasoning = surface === 'tools' ? 'none' : start_in_reasoning ? 'open' : 'auto'
  const reader = createToolCallReader({ tools, reasoning, dialect: 'auto' })
  for (const chunk of chunks) reader.push(chunk)
  return reader.end()
}

function isRight({ expect: wanted, cmp, basis }: Case, { value }: ToolCallsRead): boolean {
  const same = (a: string, b: string | undefined) =>
    b === undefined || (cmp === 'trim' ? a.trim() === b.trim() : a === b)
  if (!same(value.content, wanted.content) || !same(value.reasoning, wanted.reasoning)) return false
  if (!wanted.calls) return true
  return (
    wanted.calls.length === value.calls.length &&
    wanted.calls.every((call, i) => {
      const found = value.calls[i]
      const args = JSON.parse(JSON.stringify(found?.arguments))
      return (
        call.name === found?.name &&
        (call.id === undefined || call.id === found.id) &&
        (call.arguments === undefined || basis?.args === 'none' || isDeepStrictEqual(args, call.arguments))
      )
    })
  )
}

describe.skipIf(!isThere)('cases of other projects', () => {
  const all = isThere ? cases() : []

  it(`at least ${100 * LEAST_RIGHT} of 100 are read right`, () => {
    const right = all.filter((one) => isRight(one, read(one, [one.input])))
    console.log(`${right.length} of ${all.length} cases of other projects are read right`)
    expect(all.length).toBeGreaterThan(600)
    expect(right.length / all.length).toBeGreaterThanOrEqual(LEAST_RIGHT)
  })

  it('read the same character by character', { timeout: 60_000 }, () => {
    const differ = all.filter(
      (one) => !isDeepStrictEqual(read(one, one.input.split('')), read(one, [one.input])),
    )
    expect(differ.map(({ id }) => id)).toEqual([])
  })
})
