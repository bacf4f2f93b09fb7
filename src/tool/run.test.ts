import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { xml } from '../text/xml.ts'
import { createToolRegistry, defineTool, jsonToolChain, type RequestedCall, yamlToolChain } from './index.ts'

const format = xml()
const ran: unknown[] = []
const wait = defineTool({
  name: 'wait',
  description: 'Waits',
  input: z.object({ ms: z.number() }),
  async run({ ms }, { callId, signal }) {
    ran.push([callId, ms])
    await sleep(ms, undefined, { signal })
    return `waited ${ms}`
  },
})
/** What its schema gives out, it would not take in, or would change once more. */
const note = defineTool({
  name: 'note',
  description: 'Writes a note',
  input: z.object({ day: z.date(), text: z.string().transform((text) => `${text}!`) }),
  run: ({ day, text }) => `${day.getUTCFullYear()} ${text}`,
})
const tools = [wait, note]
const chain = jsonToolChain({ tools })
const call = (id: string, args: unknown, name = 'wait'): RequestedCall => ({ id, name, arguments: args })

describe('run', () => {
  it('runs calls that were read already, at the same time, and keeps their order', async () => {
    const start = performance.now()
    const { raw, text } = await chain.run([call('a', { ms: 90 }), call('b', { ms: 10 })], { format })
    expect(performance.now() - start).toBeLessThan(170)
    expect(raw.results).toEqual([
      { id: 'a', name: 'wait', output: 'waited 90' },
      { id: 'b', name: 'wait', output: 'waited 10' },
    ])
    expect(text).toBe('<observation>\n<wait>\nwaited 90\n</wait>\n<wait>\nwaited 10\n</wait>\n</observation>')
  })

  it('gives what execute gives for the same calls', async () => {
    const content = '[{"tool": "wait", "args": {"ms": "1"}}, {"tool": "nope"}, {"tool": "wait", "args": {}}]'
    const { entries } = chain.read(content)
    const ran = await chain.run(
      entries.map((entry) => entry.call),
      { format },
    )
    const executed = await chain.execute(content, { format })
    expect(ran.text).toBe(executed.text)
    expect(ran.raw.results).toEqual(executed.raw.results)
    expect(ran.raw.calls).toEqual(executed.raw.calls)
    expect(ran.raw.errors.map((error) => error?.code)).toEqual(
      executed.raw.errors.map((error) => error?.code),
    )
  })

  it('takes one call, or none', async () => {
    expect((await chain.run(call('a', { ms: 0 }), { format })).raw.results).toHaveLength(1)
    expect(await chain.run([], { format })).toMatchObject({ text: '', raw: { calls: [], errors: [] } })
  })

  it('checks each call, and one bad call rejects only itself', async () => {
    const calls = [
      call('a', { ms: 'soon' }),
      call('b', {}, 'rm'),
      call('c', {}, ''),
      call('d', '{"ms": "2 ms"}'),
      call('e', '{"ms": 1, "ms": 2}'),
    ]
    const { raw, issues } = await chain.run(calls, { format })
    expect(raw.errors.map((error) => error?.code)).toEqual([
      'tool.invalid_arguments',
      'tool.unknown',
      'tool.missing_name',
      undefined,
      'tool.duplicate_key',
    ])
    expect(raw.results[3]?.output).toBe('waited 2')
    expect(issues.map(({ code }) => code)).toContain('tool.arguments_in_text')
  })

  it('runs what its own tools have accepted as it is: no schema is asked twice', async () => {
    const content = '{"tool": "note", "args": {"day": "2026-01-20", "text": "hi"}}'
    const fromYaml = yamlToolChain({ tools }).read('tool: note\nargs: {day: 2026-01-20, text: hi}').value
    const requested = { id: 'x', name: 'note', arguments: { day: '2026-01-20', text: 'hi' } }
    const checked = createToolRegistry(tools).check(requested)
    for (const calls of [chain.read(content, 7).value, fromYaml, checked.ok ? [checked.value] : []]) {
      const { raw } = await chain.run(calls, { format })
      expect(raw.results.map((result) => result?.output)).toEqual(['2026 hi!'])
    }
  })

  it('asks again when the tool is another one, or the call a copy', async () => {
    const strict = defineTool({ ...wait, input: z.object({ ms: z.number().max(5) }), run: () => 'ran' })
    const { value } = chain.read('{"tool": "wait", "args": {"ms": 50}}')
    const other = await jsonToolChain({ tools: [strict] }).run(value, { format })
    expect(other.raw.errors[0]?.code).toBe('tool.invalid_arguments')
    const copies = value.map((one) => ({ ...one, arguments: { ms: 'never' } }))
    expect((await chain.run(copies, { format })).raw.errors[0]?.code).toBe('tool.invalid_arguments')
  })

  it('has the hooks, the timeout and the signal of execute', async () => {
    const seen: unknown[] = []
    const hooked = await chain.run([call('a', { ms: 1 }), call('b', { ms: 2 })], {
      format,
      before: ({ id, arguments: args }) => {
        seen.push([id, args])
        return id === 'b' ? { refuse: 'Not now.' } : { arguments: { ms: 3 } }
      },
      after: (_, result) => ({ ...result, text: `${result.text}.` }),
    })
    expect(seen).toEqual([
      ['a', { ms: 1 }],
      ['b', { ms: 2 }],
    ])
    expect(hooked.raw.results[0]?.output).toBe('waited 3.')
    expect(hooked.raw.errors[1]?.code).toBe('tool.refused')
    const late = await chain.run(call('a', { ms: 500 }), { format, timeout: 10 })
    expect(late.raw.errors[0]?.code).toBe('tool.timeout')
    const cancelled = await chain.run(call('a', { ms: 500 }), { format, signal: AbortSignal.abort() })
    expect(cancelled.raw.errors[0]?.code).toBe('tool.aborted')
  })

  it('gives calls ids of their own, and keeps those that are', async () => {
    const { raw } = await chain.run([call('a', { ms: 0 }), call('a', { ms: 0 }), call('', { ms: 0 })], {
      format,
    })
    const ids = raw.calls.map(({ id }) => id)
    expect(ids[0]).toBe('a')
    expect(new Set(ids).size).toBe(3)
    expect(raw.results.map((result) => result?.id)).toEqual(ids)
  })

  it('runs no more calls than may be', async () => {
    const many = Array.from({ length: 70 }, (_, i) => call(`c${i}`, { ms: 0 }))
    const { raw, issues } = await chain.run(many, { format })
    expect(raw.results.filter(Boolean)).toHaveLength(64)
    expect(raw.errors.at(-1)?.code).toBe('tool.too_many_calls')
    expect(issues.map(({ code }) => code)).toEqual(['tool.too_many_calls'])
  })

  it('points to where a call stands', async () => {
    const calls = [{ ...call('a', { ms: 'x' }), span: [3, 9] as const }]
    const { issues, raw } = await chain.run(calls, { format })
    expect(issues).toMatchObject([{ code: 'tool.invalid_arguments', span: [3, 9] }])
    expect(raw.calls[0]?.span).toEqual([3, 9])
  })

  it('mistakes of the program', async () => {
    const rejects = (promise: Promise<unknown>, code: string) =>
      expect(promise).rejects.toThrow(expect.objectContaining({ name: 'LegibleError', code }))
    await rejects(chain.run([], undefined as never), 'tool.no_format')
    await rejects(chain.run([], { format, concurrency: 0 }), 'tool.invalid_option')
    for (const wrong of [null, 5, { callId: '1', toolName: 'wait' }, { id: 1, name: 'wait' }])
      await rejects(chain.run([wrong as never], { format }), 'tool.invalid_call')
  })
})
