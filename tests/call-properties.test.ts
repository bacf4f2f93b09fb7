// What must hold for every text that may hold calls, tried on thousands of made-up ones. PROPERTY_RUNS=20000 searches
// longer, PROPERTY_SEED=2 elsewhere.
import { isDeepStrictEqual } from 'node:util'
import fc from 'fast-check'
import { describe, expect, it, vi } from 'vitest'
import { dialects } from '../src/dialects/dialects.ts'

import { splits } from '../src/testing/splits.ts'
import { createToolCallReader, type ToolCallOptions } from '../src/tool/create-tool-call-reader.ts'
import { formatToolCalls } from '../src/tool/format-tool-calls.ts'
import { readToolCalls } from '../src/tool/read-tool-calls.ts'
import type { ToolCallEvent, ToolCallsRead } from '../src/tool/tool-calls.ts'
import { callTools, mixedText } from './call-texts.ts'

vi.setConfig({ testTimeout: 600_000 })

const runs = Number(process.env.PROPERTY_RUNS ?? 400)

interface Told {
  readonly read: ToolCallsRead
  readonly events: readonly ToolCallEvent[]
}

function read(chunks: readonly string[], options: ToolCallOptions): Told {
  const events: ToolCallEvent[] = []
  const reader = createToolCallReader({ ...options, onEvent: (event) => events.push(event) })
  for (const chunk of chunks) reader.push(chunk)
  return { read: reader.end(), events }
}

/** The parts are all of the text, in order, and say what stands there. */
function coversAll(text: string, { value }: ToolCallsRead): void {
  let at = 0
  for (const part of value.parts) {
    expect(part.span[0]).toBe(at)
    expect(part.span[1]).toBeGreaterThanOrEqual(at)
    at = part.span[1]
    if (part.type === 'content' || part.type === 'reasoning') expect(part.text).toBe(text.slice(...part.span))
    if (part.type === 'call') expect(part.span).toEqual(part.call.span)
  }
  expect(at).toBe(text.length)
  expect(value.parts.flatMap((part) => (part.type === 'call' ? [part.call] : []))).toEqual(value.calls)
}

const joined = (events: readonly ToolCallEvent[], type: ToolCallEvent['type'], index?: number) =>
  events
    .map((event) =>
      event.type === type &&
      'text' in event &&
      (index === undefined || !('index' in event) || event.index === index)
        ? event.text
        : '',
    )
    .join('')

/** What was told comes to what was read. */
function tellsAll({ read: { value }, events }: Told): void {
  expect(joined(events, 'content-delta')).toBe(value.content)
  expect(joined(events, 'reasoning-delta')).toBe(value.reasoning)
  const open = new Set<number>()
  const ended: number[] = []
  for (const event of events) {
    if (event.type === 'call-start') {
      const call = value.calls[event.index]
      expect([event.id, event.name]).toEqual([call?.id, call?.name])
      expect(open.has(event.index) || ended.includes(event.index)).toBe(false)
      open.add(event.index)
    }
    if (event.type === 'call-delta') expect(open.has(event.index)).toBe(true)
    if (event.type === 'call-end') {
      expect(event.call).toEqual(value.calls[event.index])
      expect(open.delete(event.index)).toBe(true)
      ended.push(event.index)
    }
  }
  expect([...open]).toEqual([])
  expect(ended).toEqual(value.calls.map((_, index) => index))
}

function readsRight(text: string, options: ToolCallOptions): void {
  const whole = read([text], options)
  coversAll(text, whole.read)
  tellsAll(whole)
  // Whoever listens reads the same as whoever does not.
  expect(isDeepStrictEqual(readToolCalls(text, options), whole.read)).toBe(true)
  for (const { span } of whole.read.issues)
    if (span) expect(0 <= span[0] && span[0] <= span[1] && span[1] <= text.length).toBe(true)
  for (const chunks of splits(text, text.length, 2)) {
    const told = read(chunks, options)
    if (!isDeepStrictEqual(told.read, whole.read))
      expect(told.read, `in pieces: ${JSON.stringify(chunks)}`).toEqual(whole.read)
    tellsAll(told)
  }
}

const reasoning = fc.constantFrom('auto', 'open', 'none')
const tools = fc.constantFrom(undefined, callTools)

describe('any text', () => {
  it('with marks of any dialect', () => {
    fc.assert(
      fc.property(mixedText, reasoning, tools, (text, reasoning, tools) =>
        readsRight(text, { reasoning, tools } as ToolCallOptions),
      ),
      { numRuns: runs * 2 },
    )
  })

  it('with marks of other dialects than the one it is read as', () => {
    const names = fc.constantFrom(...dialects.map(({ name }) => name))
    fc.assert(
      fc.property(mixedText, names, reasoning, tools, (text, dialect, reasoning, tools) =>
        readsRight(text, { dialect, reasoning, tools } as ToolCallOptions),
      ),
      { numRuns: runs },
    )
  })

  it('where calls are expected', () => {
    fc.assert(
      fc.property(mixedText, reasoning, (text, reasoning) =>
        readsRight(text, { expect: 'calls', reasoning, tools: callTools } as ToolCallOptions),
      ),
      { numRuns: runs },
    )
  })
})

describe('calls as they should be', () => {
  const word = fc.stringMatching(/^[a-z]([a-z .,]{0,12}[a-z])?$/)
  const call = fc.oneof(
    fc.record({
      name: fc.constant('look_up'),
      arguments: fc.record({
        word,
        count: fc.nat(99),
        exact: fc.boolean(),
        tags: fc.array(word, { minLength: 1 }),
      }),
    }),
    fc.record({ name: fc.constant('ring'), arguments: fc.record({ bell: word }) }),
    fc.record({ name: fc.constant('stop'), arguments: fc.constant({}) }),
  )
  const speaking = dialects.filter(
    (row) => row.form.kind !== 'json' || row.open || row.bare || row.write?.calls,
  )

  it.each(speaking.map(({ name }) => name))('%s: what is told of arguments is their JSON', (dialect) => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 3 }), fc.nat(1000), (calls, seed) => {
        const text = formatToolCalls(calls, { dialect, tools: callTools })
        const [, chunks = []] = splits(text, seed, 1)
        const { read: result, events } = read(chunks, { dialect, tools: callTools })
        expect(result.value.calls.map(({ name, arguments: args }) => ({ name, arguments: args }))).toEqual(
          calls,
        )
        for (const [index, { arguments: args }] of calls.entries())
          expect(JSON.parse(joined(events, 'call-delta', index))).toEqual(args)
      }),
      { numRuns: Math.ceil(runs / 20) },
    )
  })
})
