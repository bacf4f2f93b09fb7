import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import type { Message } from '../model/message.ts'
import { scriptedModel } from '../model/rehearsal/scripted-model.ts'
import { defineTool } from '../tool/define-tool.ts'
import { partMessages } from './compact-messages.ts'
import { react } from './react.ts'

const turn = (n: number, pinned = false): Message[] => [
  { role: 'assistant', content: `said ${n}` },
  { role: 'user', content: `told ${n}`, ...(pinned && { pinned }) },
]
const task: Message = { role: 'user', content: 'task' }
const head: Message[] = [{ role: 'system', content: 'system' }, task]
const contents = (messages: readonly Message[]) => messages.map(({ content }) => content)

describe('parting a conversation', () => {
  test('what stands before the first turn, and the last turns, stay', () => {
    const { before, removed, after } = partMessages(
      { messages: [...head, ...turn(1), ...turn(2), ...turn(3)], task },
      1,
    )
    expect(contents(before)).toEqual(['system', 'task'])
    expect(contents(removed)).toEqual(['said 1', 'told 1', 'said 2', 'told 2'])
    expect(contents(after)).toEqual(['said 3', 'told 3'])
  })

  test('a pinned message keeps its turn', () => {
    const { before, removed } = partMessages(
      { messages: [...head, ...turn(1), ...turn(2, true), ...turn(3)], task },
      1,
    )
    expect(contents(before)).toEqual(['system', 'task', 'said 2', 'told 2'])
    expect(contents(removed)).toEqual(['said 1', 'told 1'])
  })

  test('nothing to leave out', () => {
    expect(partMessages({ messages: [...head, ...turn(1)], task }, 4).removed).toEqual([])
    expect(partMessages({ messages: head, task }, 1)).toEqual({ before: head, removed: [], after: [] })
  })
})

const page = defineTool({
  name: 'page',
  description: 'Gives a page.',
  input: z.object({ n: z.number() }),
  run: ({ n }) => `page ${n}: ${'word '.repeat(200)}`,
})
const call = (n: number) => ({
  text: `<action>{"tool": "page", "args": {"n": ${n}}}</action>`,
  // As a provider that does not count.
  usage: { input: 0, output: 0 },
})
const promptOf = (model: ReturnType<typeof scriptedModel>, i: number) =>
  JSON.stringify(model.calls[i]?.prompt)

test('old turns are left out before the window is full', async () => {
  const model = scriptedModel([...[1, 2, 3, 4, 5, 6].map(call), '<answer>read</answer>'])
  const run = react({ model, tools: [page], context: { window: 1500, keep: 2 } }).start('Read all')
  const removed: number[] = []
  for await (const event of run) if (event.type === 'compaction') removed.push(event.removed)
  expect(await run.outcome).toMatchObject({ kind: 'answered', turns: 7 })
  expect(removed.length).toBeGreaterThan(1)
  const last = promptOf(model, 6)
  expect(last).toContain('Read all')
  expect(last).toContain('page 6')
  expect(last).not.toContain('page 2')
  expect(last).toContain('were left out')
})

test('the model sums up what is left out, as a turn that counts', async () => {
  const model = scriptedModel(({ prompt }) => {
    const text = JSON.stringify(prompt)
    if (text.includes('Sum up the turns')) return 'Pages 1 and 2 say nothing.'
    const pages = [...text.matchAll(/page (\d+): /g)].map(([, n]) => Number(n))
    return pages.includes(4) ? '<answer>read</answer>' : call(Math.max(0, ...pages) + 1)
  })
  const outcome = await react({
    model,
    tools: [page],
    context: { window: 1500, keep: 2, summarise: true },
  }).start('Read all').outcome
  expect(outcome).toMatchObject({ kind: 'answered' })
  expect(outcome.turns).toBe(model.calls.length)
  expect(promptOf(model, model.calls.length - 1)).toContain('Pages 1 and 2 say nothing.')
})

test('what the provider counted is believed', async () => {
  const model = scriptedModel([
    { text: '<action>{"tool": "page", "args": {"n": 1}}</action>', usage: { input: 90_000, output: 10 } },
    { text: '<action>{"tool": "page", "args": {"n": 2}}</action>', usage: { input: 90_000, output: 10 } },
    '<answer>x</answer>',
  ])
  const run = react({ model, tools: [page], context: { window: 100_000, keep: 1 } }).start('Go')
  let compactions = 0
  for await (const event of run) if (event.type === 'compaction') compactions++
  expect(await run.outcome).toMatchObject({ kind: 'answered' })
  expect(compactions).toBe(1)
})

test('what can never fit is a limit, found before the model is asked', async () => {
  const model = scriptedModel([])
  const outcome = await react({ model, context: { window: 200 } }).start('word '.repeat(1000)).outcome
  expect(outcome).toMatchObject({ kind: 'limit', limit: 'context', most: 200, turns: 0 })
})
