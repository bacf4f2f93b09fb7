// Runs on the real engine, with two workers in processes of their own: they come to the same as in one process, whatever is killed
// on the way, and no model is asked again for what it has said.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { root } from '../scripts/entries.ts'
import type { Json } from '../src/agent/durable.ts'
import { createWorkflow } from '../src/agentfile/run/create-workflow.ts'
import { type Program, programOf } from '../src/agentfile/run/program.ts'
import type { Agentfile } from '../src/agentfile/syntax/agentfile.ts'
import { readAgentfile } from '../src/agentfile/syntax/read-agentfile.ts'
import { createEngine, type Engine } from '../src/durable/restate/create-engine.ts'
import { hashProgram, type RunOutcome, type RunRequest } from '../src/durable/restate/run-request.ts'
import { type CountedModels, countedModels } from './restate/counted-models.ts'
import { type RestateServer, startRestate, until } from './restate/restate-server.ts'
import { startWorkers, type WorkerGroup, type WorkerProcess } from './restate/workers.ts'

vi.setConfig({ testTimeout: 180_000, hookTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'legible-engine-'))
let server: RestateServer
let models: CountedModels
let group: WorkerGroup
let engine: Engine

beforeAll(async () => {
  ;[server, models] = await Promise.all([startRestate(), countedModels()])
  group = await startWorkers(['one', 'two'], (name) => ['--model', models.modelFor(name)], {
    cwd: folder,
    env: server.env,
  })
  engine = createEngine(server)
  await engine.register(group.address)
})
afterAll(async () => {
  await group?.stop()
  await server?.stop()
  await models?.close()
  rmSync(folder, { recursive: true, force: true })
})
afterEach(() => {
  models.release()
  models.forget()
})

const workerOf = (name: string): WorkerProcess =>
  group.workers.find((worker) => worker.name === name) as WorkerProcess

let ids = 0
const requestOf = (
  program: Program,
  inputs: Record<string, Json>,
  more: Partial<RunRequest> = {},
): RunRequest => ({
  id: `test${++ids}`,
  started: new Date().toISOString(),
  file: 'test.agent',
  program,
  hash: hashProgram(program),
  inputs,
  ...more,
})

/** Until it has ended; whoever is asked says yes. */
async function endOf(id: string): Promise<RunOutcome> {
  let end: RunOutcome | undefined
  const said = new Set<string>()
  await until(async () => {
    const run = await engine.read(id)
    for (const wait of run.waits) {
      if (said.has(wait.id)) continue
      said.add(wait.id)
      await engine.answer(wait, wait.id.endsWith('/judgement') ? { kind: 'continue' } : 'allow')
    }
    end = run.end?.outcome
    return end !== undefined
  }, 90)
  return end as RunOutcome
}

async function onEngine(program: Program, inputs: Record<string, Json>): Promise<RunOutcome> {
  const request = requestOf(program, inputs)
  await engine.submit(request)
  return endOf(request.id)
}

async function inProcess(program: Program, inputs: Record<string, Json>): Promise<object> {
  const workflow = createWorkflow(program, {
    model: models.modelFor('local'),
    judge: () => ({ kind: 'continue' }),
  })
  const { saved: _, ...outcome } = await workflow.start(inputs).outcome
  return outcome
}

const program = programOf(
  readAgentfile(`NAME cut
INPUT topic DEFAULT "tea"
AGENT pro "Speak for $topic" -> points: list<string>
AGENT con "Speak against $topic" -> issues: list<string>
GOAL scout "Look at $topic" -> summary USING pro, con
CONVERGE draft "Write about $summary" -> report WITHIN 3
GOAL last "Sum up $report" -> title SUPERVISED
RUN main USING scout, draft, last`).value as Agentfile,
)
/** Questions in this program: two agents, what joins them, three versions, the last goal, who watches it. */
const QUESTIONS = 8

