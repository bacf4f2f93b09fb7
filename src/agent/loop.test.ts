import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../model/rehearsal/scripted-model.ts'
import { defineTool } from '../tool/define-tool.ts'
import { defineAgent } from './define-agent.ts'
import type { AgentEvent } from './event.ts'
import { memoryJournal } from './memory-journal.ts'
import { react } from './react.ts'
import type { Run } from './run.ts'
import { textReader } from './text-reader.ts'

const call = (n: number) => `<action>{"tool": "count", "args": {"n": ${n}}}</action>`
const ran: number[] = []
const count = defineTool({
  name: 'count',
  description: 'Counts.',
  input: z.object({ n: z.number() }),
  run({ n }) {
    ran.push(n)
    return n
  },
})

async function eventsOf(run: Run<unknown>): Promise<AgentEvent[]> {
  const events: AgentEvent[] = []
  for await (const event of run) events.push(event)
  return events
}

describe('limits are checked before the call', () => {
  const endless = () => scriptedModel((_, index) => call(index))

  test.each([1, 2, 5])('%i iterations are as many questions', async (iterations) => {
    const model = endless()
    const outcome = await react({ model, tools: [count], limits: { iterations } }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'limit', limit: 'iterations', most: iterations, turns: iterations })
    expect(model.calls).toHaveLength(iterations)
  })

  test('calls, also within one reply', async () => {
    ran.length = 0
    const model = scriptedModel([
      `<action>[${[1, 2, 3].map((n) => `{"tool": "count", "args": {"n": ${n}}}`).join(',')}]</action>`,
    ])
    const outcome = await react({ model, tools: [count], limits: { calls: 2 } }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'limit', limit: 'calls', most: 2, calls: 2 })
    expect(ran).toEqual([1, 2])
  })

  test('tokens and cost', async () => {
    const script = (_: unknown, index: number) => ({ text: call(index), usage: { input: 100, output: 50 } })
    const tokens = await react({
      model: scriptedModel(script),
      tools: [count],
      limits: { tokens: 200 },
    }).start('Go').outcome
    expect(tokens).toMatchObject({
      kind: 'limit',
      limit: 'tokens',
      turns: 2,
      usage: { input: 200, output: 100 },
    })
    const cost = await react({
      model: scriptedModel(script),
      tools: [count],
      prices: { input: 10, output: 100 },
      limits: { cost: 0.015 },
    }).start('Go').outcome
    expect(cost).toMatchObject({ kind: 'limit', limit: 'cost', turns: 3 })
    expect(cost.cost).toBeCloseTo(0.018)
  })

  test('turns in a row that bring nothing; a call starts the count again', async () => {
    const model = scriptedModel(['hm', 'hm', call(1), 'hm', 'hm', 'hm', 'never asked'])
    const outcome = await react({ model, tools: [count], limits: { idle: 3 } }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'limit', limit: 'idle', most: 3, turns: 6 })
  })

  test('calls that no tool accepts bring nothing', async () => {
    const model = scriptedModel((_, i) => `<action>{"tool": "nope${i}", "args": {}}</action>`)
    const outcome = await react({ model, tools: [count] }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'limit', limit: 'idle', turns: 3, calls: 0 })
  })

  test('time stops what runs', async () => {
    const model = scriptedModel([{ text: '<answer>slow</answer>', delay: 1000 }])
    const started = Date.now()
    const outcome = await react({ model, limits: { time: 50 } }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'limit', limit: 'time', most: 50 })
    expect(Date.now() - started).toBeLessThan(900)
  })

  test('mistakes in limits are found at once', () => {
    expect(() => react({ limits: { iteration: 3 } as never })).toThrow(/no limit "iteration"/)
    expect(() => react({ limits: { calls: 0 } })).toThrow(/above 0/)
    expect(() => react({ limits: { cost: 1 } })).toThrow(/needs prices/)
    expect(() => react({ retries: -1 })).toThrow(/retries/)
  })
})

