import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { xml } from '../text/xml.ts'
import { defineTool, jsonToolChain, type ToolCall, type ToolContext, toolResult } from './index.ts'

const format = xml()

/** Waits as long as it is told, and keeps count of how many of its kind run at the same time. */
function waiter() {
  const seen = { running: 0, most: 0, ended: [] as number[], contexts: [] as ToolContext[] }
  const tool = defineTool({
    name: 'wait',
    description: 'Waits',
    input: z.object({ ms: z.number(), deaf: z.boolean().optional() }),
    async run({ ms, deaf }, context) {
      seen.contexts.push(context)
      seen.most = Math.max(seen.most, ++seen.running)
      try {
        await sleep(ms, undefined, deaf ? {} : { signal: context.signal })
        seen.ended.push(ms)
        return `waited ${ms}`
      } finally {
        seen.running--
      }
    },
  })
  return { seen, chain: jsonToolChain({ tools: [tool] }) }
}

const calls = (...times: (number | object)[]) =>
  JSON.stringify(
    times.map((time) => ({ tool: 'wait', args: typeof time === 'number' ? { ms: time } : time })),
  )

describe('execute', () => {
  it('runs calls at the same time, and keeps their order', async () => {
    const { chain, seen } = waiter()
    const { raw } = await chain.execute(calls(120, 20, 70), { format })
    expect(seen.most).toBe(3)
    expect(seen.ended).toEqual([20, 70, 120])
    expect(raw.results.map((result) => result?.output)).toEqual(['waited 120', 'waited 20', 'waited 70'])
  })

  it('runs no more calls at the same time than it may', async () => {
    const { chain, seen } = waiter()
    await chain.execute(calls(20, 20, 20, 20, 20, 20, 20), { format, concurrency: 3 })
    expect(seen.most).toBe(3)
    const eight = waiter()
    await eight.chain.execute(calls(...Array(20).fill(10)), { format })
    expect(eight.seen.most).toBe(8)
    const one = waiter()
    await one.chain.execute(calls(30, 10, 20), { format, concurrency: 1 })
    expect(one.seen.ended).toEqual([30, 10, 20])
  })

  it('gives each call its own time, and ends a tool that pays no heed', async () => {
    const { chain } = waiter()
    const start = performance.now()
    const { raw, text } = await chain.execute(calls(500, 10, { ms: 500, deaf: true }), {
      format,
      timeout: 60,
    })
    expect(performance.now() - start).toBeLessThan(400)
    expect(raw.errors.map((error) => error?.code)).toEqual(['tool.timeout', undefined, 'tool.timeout'])
    expect(raw.results[1]).toMatchObject({ output: 'waited 10' })
    expect(text).toContain('<wait>\nError: The tool did not finish within 60 ms.\n</wait>')
  })

  it('tells the tool that its time is up', async () => {
    const { chain, seen } = waiter()
    await chain.execute(calls(500), { format, timeout: 30 })
    expect(seen.contexts[0]?.signal.aborted).toBe(true)
  })

  it('can be cancelled: what has ended stays, what has not does not start', async () => {
    const { chain, seen } = waiter()
    const controller = new AbortController()
    setTimeout(() => controller.abort(new Error('enough')), 50)
    const { raw, text } = await chain.execute(calls(10, 500, { ms: 500, deaf: true }, 10), {
      format,
      signal: controller.signal,
      concurrency: 2,
    })
    expect(raw.errors.map((error) => error?.code)).toEqual([
      undefined,
      'tool.aborted',
      'tool.aborted',
      'tool.aborted',
    ])
    expect(raw.errors[1]?.cause).toEqual(new Error('enough'))
    expect(seen.contexts).toHaveLength(3)
    expect(text.match(/Error: The call was cancelled/g)).toHaveLength(3)
  })

  it('runs nothing when it is cancelled already', async () => {
    const { chain, seen } = waiter()
    const { raw } = await chain.execute(calls(1, 1), { format, signal: AbortSignal.abort() })
    expect(raw.errors.map((error) => error?.code)).toEqual(['tool.aborted', 'tool.aborted'])
    expect(seen.contexts).toEqual([])
  })

  it('leaves no listeners behind', async () => {
    const { chain } = waiter()
    const controller = new AbortController()
    let listeners = 0
    const { signal } = controller
    const add = signal.addEventListener.bind(signal)
    const remove = signal.removeEventListener.bind(signal)
    signal.addEventListener = (...args: Parameters<typeof add>) => {
      listeners++
      add(...args)
    }
    signal.removeEventListener = (...args: Parameters<typeof remove>) => {
      listeners--
      remove(...args)
    }
    await chain.execute(calls(1, 2, 3), { format, signal })
    expect(listeners).toBe(0)
  })

  it('hands its context and the id of the call to the tool', async () => {
    const { chain, seen } = waiter()
    const { raw } = await chain.execute(calls(1), { format, context: { user: 'ada' } })
    expect(seen.contexts[0]).toMatchObject({ context: { user: 'ada' }, callId: raw.calls[0]?.id })
  })

  const circular: Record<string, unknown> = {}
  circular.self = circular
  it.each([
    ['a circle', () => circular, 'tool.unwritable_output'],
    ['a big integer', () => ({ n: 1n }), 'tool.unwritable_output'],
    ['a function', () => () => 1, 'tool.unwritable_output'],
    [
      'a thing that cannot be written',
      () => ({
        toJSON() {
          throw new Error('no')
        },
      }),
      'tool.unwritable_output',
    ],
    [
      'a string thrown',
      () => {
        throw 'oops'
      },
      'tool.failed',
    ],
    [
      'nothing at all thrown',
      () => {
        throw Object.create(null)
      },
      'tool.failed',
    ],
    ['a rejection', () => Promise.reject(new Error('later')), 'tool.failed'],
  ])('a tool that gives %s fails alone', async (_, run, code) => {
    const tools = [
      defineTool<undefined, unknown>({ name: 'odd', description: 'x', run }),
      defineTool({ name: 'fine', description: 'x', run: () => 'ok' }),
    ]
    const { raw, text } = await jsonToolChain({ tools }).execute('[{"tool": "odd"}, {"tool": "fine"}]', {
      format,
    })
    expect(raw.errors.map((error) => error?.code)).toEqual([code, undefined])
    expect(text).toMatch(/<odd>\nError: .+\n<\/odd>\n<fine>\nok\n<\/fine>/)
  })

  it('writes nothing, empty text and null as they are', async () => {
    const outputs = [undefined, '', null, 0, false, [], new Date('2026-01-20')]
    const tools = outputs.map((output, i) =>
      defineTool({ name: `t${i}`, description: 'x', run: () => output }),
    )
    const content = JSON.stringify(tools.map(({ name }) => ({ tool: name })))
    const { text, raw } = await jsonToolChain({ tools }).execute(content, { format })
    expect(raw.errors.filter(Boolean)).toEqual([])
    expect([...text.matchAll(/<t\d>\n(.*)\n<\/t\d>/g)].map(([, output]) => output)).toEqual([
      '',
      '',
      'null',
      '0',
      'false',
      '[]',
      '"2026-01-20T00:00:00.000Z"',
    ])
  })
})