describe('what is killed', () => {
  const kills: [
    what: string,
    kill: (asker: string) => Promise<void>,
    revive: (asker: string) => Promise<void>,
  ][] = [
    [
      'the worker that asks',
      async (asker) => workerOf(asker).kill(),
      async (asker) => workerOf(asker).start(),
    ],
    ['the server', () => server.kill(), () => server.start()],
    [
      'both workers and the server',
      async () => {
        await Promise.all([server.kill(), ...group.workers.map((worker) => worker.kill())])
      },
      async () => {
        await Promise.all([server.start(), ...group.workers.map((worker) => worker.start())])
      },
    ],
  ]
  const cases = kills.flatMap(([what, kill, revive]) =>
    Array.from({ length: QUESTIONS }, (_, i) => ({ what, kill, revive, question: i + 1 })),
  )
  test.each(cases)(
    '$what, at question $question: no answer is asked for again',
    async ({ kill, revive, question }) => {
      const inputs = { topic: `tea, at ${question}` }
      const here = await inProcess(program, inputs)
      models.forget()
      const request = requestOf(program, inputs)
      const held = models.holdNext(question)
      await engine.submit(request)
      const asker = await held
      // All that was answered is kept.
      await until(async () => (await engine.read(request.id)).entries.length >= models.answered.length)
      const before = [...models.answered]
      await kill(asker)
      models.release()
      await revive(asker)
      expect(await endOf(request.id)).toEqual(JSON.parse(JSON.stringify(here)))
      const hashes = models.answered.map(({ hash }) => hash)
      expect(new Set(hashes).size).toBe(QUESTIONS)
      const again = before.filter(({ hash }) => hashes.filter((one) => one === hash).length > 1)
      expect(again).toEqual([])
    },
  )
})

describe('workers', () => {
  test('agents of one goal run at different ones', async () => {
    const workers = new Set<string>()
    for (let tries = 0; tries < 5 && workers.size < 2; tries++) {
      await onEngine(program, { topic: `tea ${tries}` })
      for (const { worker } of models.answered) workers.add(worker)
    }
    expect([...workers].sort()).toEqual(['one', 'two'])
  })

  test('what one had in hand goes on at the other', async () => {
    const request = requestOf(program, { topic: 'taken over' })
    const held = models.holdNext(3)
    await engine.submit(request)
    const asker = await held
    await until(async () => (await engine.read(request.id)).entries.length >= models.answered.length)
    await workerOf(asker).kill()
    models.release()
    const before = models.answered.length
    expect((await endOf(request.id)).kind).toBe('completed')
    expect(models.answered.length).toBe(QUESTIONS)
    const after = models.answered.slice(before).map(({ worker }) => worker)
    expect(new Set(after)).toEqual(new Set(['one', 'two'].filter((name) => name !== asker)))
    await workerOf(asker).start()
  })

  test('one that is stopped finishes what it asks, and begins nothing more', async () => {
    const request = requestOf(program, { topic: 'stopped' })
    const held = models.holdNext(1)
    await engine.submit(request)
    const asker = await held
    const stopping = workerOf(asker).kill('SIGTERM')
    // It waits for the answer.
    await new Promise((resolve) => setTimeout(resolve, 300))
    models.release()
    await stopping
    expect((await endOf(request.id)).kind).toBe('completed')
    // The answer that it waited for was kept: nothing was asked for twice.
    expect(models.answered.length).toBe(QUESTIONS)
    expect(models.asked).toBe(QUESTIONS)
    await workerOf(asker).start()
  })

  test.each([
    // Two agents, of which one has answered: the run waits for the other.
    ['while a run waits for its agents', 2],
    ['between goals', 4],
  ])('those of a newer version go on with the runs of older ones, %s', async (_, question) => {
    const newer = newerVersion()
    const request = requestOf(program, { topic: `a newer version, ${question}` })
    const held = models.holdNext(question)
    await engine.submit(request)
    await held
    await until(async () => (await engine.read(request.id)).entries.length === question - 1)
    const before = models.answered.map(({ hash }) => hash)
    await Promise.all(group.workers.map((worker) => worker.kill()))
    models.release()
    // It allows other things, too: a run goes on with what it was begun with.
    await Promise.all(
      group.workers.map((worker) => worker.start(newer, ['--max-turns', '3', '--concurrency', '1'])),
    )
    expect((await endOf(request.id)).kind).toBe('completed')
    const hashes = models.answered.map(({ hash }) => hash)
    expect(hashes.slice(0, question - 1)).toEqual(before)
    expect(hashes.length).toBe(QUESTIONS)
    expect(new Set(hashes).size).toBe(QUESTIONS)
    await Promise.all(group.workers.map((worker) => worker.kill()))
    await Promise.all(group.workers.map((worker) => worker.start()))
  })

  test('those at another address take over what was in hand', async () => {
    const request = requestOf(program, { topic: 'another address' })
    const held = models.holdNext(4)
    await engine.submit(request)
    await held
    await until(async () => (await engine.read(request.id)).entries.length === 3)
    await Promise.all(group.workers.map((worker) => worker.kill()))
    models.release()
    const other = await startWorkers(['three', 'four'], (name) => ['--model', models.modelFor(name)], {
      cwd: folder,
      env: server.env,
    })
    try {
      await engine.register(other.address, { takeOver: true })
      expect((await endOf(request.id)).kind).toBe('completed')
      expect(models.answered.length).toBe(QUESTIONS)
      await Promise.all(group.workers.map((worker) => worker.start()))
      await engine.register(group.address, { takeOver: true })
    } finally {
      await other.stop()
    }
    expect((await onEngine(program, { topic: 'back again' })).kind).toBe('completed')
  })
})