describe('a provider that fails', () => {
  test('is asked again, and what was told of the turn does not count', async () => {
    const model = scriptedModel([
      { text: '<answer>half of it</answer>', error: { after: 12 } },
      { error: { status: 429, headers: { 'retry-after-ms': '5' } } },
      '<answer>all of it</answer>',
    ])
    const run = react({ model, backoff: 1 }).start('Go')
    const events = await eventsOf(run)
    expect(await run.outcome).toMatchObject({ kind: 'answered', value: 'all of it', turns: 1 })
    const retries = events.filter((event) => event.type === 'turn-retry')
    expect(retries.map(({ error }) => [error.code, error.status])).toEqual([
      ['model.broke_off', undefined],
      ['model.failed', 429],
    ])
    expect(retries[1]?.wait).toBeGreaterThanOrEqual(5)
  })

  test('for good: the outcome has what had arrived', async () => {
    const broken = { text: '<answer>half of it</answer>', error: { after: 12 } }
    const model = scriptedModel([broken, broken])
    const outcome = await react({ model, retries: 1, backoff: 1 }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'failed', partial: '<answer>half', error: { retryable: true } })
    expect(model.calls).toHaveLength(2)
  })

  test('with a wrong key: not asked again', async () => {
    const model = scriptedModel([{ error: { status: 401, message: 'bad key' } }])
    const outcome = await react({ model }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'failed', error: { status: 401, retryable: false } })
    expect(outcome.kind === 'failed' && outcome.error.message).toContain('bad key')
  })
})

describe('cancelling', () => {
  test('by a signal, in the middle of a reply', async () => {
    const controller = new AbortController()
    const model = scriptedModel([{ text: '<answer>long long long</answer>', delay: 20 }])
    const run = react({ model }).start('Go', { signal: controller.signal })
    for await (const event of run) if (event.type === 'section-delta') controller.abort('enough')
    expect(await run.outcome).toMatchObject({ kind: 'cancelled', reason: 'enough', turns: 1 })
  })

  test('by no longer reading', async () => {
    const model = scriptedModel([{ text: '<answer>long long long</answer>', delay: 20 }])
    const run = react({ model }).start('Go')
    for await (const event of run) if (event.type === 'turn-start') break
    expect(await run.outcome).toMatchObject({ kind: 'cancelled' })
  })

  test('while a tool runs that pays no heed', async () => {
    const deaf = defineTool({ name: 'count', description: 'Waits.', run: () => new Promise(() => {}) })
    const run = react({ model: scriptedModel(['<action>{"tool": "count"}</action>']), tools: [deaf] }).start(
      'Go',
    )
    for await (const event of run) if (event.type === 'call-start') setTimeout(() => run.cancel('stop'), 5)
    expect(await run.outcome).toMatchObject({ kind: 'cancelled', reason: 'stop' })
  })

  test('before it began: the model is not asked', async () => {
    const model = scriptedModel(['never'])
    const outcome = await react({ model }).start('Go', { signal: AbortSignal.abort('no') }).outcome
    expect(outcome).toMatchObject({ kind: 'cancelled', turns: 0 })
    expect(model.calls).toHaveLength(0)
  })
})

test('every call and question is kept: a run that is taken up again pays for nothing twice', async () => {
  ran.length = 0
  const script = [call(1), call(2), '<answer>3</answer>']
  const journal = memoryJournal({ runId: 'r1' })
  const whole = await react({ model: scriptedModel(script), tools: [count] }).start('Go', {
    journal: journal,
  }).outcome
  expect(journal.entries.map(({ key }) => key)).toEqual([
    'task',
    'turn:1',
    expect.stringMatching(/^call:1\./),
    'turn:2',
    expect.stringMatching(/^call:2\./),
    'turn:3',
  ])
  expect(ran).toEqual([1, 2])
  for (let kept = 0; kept <= journal.entries.length; kept++) {
    ran.length = 0
    const entries = JSON.parse(JSON.stringify(journal.entries.slice(0, kept)))
    const asked = entries.filter(({ key }: { key: string }) => key.startsWith('turn:')).length
    const model = scriptedModel(script.slice(asked))
    const again = memoryJournal({ runId: 'r1', entries })
    const outcome = await react({ model, tools: [count] }).start('Go', { journal: again }).outcome
    expect(outcome).toEqual(whole)
    expect(model.calls).toHaveLength(3 - asked)
    expect(ran).toHaveLength(2 - entries.filter(({ key }: { key: string }) => key.startsWith('call:')).length)
  }
})

