import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../model/rehearsal/scripted-model.ts'
import { defineTool } from '../tool/define-tool.ts'
import type { ApprovalRequest, Verdict } from './approval.ts'
import { react } from './react.ts'

const ran: string[] = []
const tool = (name: string, needsApproval = false) =>
  defineTool({
    name,
    description: `${name}s.`,
    input: z.object({ path: z.string() }),
    needsApproval,
    run({ path }) {
      ran.push(`${name} ${path}`)
      return 'ok'
    },
  })
const tools = [tool('read'), tool('write', true)]
const calls = (...asked: [string, string][]) =>
  `<action>${JSON.stringify(asked.map(([tool, path]) => ({ tool, args: { path } })))}</action>`
const answer = '<answer>done</answer>'

function ask(verdicts: readonly (Verdict | 'later')[]) {
  const asked: ApprovalRequest[] = []
  const left = [...verdicts]
  const approve = (request: ApprovalRequest) => {
    asked.push(request)
    return left.shift() ?? 'later'
  }
  return { asked, approve }
}

describe('a person is asked', () => {
  test('for tools that say so, one call at a time and in order', async () => {
    ran.length = 0
    const { asked, approve } = ask(['allow', 'deny'])
    const model = scriptedModel([calls(['write', 'a'], ['read', 'b'], ['write', 'c']), answer])
    const outcome = await react({ model, tools, approve }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'answered' })
    expect(asked.map(({ tool, call }) => [tool, call.arguments])).toEqual([
      ['write', { path: 'a' }],
      ['write', { path: 'c' }],
    ])
    expect(ran.sort()).toEqual(['read b', 'write a'])
    expect(JSON.stringify(outcome.messages)).toContain('does not allow this call')
  })

  test('once, when the verdict is to be remembered', async () => {
    for (const [verdict, times] of [
      ['always', 3],
      ['never', 0],
      [{ decision: 'allow', remember: true }, 3],
    ] as const) {
      ran.length = 0
      const { asked, approve } = ask([verdict])
      const model = scriptedModel([calls(['write', 'a'], ['write', 'b']), calls(['write', 'c']), answer])
      await react({ model, tools, approve, limits: { idle: 5 } }).start('Go').outcome
      expect(asked).toHaveLength(1)
      expect(ran).toHaveLength(times)
    }
  })

  test('by rules of the program: per tool, and per call', async () => {
    ran.length = 0
    const { asked, approve } = ask(['allow', 'allow', 'allow'])
    const model = scriptedModel([calls(['read', 'secret'], ['read', 'b'], ['write', 'c']), answer])
    await react({
      model,
      tools,
      approve,
      approval: { read: (call) => (call.arguments.path === 'secret' ? 'ask' : 'allow'), write: 'deny' },
    }).start('Go').outcome
    expect(asked.map(({ call }) => call.arguments.path)).toEqual(['secret'])
    expect(ran.sort()).toEqual(['read b', 'read secret'])
  })

  test('with a reason for the model', async () => {
    const { approve } = ask([{ decision: 'deny', reason: 'Only under docs/.' }])
    const model = scriptedModel([calls(['write', '/etc']), answer])
    const { messages } = await react({ model, tools, approve }).start('Go').outcome
    expect(JSON.stringify(messages)).toContain('Only under docs/.')
  })

  test('and a verdict that is none is a mistake', async () => {
    const model = scriptedModel([calls(['write', 'a'])])
    const run = react({ model, tools, approve: () => 'maybe' as never }).start('Go')
    await expect(run.outcome).rejects.toThrow(/allow, deny, always or never/)
  })
})

describe('suspended and taken up again', () => {
  test('without losing or repeating anything', async () => {
    for (const approve of [undefined, () => 'later' as const]) {
      ran.length = 0
      const script = [calls(['read', 'a'], ['write', 'b'], ['write', 'c']), answer]
      const agent = react({ model: scriptedModel(script), tools, approve })
      const first = await agent.start('Go').outcome
      expect(first).toMatchObject({ kind: 'suspended', pending: [{ tool: 'write' }, { tool: 'write' }] })
      expect(ran).toEqual(['read a'])
      if (first.kind !== 'suspended' || !first.saved) throw new Error('not suspended')

      // The saved run is plain data: it may go through a file.
      const saved = JSON.parse(JSON.stringify(first.saved))
      const [one, two] = first.pending.map(({ id }) => id) as [string, string]
      const model = scriptedModel(script.slice(1))
      const later = react({ model, tools, approve })
      const second = await later.resume(saved, { [one]: 'allow' }).outcome
      expect(second).toMatchObject({ kind: 'suspended', pending: [{ id: two }] })
      expect(ran).toEqual(['read a', 'write b'])
      if (second.kind !== 'suspended' || !second.saved) throw new Error('not suspended')

      const third = await later.resume(second.saved, { [two]: 'deny' }).outcome
      expect(third).toMatchObject({ kind: 'answered', value: 'done', turns: 2 })
      expect(ran).toEqual(['read a', 'write b'])
      expect(model.calls).toHaveLength(1)
    }
  })
})