describe('many runs', () => {
  test('all come to their end, while workers are killed again and again', async () => {
    const topics = Array.from({ length: 60 }, (_, i) => `tea number ${i}`)
    const requests = topics.map((topic) => requestOf(program, { topic }))
    await Promise.all(requests.map((request) => engine.submit(request)))
    const keptNow = async () =>
      (await Promise.all(requests.map(({ id }) => engine.read(id)))).flatMap(({ entries }) => entries).length
    let [kept, asked] = [0, 0]
    for (let i = 0; i < 6; i++) {
      const worker = group.workers[i % 2] as WorkerProcess
      kept = await keptNow()
      asked = models.asked
      await worker.kill()
      await worker.start()
    }
    const ends = await Promise.all(requests.map(({ id }) => endOf(id)))
    expect(new Set(ends.map(({ kind }) => kind))).toEqual(new Set(['completed']))
    const [first] = topics as [string]
    expect(ends[0]).toEqual(JSON.parse(JSON.stringify(await inProcess(program, { topic: first }))))
    expect(await keptNow()).toBe(60 * QUESTIONS)
    // Of what was kept before the last kill, nothing was asked for after it.
    expect(models.answered.length).toBeLessThanOrEqual(asked + 60 * QUESTIONS - kept)
  })

  test('a person may take longer than a run holds a place', async () => {
    const watched = programOf(
      readAgentfile('NAME slow\nGOAL one "Write a letter" -> letter SUPERVISED HUMAN\nRUN main USING one')
        .value as Agentfile,
    )
    const request = requestOf(watched, {})
    await engine.submit(request)
    await until(async () => (await engine.read(request.id)).waits.length === 1)
    await until(async () => (await engine.state(request.id))?.status === 'suspended', 30)
    await Promise.all(group.workers.map((worker) => worker.kill()))
    await Promise.all(group.workers.map((worker) => worker.start()))
    expect((await endOf(request.id)).kind).toBe('completed')
    expect(models.answered.length).toBe(1)
  })

  test('a run that waits longer than it may hold a place comes to the same', async () => {
    const inputs = { topic: 'a slow model' }
    const here = await inProcess(program, inputs)
    models.forget()
    const request = requestOf(program, inputs)
    const held = models.holdNext(2)
    await engine.submit(request)
    await held
    // The run was told to give up its place: it waits for its agents without a process.
    await until(async () => (await engine.state(request.id))?.status === 'suspended', 30)
    models.release()
    expect(await endOf(request.id)).toEqual(JSON.parse(JSON.stringify(here)))
    expect(models.answered.length).toBe(QUESTIONS)
  })
})

/** This version, with another number, and other words in its prompts. */
function newerVersion(): string {
  const copy = mkdtempSync(join(folder, 'newer-'))
  cpSync(join(root, 'dist'), join(copy, 'dist'), { recursive: true })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
  const about = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  writeFileSync(join(copy, 'package.json'), JSON.stringify({ ...about, version: '99.0.0' }))
  for (const [file, was, is] of [
    [
      'dist/model/loop-words.js',
      'This is done in several versions. These',
      'It is done in several versions. These',
    ],
    // What each agent is told.
    ['dist/agentfile/run/work-on.js', '${task.prompt}\\n\\n', '${task.prompt}\\n\\nMind this:\\n\\n'],
    [
      'dist/agentfile/run/run-goal.js',
      "].filter(Boolean).join('\\n\\n')",
      "].filter(Boolean).join('\\n \\n')",
    ],
  ] as const) {
    const words = readFileSync(join(copy, file), 'utf8')
    expect(words).toContain(was)
    writeFileSync(join(copy, file), words.replaceAll(was, is))
  }
  return join(copy, 'dist/cli/main.js')
}