test('tools get a key that is the same for every try of a call', async () => {
  const keys: string[] = []
  const keyed = defineTool({
    name: 'count',
    description: 'Keeps its key.',
    run: (_, { idempotencyKey }) => keys.push(idempotencyKey),
  })
  const model = scriptedModel(['<action>{"tool": "count", "id": "a"}</action>', '<answer>x</answer>'])
  await react({ model, tools: [keyed] }).start('Go', { journal: memoryJournal({ runId: 'r7' }) }).outcome
  expect(keys).toEqual(['r7:call:1.a'])
})

test('what a tool gives is what is kept of it, also the first time', async () => {
  const seen: unknown[] = []
  const tool = defineTool({
    name: 'count',
    description: 'A date.',
    run: () => ({ at: new Date(0), none: undefined }),
  })
  const model = scriptedModel(['<action>{"tool": "count"}</action>', '<answer>x</answer>'])
  for await (const event of react({ model, tools: [tool] }).start('Go'))
    if (event.type === 'call-end' && event.ok) seen.push(event.result.text)
  expect(seen).toEqual([{ at: '1970-01-01T00:00:00.000Z' }])
})

test('what cannot be kept is said, and does not run again', async () => {
  const loop: { self?: unknown } = {}
  loop.self = loop
  const tool = defineTool({ name: 'count', description: 'A ring.', run: () => loop })
  const model = scriptedModel(['<action>{"tool": "count"}</action>', '<answer>x</answer>'])
  const events = await eventsOf(react({ model, tools: [tool] }).start('Go'))
  expect(events).toContainEqual(
    expect.objectContaining({
      type: 'call-end',
      error: expect.objectContaining({ code: 'tool.unwritable_output' }),
    }),
  )
})

test('at most so many calls at once, all in their order', async () => {
  let now = 0
  let most = 0
  const slow = defineTool({
    name: 'count',
    description: 'Slow.',
    input: z.object({ n: z.number() }),
    async run({ n }) {
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 12 - n))
      now--
      return n
    },
  })
  const calls = Array.from({ length: 10 }, (_, n) => ({ tool: 'count', args: { n } }))
  const model = scriptedModel([`<action>${JSON.stringify(calls)}</action>`, '<answer>x</answer>'])
  const { messages } = await react({ model, tools: [slow], concurrency: 3 }).start('Go').outcome
  expect(most).toBe(3)
  const told = messages.find(({ role }) => role === 'tool')
  expect(told?.role === 'tool' && told.results.map(({ output }) => output)).toEqual([
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
  ])
})

test('a policy of one’s own', async () => {
  const agent = defineAgent('echo', { model: scriptedModel(['', 'yes']) }, async (loop) => {
    loop.say({ role: 'user', content: loop.task })
    for (;;) {
      const { read } = await loop.ask(textReader)
      if (read !== '') return { kind: 'answered', value: read.length }
      loop.sayIdle('Say something.')
    }
  })
  expect(await agent.start('Well?').outcome).toMatchObject({ kind: 'answered', value: 3, turns: 2 })
})

test('a mistake in a policy rejects the run', async () => {
  const agent = defineAgent('broken', { model: scriptedModel([]) }, async () => {
    throw new RangeError('oops')
  })
  const run = agent.start('x')
  await expect(eventsOf(run)).rejects.toThrow('oops')
  await expect(run.outcome).rejects.toThrow('oops')
  await expect(agent.start(undefined as never).outcome).rejects.toThrow('needs a task')
})

test('a reader that throws is not taken for a failing provider', async () => {
  const agent = defineAgent('broken', { model: scriptedModel(['text']) }, async (loop) => {
    await loop.ask(() => ({
      push() {
        throw new RangeError('bad reader')
      },
      end() {},
    }))
    return { kind: 'answered', value: 1 }
  })
  await expect(agent.start('x').outcome).rejects.toThrow('bad reader')
})
