import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../model/rehearsal/scripted-model.ts'
import { defineTool } from '../tool/define-tool.ts'
import type { AgentEvent } from './event.ts'
import { planExecute } from './plan-execute.ts'

const log: string[] = []
const look = defineTool({
  name: 'look',
  description: 'Looks something up.',
  input: z.object({ what: z.string() }),
  async run({ what }) {
    log.push(`start ${what}`)
    if (what === 'broken') throw new Error('no such thing')
    await new Promise((resolve) => setTimeout(resolve, 5))
    log.push(`end ${what}`)
    return { name: what.toUpperCase() }
  },
})
type Planned = [id: string, what: string, dependsOn?: string[]]
const plan = (...calls: Planned[]) =>
  `Intent: to know\nPlan: look it up\nTool Calls: ${JSON.stringify(
    calls.map(([callId, what, dependsOn]) => ({
      callId,
      toolName: 'look',
      arguments: { what },
      ...(dependsOn && { dependsOn }),
    })),
  )}`

test('plans, executes what is independent at once, and synthesises', async () => {
  log.length = 0
  const model = scriptedModel([plan(['1', 'a'], ['2', 'b'], ['3', 'of {{1.name}}', ['1']]), 'All is known.'])
  const run = planExecute({ model, tools: [look] }).start('What is it?')
  const plans: AgentEvent[] = []
  for await (const event of run) if (event.type === 'plan') plans.push(event)
  expect(await run.outcome).toMatchObject({ kind: 'answered', value: 'All is known.', turns: 2, calls: 3 })
  expect(log.slice(0, 2)).toEqual(['start a', 'start b'])
  expect(log.indexOf('start of A')).toBeGreaterThan(log.indexOf('end a'))
  expect(plans.at(-1)).toMatchObject({ steps: [{ status: 'done' }, { status: 'done' }, { status: 'done' }] })
  const synthesis = JSON.stringify(model.calls[1]?.prompt)
  expect(synthesis).toContain('OF A')
  expect(synthesis).not.toContain('Tool Calls')
})

test('a plan without calls is answered at once; the answer may be typed', async () => {
  const model = scriptedModel(['Intent: greet\nPlan: none\nTool Calls: []', 'Sure: ```json\n{"n": 4}\n```'])
  const outcome = await planExecute({ model, tools: [look], answer: z.object({ n: z.number() }) }).start('Go')
    .outcome
  expect(outcome).toMatchObject({ kind: 'answered', value: { n: 4 } })
})

test('a typed answer that does not fit is asked for again', async () => {
  const model = scriptedModel(['Intent: x\nTool Calls: []', '{"n": "many"}', '{"n": 4}'])
  const outcome = await planExecute({ model, answer: z.object({ n: z.number() }) }).start('Go').outcome
  expect(outcome).toMatchObject({ kind: 'answered', value: { n: 4 }, turns: 3 })
  expect(JSON.stringify(model.calls[2]?.prompt.at(-1))).toContain('expected a number')
})

describe('what is not done is never a success', () => {
  test('a cycle', async () => {
    log.length = 0
    const ring = plan(['1', 'a', ['2']], ['2', 'b', ['1']])
    const model = scriptedModel([ring, ring, 'I could not.'])
    const outcome = await planExecute({ model, tools: [look] }).start('Go').outcome
    expect(outcome).toMatchObject({
      kind: 'unfinished',
      steps: [{ status: 'skipped' }, { status: 'skipped' }],
      text: 'I could not.',
    })
    expect(log).toEqual([])
    expect(JSON.stringify(model.calls[1]?.prompt.at(-1))).toMatch(/depend|cycle/)
  })

  test('a step that fails, and what depends on it', async () => {
    const model = scriptedModel([plan(['1', 'broken'], ['2', 'b', ['1']], ['3', 'c']), 'Half of it.'])
    const outcome = await planExecute({ model, tools: [look], replans: 0 }).start('Go').outcome
    expect(outcome).toMatchObject({
      kind: 'unfinished',
      reason: expect.stringContaining('no such thing'),
      steps: [{ status: 'failed' }, { status: 'skipped' }, { status: 'done' }],
      text: 'Half of it.',
    })
  })

  test('unless a better plan follows', async () => {
    const model = scriptedModel([plan(['1', 'broken'], ['2', 'b']), plan(['3', 'whole']), 'All of it.'])
    const outcome = await planExecute({ model, tools: [look] }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'answered', value: 'All of it.', turns: 3 })
    const synthesis = JSON.stringify(model.calls[2]?.prompt)
    expect(synthesis).toContain('WHOLE')
    expect(synthesis).toContain('\\"B\\"')
  })
})

test('a reply that is no plan goes back, and so does one that was cut', async () => {
  log.length = 0
  const model = scriptedModel([
    '',
    { text: plan(['1', 'cut']), finishReason: 'length' },
    plan(['1', 'a']),
    'Known.',
  ])
  const outcome = await planExecute({ model, tools: [look] }).start('Go').outcome
  expect(outcome).toMatchObject({ kind: 'answered', turns: 4, calls: 1 })
  expect(log).toEqual(['start a', 'end a'])
})

test('the limit on calls holds for plans', async () => {
  const model = scriptedModel([plan(['1', 'a'], ['2', 'b'], ['3', 'c'])])
  const outcome = await planExecute({ model, tools: [look], limits: { calls: 2 } }).start('Go').outcome
  expect(outcome).toMatchObject({ kind: 'limit', limit: 'calls', calls: 2 })
})
