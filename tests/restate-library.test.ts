// The engine from a program: workers in this process, runs that are submitted, watched and answered by it.
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import type { Json } from '../src/agent/durable.ts'
import { createWorkflow } from '../src/agentfile/run/create-workflow.ts'
import { type Program, programOf } from '../src/agentfile/run/program.ts'
import type { WorkflowEvent } from '../src/agentfile/run/workflow-event.ts'
import type { Agentfile } from '../src/agentfile/syntax/agentfile.ts'
import { readAgentfile } from '../src/agentfile/syntax/read-agentfile.ts'
import {
  type Balancer,
  createBalancer,
  createEngine,
  createWorker,
  type Engine,
  followRun,
  hashProgram,
  type RunNote,
  type RunRequest,
  type Worker,
} from '../src/durable/restate/index.ts'
import { defineTool } from '../src/tool/define-tool.ts'
import { freePorts, type RestateServer, startRestate, until } from './restate/restate-server.ts'

vi.setConfig({ testTimeout: 60_000, hookTimeout: 120_000 })

const ran: string[] = []
const note = defineTool({
  name: 'note',
  description: 'Writes a note.',
  input: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
  needsApproval: true,
  run: ({ text }, { idempotencyKey }) => {
    ran.push(idempotencyKey)
    return `noted ${text}`
  },
})
const settings = { model: 'rehearsal', tools: [note], prices: { input: 1, output: 1 } } as const

let server: RestateServer
let engine: Engine
let balancer: Balancer
let workers: Worker[]
const notes: RunNote[] = []

beforeAll(async () => {
  server = await startRestate()
  engine = createEngine(server)
  workers = await Promise.all(
    [1, 2].map(() => createWorker({ ...settings, onRun: (one) => notes.push(one) })),
  )
  const addresses = await Promise.all(workers.map((worker) => worker.listen(0)))
  balancer = createBalancer({ workers: addresses.map(({ port }) => `http://127.0.0.1:${port}`) })
  const { port } = await balancer.listen(0)
  await engine.register(`http://127.0.0.1:${port}`)
})
afterAll(async () => {
  await Promise.all(workers?.map((worker) => worker.close()) ?? [])
  await balancer?.close()
  await server?.stop()
})

const programIn = (text: string): Program => programOf(readAgentfile(text).value as Agentfile)
let ids = 0
async function submit(program: Program, more: Partial<RunRequest> = {}): Promise<string> {
  const id = `library-${++ids}`
  const about = { id, file: 'x.agent', started: new Date().toISOString(), inputs: {} }
  await engine.submit({ ...about, program, hash: hashProgram(program), ...more })
  return id
}

const watched = programIn(`NAME watched
AGENT one "Look at it" -> points: list<string>
AGENT two "Look again" -> issues: list<string>
GOAL gather "Gather" -> summary USING one, two
GOAL write "Write about $summary" -> letter SUPERVISED HUMAN
RUN main USING gather, write`)
const judge = () => ({ kind: 'continue' }) as const
const allow = { approve: () => 'allow' as const }

/** What happens, without what comes in pieces where it runs. */
const told = (events: readonly WorkflowEvent[]) =>
  events
    .filter(({ type }) => type !== 'worker-event')
    .map((event) => JSON.stringify(event))
    .sort()

test('what is watched is what would happen here', async () => {
  const here: WorkflowEvent[] = []
  const local = createWorkflow(watched, { ...settings, approve: () => 'allow', judge }).start()
  for await (const event of local) here.push(event)
  const run = followRun(engine, await submit(watched))
  const there: WorkflowEvent[] = []
  const remote = run.watch({ approve: () => 'allow', judge })
  for await (const event of remote) there.push(event)
  expect(told(there)).toEqual(told(here))
  const { saved: _, ...outcome } = await local.outcome
  expect(await remote.outcome).toEqual(JSON.parse(JSON.stringify(outcome)))
  expect(await run.ended()).toEqual(await remote.outcome)
  expect(ran.length).toBeGreaterThan(0)
  expect(notes.some(({ path }) => path === 'main/gather/one')).toBe(true)
})

test('without people it waits; two who answer at once come to the same', async () => {
  const id = await submit(watched)
  const alone = await followRun(engine, id).watch().outcome
  expect(alone.kind).toBe('suspended')
  // All that waits is said twice, by two who look on.
  const both = await Promise.all(
    [1, 2].map(() => followRun(engine, id).watch({ approve: () => 'allow', judge }).outcome),
  )
  expect(both[0]).toEqual(both[1])
  expect(both[0]?.kind).toBe('completed')
})

test('what is not so is said', async () => {
  await expect(engine.cancel('nobody')).rejects.toThrow('The engine has no run nobody.')
  expect(await engine.state('nobody')).toBeUndefined()
  const gone = await followRun(engine, 'nobody').ended()
  expect(gone).toMatchObject({ kind: 'broken' })
  const [port] = await freePorts(1)
  await expect(createEngine({ admin: `http://127.0.0.1:${port}` }).list()).rejects.toThrow(
    'cannot be reached',
  )
  const stop = new AbortController()
  const leaving = followRun(engine, await submit(watched), { signal: stop.signal }).watch().outcome
  stop.abort(new Error('enough'))
  await expect(leaving).rejects.toThrow('enough')
})

test('limits count in all parts, and cost too', async () => {
  const plain = programIn(
    'NAME plain\nAGENT one "Look" -> a\nAGENT two "Look" -> b\nGOAL g "Do" -> c USING one, two\nRUN main USING g',
  )
  const end = async (more: Partial<RunRequest>) =>
    followRun(engine, await submit(plain, more)).watch(allow).outcome
  expect(await end({ limits: { turns: 1 } })).toMatchObject({ kind: 'limit', limit: 'turns', turns: 1 })
  expect(await end({ limits: { tokens: 1 } })).toMatchObject({ kind: 'limit', limit: 'tokens' })
  expect(await end({ limits: { cost: 0.000_001 } })).toMatchObject({ kind: 'limit', limit: 'cost' })
  const free = await end({ limits: { cost: 1000 }, spawn: true })
  expect(free.kind).toBe('completed')
  expect('cost' in free && free.cost).toBeGreaterThan(0)
})

test('what an earlier try has kept is not asked for, and is there to be seen', async () => {
  const one = programIn('NAME one\nGOAL a "Say a" -> x\nGOAL b "Say $x" -> y\nRUN main USING a, b')
  const first = await submit(one)
  expect((await followRun(engine, first).watch(allow).outcome).kind).toBe('completed')
  const { entries } = await engine.read(first)
  const kept = entries
    .filter(({ key }) => key.startsWith('main/a/'))
    .map(({ key, value }) => ({ key, value }))
  const second = await submit(one, { entries: kept as { key: string; value: Json }[] })
  expect((await followRun(engine, second).watch(allow).outcome).kind).toBe('completed')
  const again = await engine.read(second)
  expect(again.entries.map(({ key }) => key).sort()).toEqual(entries.map(({ key }) => key).sort())
  expect(again.entries.filter(({ key, ms }) => key.startsWith('main/a/') && ms > 0)).toEqual([])
})

test('a time limit ends a run that waits for somebody', async () => {
  const id = await submit(watched, { limits: { time: 1500 } })
  await until(async () => (await engine.read(id)).waits.length > 0)
  expect(await followRun(engine, id).ended()).toMatchObject({ kind: 'limit', limit: 'time', most: 1500 })
  expect((await engine.read(id)).waits).toEqual([])
})