describe('names that the format cannot write', () => {
  it('are found before anything runs', async () => {
    const { chain, seen } = waiter()
    await expect(chain.execute(calls(1), { format, wrapper: 'a b' })).rejects.toMatchObject({
      name: 'LegibleError',
    })
    expect(seen.contexts).toEqual([])
  })
})

describe('hooks', () => {
  const ran: unknown[] = []
  const pay = defineTool({
    name: 'pay',
    description: 'Pays',
    input: z.object({ amount: z.number().max(100), due: z.date().optional() }),
    run: (input) => {
      ran.push(input)
      return `paid ${input.amount}`
    },
  })
  const chain = jsonToolChain({ tools: [pay] })
  const content = '{"tool": "pay", "args": {"amount": 5, "due": "2026-01-20"}}'

  it('before sees each call that would run', async () => {
    const seen: ToolCall[] = []
    await chain.execute(`[${content}, {"tool": "pay"}, {"tool": "nope"}]`, {
      format,
      before: (call) => void seen.push(call),
    })
    expect(seen).toMatchObject([{ name: 'pay', arguments: { amount: 5, due: new Date('2026-01-20') } }])
  })

  it('before may change arguments, and they are checked again', async () => {
    ran.length = 0
    const changed = await chain.execute(content, {
      format,
      before: ({ arguments: args }) => ({ arguments: { ...args, amount: 7 } }),
    })
    expect(changed.text).toContain('paid 7')
    expect(changed.raw.calls).toMatchObject([{ arguments: { amount: 7 } }])
    expect(ran).toEqual([{ amount: 7, due: new Date('2026-01-20') }])
    const refused = await chain.execute(content, {
      format,
      before: async () => ({ arguments: { amount: 1000 } }),
    })
    expect(refused.raw.errors).toMatchObject([{ code: 'tool.hook_failed' }])
    expect(ran).toHaveLength(1)
  })

  it('arguments of a hook that do not fit are no fault of the model', async () => {
    for (const wrong of [{ amount: 1000 }, 'amount', null]) {
      const { raw, text } = await chain.execute(content, {
        format,
        before: () => ({ arguments: wrong as never }),
      })
      expect(text).toContain('<pay>\nError: The call could not be carried out, through no fault of yours.')
      expect(text).not.toMatch(/amount|do not fit|fields/)
      const [error] = raw.errors
      expect(error?.code).toBe('tool.hook_failed')
      expect(error?.message).toMatch(/"before" hook.*(arguments of "pay" do not fit|arguments are no object)/)
      expect(raw.results).toEqual([undefined])
    }
  })

  it('what a hook writes is not repaired', async () => {
    const shout = defineTool({
      name: 'shout',
      description: 'x',
      input: z.object({ word: z.string().transform((word) => word.length), times: z.number() }),
      run: ({ word, times }) => [word, times],
    })
    const { raw } = await jsonToolChain({ tools: [shout] }).execute(
      '{"tool": "shout", "args": {"word": "hello", "times": 1}}',
      { format, before: ({ arguments: args }) => ({ arguments: { ...args, times: 2 } }) },
    )
    expect(raw.errors).toMatchObject([{ code: 'tool.hook_failed' }])
  })

  it('before may refuse, and say why to the model', async () => {
    ran.length = 0
    const { raw, text } = await chain.execute(content, {
      format,
      before: () => ({ refuse: 'Ask the user first.' }),
    })
    expect(raw.errors).toMatchObject([{ code: 'tool.refused' }])
    expect(text).toContain('<pay>\nError: Ask the user first.\n</pay>')
    expect(ran).toEqual([])
  })

  it('before may take its time: only the tool is timed', async () => {
    const { raw } = await chain.execute(content, {
      format,
      timeout: 20,
      before: async () => void (await sleep(60)),
    })
    expect(raw.errors).toEqual([undefined])
  })

  it('after sees the result, and may give another', async () => {
    const result = await chain.execute(content, {
      format,
      after: (call, { text }, { tool, context }) =>
        toolResult({ text: `${call.name}: ${text}, ${tool.name}, ${context}`, instructions: 'Thank them.' }),
      context: 'here',
    })
    expect(result.text).toContain(
      '<pay>\npay: paid 5, pay, here\n<instructions>\nThank them.\n</instructions>\n</pay>',
    )
    const same = await chain.execute(content, { format, after: () => undefined })
    expect(same.text).toContain('paid 5')
  })

  it('a hook that throws before the tool fails its call alone', async () => {
    ran.length = 0
    const before = () => {
      throw new Error('db-7 is down')
    }
    const { raw, text } = await chain.execute(content, { format, before })
    expect(raw.errors).toMatchObject([{ code: 'tool.hook_failed', cause: new Error('db-7 is down') }])
    expect(raw.errors[0]?.message).toContain('db-7 is down')
    expect(text).toContain('The tool did not run.')
    expect(text).not.toContain('db-7')
    expect(ran).toEqual([])
  })

  it('a hook that throws after the tool does not hide that the tool ran', async () => {
    const after = async () => {
      throw new Error('db-7 is down')
    }
    const { raw, text } = await chain.execute(content, { format, after })
    expect(raw.errors).toMatchObject([{ code: 'tool.hook_failed', cause: new Error('db-7 is down') }])
    expect(raw.results).toMatchObject([{ name: 'pay', output: 'paid 5' }])
    expect(text).toContain(
      '<pay>\nError: The tool ran and did not fail, but its result cannot be shown.\n</pay>',
    )
    expect(text).not.toContain('db-7')
  })

  it('after may take its time too', async () => {
    const { raw } = await chain.execute(content, {
      format,
      timeout: 20,
      after: async () => void (await sleep(60)),
    })
    expect(raw.errors).toEqual([undefined])
  })
})
