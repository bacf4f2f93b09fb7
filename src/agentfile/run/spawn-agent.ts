import { BranchesFailed, type Durable, type Json } from '../../agent/durable.ts'
import { defineTool } from '../../tool/define-tool.ts'
import { refusalText } from '../../tool/permission/rule-on.ts'
import type { CallRecord } from '../../tool/run-options.ts'
import type { Tool, ToolCall } from '../../tool/tool.ts'
import type { Crew } from './crew.ts'
import { Halt, joinHalts } from './halt.ts'
import type { Output, Value } from './program.ts'
import type { Task, Work } from './task.ts'
import type { Path } from './workflow-event.ts'

const NAME = 'spawn_agent'
const MOST_OUTPUTS = 32

/** As a model sees it. The call itself is carried out by the run: each agent is a part of it, with steps of its own. */
export const spawnAgentTool: Tool = defineTool({
  name: NAME,
  description:
    'Spawns a sub-agent to handle a specific task. With outputs it returns a JSON object with these fields: use them when you need specific data to work with. Without outputs it returns text.',
  input: {
    type: 'object',
    properties: {
      role: {
        type: 'string',
        description: 'name or role of the sub-agent, such as "researcher" or "critic"',
        minLength: 1,
      },
      task: { type: 'string', description: 'what it has to do', minLength: 1 },
      outputs: {
        type: 'array',
        items: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_-]{0,63}$' },
        maxItems: MOST_OUTPUTS,
        description: 'names of the fields that you want back',
      },
    },
    required: ['role', 'task'],
  },
  run: () => {
    throw new Error('this is carried out by the run')
  },
}) as Tool

type RuledSpawn = { readonly kind: string; readonly reason: string }

interface Spawning {
  /** Which spawn of its conversation it is. */
  readonly number: number
  readonly path: Path
  readonly journal: Durable
  readonly crew: Crew
  readonly depth: number
}

/** What a spawned agent is asked: plain data, for a branch of the run. */
interface SpawnArguments {
  readonly role: string
  readonly task: string
  readonly outputs?: readonly string[]
}

/**
 * Runs a spawned agent as a branch of the run, and gives a tool that returns what came of it. It is no step of its own: its
 * questions are. What permits calls permits this, and what records them records it. An agent that fails is told to who spawned it.
 */
export async function spawnAgent(call: ToolCall, spawning: Spawning): Promise<Tool> {
  const { number, path, journal, crew, depth } = spawning
  const { role, task, outputs = [] } = call.arguments as unknown as SpawnArguments
  const { permissions, record } = crew.agent
  const most = crew.spawn?.count ?? 0
  // Kept, like rules on other calls: whoever goes on with the run must not find another one.
  const ruled = permissions
    ? await journal.step<RuledSpawn>(`rule:spawn-${number}`, async () => {
        const ruling = permissions.check([{ capability: spawnAgentTool.name }])
        return { kind: ruling.kind, reason: ruling.kind === 'denied' ? refusalText(ruling) : '' }
      })
    : undefined
  if (ruled?.kind === 'denied') return failing(ruled.reason)
  if (crew.budget.spawned >= most) return failing(`No more than ${most} agents can be spawned.`)
  crew.budget.spawned++
  const tell = async (place: 'begin' | 'end', one: CallRecord): Promise<void> => {
    if (!record) return
    await journal.step(`record:spawn-${number}-${place}`, async () => {
      await record(one)
      return null
    })
  }
  await tell('begin', {
    type: 'call-start',
    call,
    needs: [{ capability: spawnAgentTool.name }],
    permittedBy: ruled?.kind === 'granted' ? 'rule' : 'program',
  })
  const start = performance.now()
  const done = await workOfBranch(journal, `spawn-${number}`, {
    role: 'spawn',
    name: role.slice(0, 64),
    system: `You are ${role}. You work on one task for somebody else, who sees nothing but your reply.`,
    prompt: task,
    outputs: [...new Set(outputs)].map((name): Output => ({ name, schema: true })),
    described: false,
    tools: true,
    depth: depth + 1,
  })
  const milliseconds = performance.now() - start
  if (done instanceof Halt) {
    const reason = done.why.kind === 'failed' ? done.why.reason : ''
    const error = { code: 'tool.failed', message: `${path}: ${reason}`, hint: reason, issues: [], call }
    await tell('end', { type: 'call-end', outcome: { ok: false, call, error }, milliseconds })
    return failing(`The agent did not come to a result: ${reason}`)
  }
  const text = (done.values ?? done.text) as Value
  await tell('end', {
    type: 'call-end',
    outcome: { ok: true, call, result: { text, media: [] } },
    milliseconds,
  })
  return answering(async () => text)
}

/** What came of it, or how it failed. What ends the run (a limit, a person to wait for) is thrown. */
async function workOfBranch(journal: Durable, key: string, task: Task): Promise<Work | Halt> {
  try {
    const [work] = await journal.parallel<Json>([
      { key, node: { kind: 'work' }, input: task as unknown as Json },
    ])
    return work as unknown as Work
  } catch (error) {
    const halt = error instanceof BranchesFailed ? joinHalts(error) : error
    if (halt instanceof Halt && halt.why.kind === 'failed' && !halt.why.provider) return halt
    throw halt
  }
}

const answering = (run: () => Promise<unknown>): Tool => ({ ...spawnAgentTool, run }) as Tool
const failing = (reason: string): Tool => answering(() => Promise.reject(new Error(reason)))
