// Every policy, in every format, with every chain, on a model that writes like real ones do. What comes of it is a table
// in docs/outcomes.md (`npm run outcomes`), and tests/agent-outcomes.test.ts says what must hold in every single run.
import { z } from 'zod'
import {
  type Agent,
  type AgentEvent,
  type AgentOptions,
  chat,
  type Outcome,
  planExecute,
  react,
} from '../src/agent/index.ts'
import { type RehearsalDamage, rehearsalDamages, rehearsalModel } from '../src/testing/index.ts'
import { labels, markdown, xml } from '../src/text/index.ts'
import {
  defineTool,
  jsonTermination,
  jsonToolChain,
  type Termination,
  textTermination,
  yamlToolChain,
} from '../src/tool/index.ts'

export const seeds = [1, 2, 3, 4, 5]
export const damages: readonly (RehearsalDamage | 'none')[] = ['none', ...rehearsalDamages]

type Make = (options: AgentOptions) => Agent<unknown>

const formats = { xml, markdown, labels }
const chains = { JSON: jsonToolChain, YAML: yamlToolChain }
const answers: Record<string, () => Termination<unknown>> = {
  text: () => textTermination(),
  typed: () =>
    jsonTermination(z.object({ summary: z.string(), sure: z.boolean(), sources: z.array(z.string()) })),
}

/** Name of the row → how its agent is made. */
export const policies: ReadonlyMap<string, Make> = new Map([
  ...Object.entries(formats).flatMap(([format, make]) =>
    Object.entries(chains).flatMap(([notation, chain]) =>
      Object.entries(answers).map(([kind, answer]): [string, Make] => [
        `react, ${format}, ${notation} calls, ${kind} answer`,
        (options) => react({ ...options, format: make(), chain, answer: answer() }),
      ]),
    ),
  ),
  ...Object.entries(formats).flatMap(([format, make]): [string, Make][] => [
    [`plan-execute, ${format}`, (options) => planExecute({ ...options, format: make() })],
    [`chat, ${format}`, (options) => chat({ ...options, format: make() })],
  ]),
  ['chat, calls of the provider', (options) => chat({ ...options, native: true })],
])

export interface Played {
  readonly policy: string
  readonly damage: (typeof damages)[number]
  readonly seed: number
  readonly outcome: Outcome<unknown>
  readonly events: readonly AgentEvent[]
  /** What ran: the name of the tool, and its arguments. */
  readonly ran: readonly string[]
}

export async function play(policy: string, damage: Played['damage'], seed: number): Promise<Played> {
  const ran: string[] = []
  const record = (name: string, input: unknown) => {
    ran.push(`${name} ${JSON.stringify(input)}`)
    return `${name} found ${JSON.stringify(input)}`
  }
  const tools = [
    defineTool({
      name: 'search',
      description: 'Searches the web.',
      input: z.object({ query: z.string(), limit: z.number().int().optional() }),
      run: (input) => record('search', input),
    }),
    defineTool({
      name: 'calendar',
      description: 'Tells what happens on a day.',
      input: z.object({ date: z.string(), tags: z.array(z.string()) }),
      run: (input) => record('calendar', input),
    }),
  ]
  const model = rehearsalModel({ seed, ...(damage !== 'none' && { damage }) })
  const make = policies.get(policy) as Make
  const run = make({ model, tools, backoff: 1, limits: { time: 20_000 } }).start(
    'What happens in Tokyo this week?',
  )
  const events: AgentEvent[] = []
  for await (const event of run) events.push(event)
  return { policy, damage, seed, outcome: await run.outcome, events, ran }
}

export async function playAll(): Promise<Played[]> {
  const all: Played[] = []
  for (const policy of policies.keys())
    for (const damage of damages) for (const seed of seeds) all.push(await play(policy, damage, seed))
  return all
}

/** How often each kind of outcome came, the answers first. */
export function tableOf(all: readonly Played[]): string {
  const cell = (policy: string, damage: string) => {
    const here = all.filter((one) => one.policy === policy && one.damage === damage)
    const kinds = new Map<string, number>()
    for (const { outcome } of here) {
      const kind = outcome.kind === 'limit' ? `limit: ${outcome.limit}` : outcome.kind
      kinds.set(kind, (kinds.get(kind) ?? 0) + 1)
    }
    const others = [...kinds].filter(([kind]) => kind !== 'answered').map(([kind, n]) => `${n} ${kind}`)
    return [`${kinds.get('answered') ?? 0}`, ...others].join(', ')
  }
  const rows = [...policies.keys()].map((policy) => [
    policy,
    ...damages.map((damage) => cell(policy, damage)),
  ])
  return [['policy', ...damages], ['---', ...damages.map(() => '---')], ...rows]
    .map((cells) => `| ${cells.join(' | ')} |`)
    .join('\n')
}
