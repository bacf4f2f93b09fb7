import { isDeepStrictEqual } from 'node:util'
import { linesOf } from './data.ts'

export interface DeclaredTool {
  name: string
  description?: string
  parameters?: Record<string, unknown>
}

/** A text of a test suite of an inference server or a client, and what its authors expect of it. */
export interface Case {
  id: string
  dialect: string
  /** `tools`: marks of reasoning are plain content. */
  surface: 'tools' | 'reasoning' | 'full'
  tools: DeclaredTool[]
  input: string
  /** What is absent was not asserted. */
  expect: {
    content?: string
    reasoning?: string
    calls?: { name: string; arguments?: unknown; id?: string }[]
  }
  /** How the test cuts the text. */
  chunks?: string[]
  start_in_reasoning?: boolean
  cmp?: 'trim'
  basis?: { args?: string }
  conflict?: unknown
}

/** What any reader found. */
export interface Found {
  content: string
  reasoning: string
  calls: { name: string; arguments: unknown; id?: string }[]
}

/** The cases of which arguments were asserted in full or not at all, and that no other case contradicts. */
export function countedCases(file: string): Case[] {
  return linesOf(file)
    .map((line) => JSON.parse(line) as Case)
    .filter(({ conflict, basis }) => conflict === undefined && ['full', 'none'].includes(basis?.args ?? ''))
}

export type Difference = 'calls' | 'arguments' | 'id' | 'content' | 'reasoning'

/** In what the reading differs from what is expected: nothing, if it is right. */
export function differences({ expect, cmp, basis }: Case, found: Found): Difference[] {
  const list: Difference[] = []
  const same = (a: string, b: string) => (cmp === 'trim' ? a.trim() === b.trim() : a === b)
  if (expect.content !== undefined && !same(found.content, expect.content)) list.push('content')
  if (expect.reasoning !== undefined && !same(found.reasoning, expect.reasoning)) list.push('reasoning')
  if (!expect.calls) return list
  const names = (calls: { name: string }[]) => calls.map(({ name }) => name)
  if (!isDeepStrictEqual(names(expect.calls), names(found.calls))) return ['calls', ...list]
  const pairs = expect.calls.map((call, i) => ({ call, got: found.calls[i]! }))
  const otherArguments = pairs.some(
    ({ call, got }) =>
      call.arguments !== undefined &&
      basis?.args !== 'none' &&
      !isDeepStrictEqual(plain(got.arguments), call.arguments),
  )
  if (otherArguments) list.unshift('arguments')
  if (pairs.some(({ call, got }) => call.id !== undefined && call.id !== got.id)) list.push('id')
  return list
}

/** As JSON would have it: objects without a prototype, and members that are undefined, are no difference. */
function plain(value: unknown): unknown {
  return value === undefined ? undefined : JSON.parse(JSON.stringify(value))
}
