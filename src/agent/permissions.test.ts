import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../model/rehearsal/scripted-model.ts'
import { defineTool } from '../tool/define-tool.ts'
import { createPermissions } from '../tool/permission/create-permissions.ts'
import type { CallRecord } from '../tool/run-options.ts'
import type { AgentOptions } from './agent-options.ts'
import { chat } from './chat.ts'
import type { Agent } from './define-agent.ts'
import { planExecute } from './plan-execute.ts'
import { react } from './react.ts'

const wanted = { tool: 'save', args: { path: 'notes/a.txt' } }

/** One call, then an answer, as each loop wants it written. */
const loops: Record<string, { agent: (options: AgentOptions) => Agent<unknown>; replies: string[] }> = {
  react: {
    agent: react,
    replies: [`<action>${JSON.stringify(wanted)}</action>`, '<answer>Done.</answer>'],
  },
  chat: { agent: chat, replies: [JSON.stringify({ type: 'action', ...wanted }), 'Done.'] },
  planExecute: {
    agent: planExecute,
    replies: [`Intent: save\nPlan: 1. save\nTool Calls: ${JSON.stringify([wanted])}`, 'Done.'],
  },
}

function scene(name: string, options: Partial<AgentOptions>) {
  const { agent, replies } = loops[name]!
  const ran: unknown[] = []
  const tool = defineTool({
    name: 'save',
    description: 'Saves a text.',
    input: z.object({ path: z.string() }),
    needs: ({ path }) => ({ capability: 'fs.write', path }),
    run: (args) => {
      ran.push(args)
      return 'saved'
    },
  })
  const records: CallRecord[] = []
  const record = (one: CallRecord) => {
    records.push(one)
  }
  const made = agent({ model: scriptedModel(replies), tools: [tool], record, ...options })
  return { made, ran, records, start: () => made.start('Save it.') }
}

describe.each(Object.keys(loops))('a store of permissions, in %s', (name) => {
  test('lets through what it grants', async () => {
    const permissions = createPermissions()
    permissions.grant({ capability: 'fs.write', path: 'notes' })
    const { start, ran, records } = scene(name, { permissions })
    expect(await start().outcome).toMatchObject({ kind: 'answered' })
    expect(ran).toEqual([{ path: 'notes/a.txt' }])
    expect(records).toMatchObject([{ type: 'call-start', permittedBy: 'rule' }, { type: 'call-end' }])
  })

  test('lets nothing through that it denies, whatever a person or the program says', async () => {
    const permissions = createPermissions()
    permissions.grant({ capability: 'fs.write' })
    permissions.deny({ capability: 'fs.write', path: 'notes' })
    const { start, ran, records } = scene(name, { permissions, approve: () => 'allow', approval: 'allow' })
    const outcome = await start().outcome
    expect(ran).toEqual([])
    expect(records).toMatchObject([{ type: 'call-refused', error: { code: 'tool.refused' } }])
    expect(JSON.stringify(outcome.messages)).toContain('fs.write for notes/a.txt is denied')
  })

  test('has a person asked about what it says nothing of', async () => {
    const { start, ran, records } = scene(name, { permissions: createPermissions(), approve: () => 'allow' })
    expect(await start().outcome).toMatchObject({ kind: 'answered' })
    expect(ran).toHaveLength(1)
    expect(records).toMatchObject([{ type: 'call-start', permittedBy: 'person' }, { type: 'call-end' }])
  })

  test('counts more than a yes: what is denied while the person thinks does not run', async () => {
    const permissions = createPermissions()
    const { start, ran, records } = scene(name, {
      permissions,
      approve: () => {
        permissions.deny({ capability: 'fs.write' })
        return 'allow'
      },
    })
    await start().outcome
    expect(ran).toEqual([])
    expect(records).toMatchObject([{ type: 'call-refused', error: { code: 'tool.not_permitted' } }])
  })

  test('waits for a person if there is none, and records nothing twice', async () => {
    const { made, start, ran, records } = scene(name, { permissions: createPermissions() })
    const outcome = await start().outcome
    expect(outcome).toMatchObject({ kind: 'suspended' })
    expect(ran).toEqual([])
    const [pending] = outcome.kind === 'suspended' ? outcome.pending : []
    await made.resume(outcome.saved!, { [pending!.id]: 'allow' }).outcome
    expect(ran).toHaveLength(1)
    expect(records.map(({ type }) => type)).toEqual(['call-start', 'call-end'])
  })

  test('is asked again right before the call: what was revoked meanwhile does not run', async () => {
    const permissions = createPermissions()
    const { id } = permissions.grant({ capability: 'fs.write' })
    const { start, ran, records } = scene(name, {
      permissions: {
        check(needs) {
          const ruling = permissions.check(needs)
          permissions.revoke(id)
          return ruling
        },
      },
    })
    await start().outcome
    expect(ran).toEqual([])
    expect(records).toMatchObject([{ type: 'call-refused', error: { code: 'tool.not_permitted' } }])
  })
})

test('a call that no tool could take is recorded once, also when the run is taken up again', async () => {
  const records: string[] = []
  const write = defineTool({ name: 'write', description: 'Writes.', needsApproval: true, run: () => 'ok' })
  const calls = [{ tool: 'wipe', args: {} }, { tool: 'write' }]
  const agent = react({
    model: scriptedModel([`<action>${JSON.stringify(calls)}</action>`, '<answer>Done.</answer>']),
    tools: [write],
    record: (one) => {
      records.push(one.type === 'call-end' ? `end ${one.outcome.call.name}` : `${one.type} ${one.call.name}`)
    },
  })
  const outcome = await agent.start('Go').outcome
  expect(outcome.kind).toBe('suspended')
  const [pending] = outcome.kind === 'suspended' ? outcome.pending : []
  await agent.resume(outcome.saved!, { [pending!.id]: 'allow' }).outcome
  expect(records).toEqual(['call-refused wipe', 'call-start write', 'end write'])
})
