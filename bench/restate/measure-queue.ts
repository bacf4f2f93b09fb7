import { setTimeout } from 'node:timers/promises'
import type { Contender } from './contenders.ts'
import { checkCompleted, onEngine, type Part, type Processes, timesOf } from './on-engine.ts'
import { cpuOf, type Measured, peakMemory } from './processes.ts'
import type { Server } from './server.ts'

export interface Queue {
  /** Milliseconds from the submission of the first run to the end of the last one. */
  readonly totalMs: number
  /** Milliseconds from the submission of each run to its end. */
  readonly eachMs: readonly number[]
  /** Of all runs together. */
  readonly cpuMs: Readonly<Record<Part | 'all', number>>
  /** MB at the peak; of the workers, the one that had most. */
  readonly memory: Readonly<Record<Part, number>>
  readonly kept: Kept
}

/** What the engine keeps of one run, with its agents. */
interface Kept {
  readonly journalEntries: number
  readonly journalBytes: number
  readonly stateBytes: number
  /** Bytes that the steps of an agent and of a synthesis came to, where they are kept as state. */
  readonly agentReply: number
  readonly synthesisReply: number
}

/** Runs before those that count, one by one. */
const WARM_UP = 10
/** Requests at the same time while runs are submitted. */
const SUBMITTED_AT_ONCE = 50
/** Milliseconds between two looks: a look costs the engine some work, and the times do not come from it. */
const LOOK_AGAIN = 1000
/** Looks without one more run at its end, after which there is no hope. */
const PATIENCE = 120

/** Has a new engine carry out runs that are submitted at once; throws unless all come to a good end. */
export function measureQueue(contender: Contender, runs: number, workers: number): Promise<Queue> {
  return onEngine([contender], workers, async (server, processes) => {
    const { service, requestOf } = contender
    const submit = (id: string) => server.submit(service, id, requestOf(id))
    for (let i = 0; i < WARM_UP; i++) {
      await submit(`warm${i}`)
      await server.ended(service, `warm${i}`)
    }
    const before = eachPart(processes, cpuOf, sum)
    const ids = Array.from({ length: runs }, (_, i) => `run${i}`)
    await forEach(ids, SUBMITTED_AT_ONCE, submit)
    await untilEnded(server, contender, WARM_UP + runs)
    const after = eachPart(processes, cpuOf, sum)
    await checkCompleted(server, contender, WARM_UP + runs)

    const times = (await timesOf(server, contender)).filter(({ id }) => id.startsWith('run'))
    const first = Math.min(...times.map(({ created }) => created))
    const last = Math.max(...times.map(({ ended }) => ended))
    const cpu = {
      server: after.server - before.server,
      workers: after.workers - before.workers,
      balancer: after.balancer - before.balancer,
    }
    return {
      totalMs: last - first,
      eachMs: times.map(({ created, ended }) => ended - created),
      cpuMs: { ...cpu, all: sum(Object.values(cpu)) },
      memory: eachPart(processes, peakMemory, (all) => Math.max(...all)),
      kept: await keptOf(server, ids[0]!),
    }
  })
}

async function keptOf(server: Server, id: string): Promise<Kept> {
  const isOf = (column: string) => `(${column} = '${id}' or ${column} like '${id}/%')`
  const state = await server.query(
    `select service_key, key, octet_length(value_utf8) as bytes from state where ${isOf('service_key')}`,
  )
  const journal = await server.query(
    `select j.raw_length as bytes from sys_journal j join sys_invocation i on i.id = j.id where ${isOf('i.target_service_key')}`,
  )
  const steps = state.filter(({ key }) => String(key).startsWith('step/'))
  const bytesOf = (rows: typeof state) => sum(rows.map(({ bytes }) => Number(bytes)))
  const mean = (rows: typeof state) => Math.round(bytesOf(rows) / Math.max(1, rows.length))
  return {
    journalEntries: journal.length,
    journalBytes: bytesOf(journal),
    stateBytes: bytesOf(state),
    agentReply: mean(steps.filter(({ service_key: key }) => key !== id)),
    synthesisReply: mean(steps.filter(({ service_key: key }) => key === id)),
  }
}

async function untilEnded(server: Server, { name, service }: Contender, runs: number): Promise<void> {
  let most = 0
  for (let looks = 0; looks < PATIENCE; looks++) {
    await setTimeout(LOOK_AGAIN)
    const [row] = await server.query(
      `select count(*) as ended from sys_invocation where target_service_name = '${service}' and target_handler_name = 'run' and status = 'completed'`,
    )
    const ended = Number(row?.ended)
    if (ended === runs) return
    if (ended > most) looks = 0
    most = Math.max(most, ended)
  }
  throw new Error(`${name}: only ${most} of ${runs} runs have ended`)
}

async function forEach<T>(items: readonly T[], atOnce: number, work: (item: T) => Promise<void>) {
  const left = items[Symbol.iterator]()
  const go = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, go))
}

function eachPart(
  processes: Processes,
  read: (process: Measured) => number,
  join: (all: readonly number[]) => number,
): Record<Part, number> {
  const of = (part: Part) => join(processes[part].map(read))
  return { server: of('server'), workers: of('workers'), balancer: of('balancer') }
}

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
