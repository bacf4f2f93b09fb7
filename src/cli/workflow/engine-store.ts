import { setTimeout } from 'node:timers/promises'
import type { ApprovalRequest } from '../../agent/approval.ts'
import type { Json } from '../../agent/durable.ts'
import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'
import { isRecord } from '../../core/is-record.ts'
import type { Engine, EngineRun, EngineRunState } from '../../durable/restate/create-engine.ts'
import { toolsElsewhere } from '../../durable/restate/tools-elsewhere.ts'
import type { RunRecord } from '../../durable/run-file.ts'
import { noUsage } from '../../model/usage.ts'
import type { Tool } from '../../tool/tool.ts'
import type { EngineChoice } from '../engine-options.ts'
import { asUsage, UsageError } from '../usage-error.ts'
import { typedFor } from './choose-engine.ts'
import { replayRun } from './replay-run.ts'
import type { RunStore, RunSummary, StoredRun } from './run-store.ts'
import { type Settings, settingsToJson } from './settings.ts'

/** The runs that an engine has. */
export function engineStore(engine: Engine, choice: EngineChoice): RunStore {
  const found = (given: string | undefined) => asUsage('cli.engine', () => findOnEngine(engine, given))
  const read = (id: string) => asUsage('cli.engine', async () => storedRun(await engine.read(id), id))
  return {
    place: 'at the engine',
    list: () => asUsage('cli.engine', async () => (await engine.list()).map(summaryOf)),
    read: async (given) => read(await found(given)),
    async readWaiting() {
      const states = await asUsage('cli.engine', () => engine.list())
      const waiting = states.find(({ waits, end }) => waits > 0 && !end)
      return read(waiting?.id ?? (await found(undefined)))
    },
    async answer({ header }, answers) {
      const { waits } = await asUsage('cli.engine', () => engine.read(header.id))
      for (const [id, value] of Object.entries(answers)) {
        const wait = waits.find((one) => one.id === id)
        if (!wait) throw new UsageError('cli.usage', `run ${header.id} does not wait for ${id} any more`)
        await asUsage('cli.engine', () => engine.answer(wait, value))
      }
      await asUsage('cli.engine', () => heard(engine, header.id, Object.keys(answers)))
      const typed = typedFor(header.id, choice)
      return Object.values(answers).some(isStop)
        ? `run ${header.id} ends; legible show ${typed} tells how`
        : `run ${header.id} goes on; legible resume ${typed} follows it`
    },
    async cancel(given, kill) {
      const id = await found(given)
      const state = await asUsage('cli.engine', () => engine.state(id))
      if (state?.end) throw new UsageError('cli.usage', `run ${id} has ended: ${state.end.outcome.kind}`)
      await asUsage('cli.engine', () => engine.cancel(id, { kill }))
      return id
    },
  }
}

/** Milliseconds that a worker gets to hear an answer. Without one it is heard later. */
const PATIENCE = 5000

/** Until the run waits for it no more: whoever follows it next would be asked again. */
async function heard(engine: Engine, id: string, ids: readonly string[]): Promise<void> {
  for (const end = Date.now() + PATIENCE; Date.now() < end; ) {
    const { waits } = await engine.read(id)
    if (!waits.some((wait) => ids.includes(wait.id))) return
    await setTimeout(50)
  }
}

/** A no to a goal is the end of the run. */
const isStop = (answer: Json): boolean => isRecord(answer) && answer.kind === 'pause'

/** The run that a beginning of its id means; the last one when none is given. Throws a UsageError. */
export async function findOnEngine(engine: Engine, given: string | undefined): Promise<string> {
  const meant = await engine.find(given ?? '')
  const [last] = meant
  const isOne = meant.length === 1 || given === undefined || last === given
  if (last !== undefined && isOne) return last
  const problem = meant.length === 0 ? 'the engine has no run' : `${meant.length} runs begin with`
  throw new UsageError(
    'cli.unknown_run',
    given === undefined ? 'the engine has no runs' : `${problem} ${JSON.stringify(given)}`,
  )
}

/** What the engine says of an invocation, in words of ours. */
const doings: Readonly<Record<string, string>> = {
  ready: 'queued',
  inboxed: 'queued',
  scheduled: 'queued',
  pending: 'queued',
  running: 'running',
  suspended: 'running',
  'backing-off': 'retrying',
  paused: 'paused',
  completed: 'ended',
}

function summaryOf({ id, about, end, waits, status, problem, created }: EngineRunState): RunSummary {
  const outcome = end?.outcome
  const used = outcome && 'usage' in outcome ? outcome : undefined
  const isStuck = !end && problem !== undefined && /backing-off|paused/.test(status)
  return {
    run: id,
    workflow: about?.workflow ?? '',
    file: about?.file ?? '',
    started: about?.started ?? created,
    outcome:
      outcome?.kind ?? (waits > 0 && status !== 'completed' ? 'suspended' : (doings[status] ?? status)),
    ...(used && { turns: used.turns, tokens: used.usage.input + used.usage.output }),
    resumes: 0,
    ...(isStuck && { problem: shortProblem(problem) }),
  }
}

/** The engine adds frames and whole values to what it says. */
const shortProblem = (problem: string): string => {
  const [line = ''] = problem.split(/\n|\\n/, 1)
  return line.length > LONGEST_PROBLEM ? `${line.slice(0, LONGEST_PROBLEM)}…` : line
}
const LONGEST_PROBLEM = 200

/** The run as commands know runs. */
async function storedRun(run: EngineRun, id: string): Promise<StoredRun> {
  const { about, program, entries, end } = run
  if (!about || !program) throw new UsageError('cli.unknown_run', `no worker has begun run ${id}`)
  const { started, file, inputs, model, profiles, allowance } = about
  const tools = toolsElsewhere(about.tools)
  const { time, ...limits } = allowance.limits
  const settings: Settings = {
    model,
    from: 'worker',
    profiles,
    tools: tools.map(({ name }) => name),
    spawn: allowance.spawn !== false,
    limits: { ...limits, ...(time !== undefined && { time: time / 1000 }) },
    goalLimits: allowance.goalLimits as Settings['goalLimits'],
  }
  const record: RunRecord = {
    header: { id, started, file, program, inputs, settings: settingsToJson(settings) },
    entries,
    ends: end ? [end] : [],
    resumes: 0,
    retries: [],
    spent: about.spent ?? { turns: 0, usage: noUsage },
  }
  const waiting =
    !end && run.waits.length > 0 ? [{ at: started, outcome: await waitingOf(record, run, tools) }] : []
  return {
    record: { ...record, ends: [...record.ends, ...waiting] },
    openTools: async () => ({ tools, close: async () => {} }),
  }
}

/** What a run waits for: going through it once more comes to the requests. */
async function waitingOf(
  record: RunRecord,
  { waits }: EngineRun,
  tools: readonly Tool[],
): Promise<WorkflowOutcome> {
  const { events, outcome } = await replayRun(record, tools)
  if (outcome?.kind === 'suspended') return outcome
  // Other parts of it are still at work.
  const approvals = events.flatMap((one): ApprovalRequest[] => {
    if (one.type !== 'worker-event' || one.event.type !== 'approval-request') return []
    const { request } = one.event
    const id = `${one.path}/approval:${request.id}`
    return waits.some((wait) => wait.id === id) ? [{ ...request, id }] : []
  })
  const nothing = { variables: {}, goals: {}, usage: noUsage, cost: 0, turns: 0, calls: 0 }
  return { kind: 'suspended', judgements: [], approvals, ...nothing }
}
