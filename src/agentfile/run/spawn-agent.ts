import type { Durable, Json } from '../../agent/durable.ts'
import { defineTool } from '../../tool/define-tool.ts'
import type { Tool, ToolCall } from '../../tool/tool.ts'
import type { Crew } from './crew.ts'
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

/** Runs a spawned agent as a branch of the run, and gives a tool that returns what came of it. */
export async function spawnAgents(call: ToolCall, spawning: Spawning): Promise<Tool> {
  const { number, journal, crew, depth } = spawning
  const { role, task, outputs = [] } = call.arguments as unknown as SpawnArguments
  const most = crew.spawn?.count ?? 0
  if (crew.budget.spawned >= most)
    return answering(() => Promise.reject(new Error(`No more than ${most} agents can be spawned.`)))
  crew.budget.spawned++
  const work: Task = {
    role: 'spawn',
    name: role.slice(0, 64),
    system: `You are ${role}. You work on one task for somebody else, who sees nothing but your reply.`,
    prompt: task,
    outputs: [...new Set(outputs)].map((name): Output => ({ name, schema: true })),
    described: false,
    tools: true,
    depth: depth + 1,
  }
  const [done] = await journal.parallel<Json>([
    { key: `spawn-${number}`, node: { kind: 'work' }, input: work as unknown as Json },
  ])
  const { text, values } = done as unknown as Work
  return answering(async () => (values ?? text) as Value)
}

const answering = (run: () => Promise<unknown>): Tool => ({ ...spawnAgentTool, run }) as Tool
