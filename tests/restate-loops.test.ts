// Agents on the real engine, in a service of somebody's own: steps that run at the same time survive what kills their process.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { createEngine } from '../src/durable/restate/create-engine.ts'
import { type CountedModels, countedModels } from './restate/counted-models.ts'
import { freePorts, type RestateServer, startRestate, until } from './restate/restate-server.ts'

vi.setConfig({ testTimeout: 120_000, hookTimeout: 120_000 })

const folder = mkdtempSync(join(tmpdir(), 'legible-loops-'))
let server: RestateServer
let models: CountedModels
let port: number
let file: string
let child: ChildProcess

async function start(): Promise<void> {
  child = spawn(
    process.execPath,
    [
      fileURLToPath(new URL('./restate/loop-service.ts', import.meta.url)),
      String(port),
      models.modelFor('loops'),
      file,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  await once(child.stdout as NonNullable<typeof child.stdout>, 'data')
}

async function kill(): Promise<void> {
  child.kill('SIGKILL')
  await once(child, 'exit')
}

let tries = 0
beforeAll(async () => {
  ;[server, models] = await Promise.all([startRestate(), countedModels()])
  ;[port = 0] = await freePorts(1)
  file = join(folder, 'first')
  await start()
  await createEngine(server).register(`http://127.0.0.1:${port}`)
})
beforeEach(async () => {
  await kill()
  models.forget()
  file = join(folder, `log${++tries}`)
  await start()
})
afterAll(async () => {
  await kill()
  await server?.stop()
  await models?.close()
  rmSync(folder, { recursive: true, force: true })
})

const call = async (handler: string, given: unknown): Promise<unknown> => {
  const response = await fetch(`${server.ingress}/loops/${handler}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(given),
  })
  return response.json()
}
const lines = () => (existsSync(file) ? readFileSync(file, 'utf8').trim().split('\n') : [])
const keysOf = (word: string) =>
  lines().flatMap((line) => (line.startsWith(`${word} `) ? [line.slice(word.length + 1)] : []))

describe('calls at the same time', () => {
  test.each([1, 2, 3, 4, 5, 6])('the process is killed when %i of six have ended', async (count) => {
    const run = call('run', { agent: 'batch', task: `go ${count}` })
    await until(() => keysOf('end').length >= count)
    // What has ended is kept a moment later.
    await new Promise((resolve) => setTimeout(resolve, 60))
    const ended = keysOf('end')
    await kill()
    await start()
    const outcome = (await run) as { kind: string; turns: number; calls: number; value: string[] }
    expect(outcome).toMatchObject({ kind: 'answered', turns: 2, calls: 6 })
    expect(outcome.value.slice(0, 6)).toEqual([400, 20, 300, 10, 200, 30].map((ms) => `waited ${ms}`))
    const again = ended.filter((key) => keysOf('begin').filter((one) => one === key).length > 1)
    // Those that ended in the very moment of the kill may not have reached the engine.
    expect(again.length).toBeLessThanOrEqual(1)
    // Whoever runs twice can be told by its key.
    expect(new Set(keysOf('end')).size).toBe(6)
    expect(models.answered.length).toBe(2)
  })

  test('killed again and again, it comes to its end', async () => {
    const run = call('run', { agent: 'batch', task: 'again and again' })
    for (let i = 0; i < 6; i++) {
      await new Promise((resolve) => setTimeout(resolve, 150 + 40 * i))
      await kill()
      await start()
    }
    expect(await run).toMatchObject({ kind: 'answered', turns: 2, calls: 6 })
    expect(new Set(models.answered.map(({ hash }) => hash)).size).toBe(2)
  })
})

describe('every loop', () => {
  test.each(['react', 'plan'])('%s comes to an answer, whatever it is killed at', async (agent) => {
    const task = `Call slow with {"ms": 5}. (${agent})`
    const first = (await call('run', { agent, task })) as { kind: string; turns: number; calls: number }
    expect(first).toMatchObject({ kind: 'answered' })
    const { turns } = first
    for (let question = 1; question <= turns; question++) {
      models.forget()
      const held = models.holdNext(question)
      const run = call('run', { agent, task })
      await held
      await kill()
      models.release()
      await start()
      expect(await run).toEqual(first)
      expect(models.answered.length).toBe(turns)
    }
  })
})

test('pauses, and words that nobody says', async () => {
  const since = Date.now()
  expect(await call('waits', 300)).toBeNull()
  expect(Date.now() - since).toBeGreaterThanOrEqual(290)
})
