import type { WorkflowContext } from '@restatedev/restate-sdk'
import { RestatePromise } from '@restatedev/restate-sdk'
import type { Branch, Json } from '../../agent/durable.ts'
import type { Used } from '../../agentfile/run/budget.ts'
import { Halt } from '../../agentfile/run/halt.ts'
import type { Task } from '../../agentfile/run/task.ts'
import { entriesWithin } from '../../agentfile/run/to-resume.ts'
import type { WorkflowOptions } from '../../agentfile/run/workflow-options.ts'
import { LegibleError } from '../../core/legible-error.ts'
import type { Tool } from '../../tool/tool.ts'
import { type EngineJournalOptions, engineJournal } from './engine-journal.ts'
import { jsonSerde } from './json-serde.ts'
import { Ledger } from './ledger.ts'
import { branchKey, branchService, stateNames } from './names.ts'
import type { Wait } from './one-by-one.ts'
import type { BranchReply, BranchRequest } from './run-request.ts'
import type { StepRoom } from './step-room.ts'

/** What a worker has for all runs that come to it. */
export interface WorkerSetup extends Omit<WorkflowOptions, 'tools' | 'approve' | 'judge' | 'goalLimits'> {
  readonly tools: readonly Tool[]
  readonly room: StepRoom
  readonly onRun?: ((run: RunNote) => void) | undefined
}

/** What a worker tells of the runs that come to it. */
export type RunNote = {
  readonly type: 'begun' | 'ended'
  readonly run: string
  /** Of a branch: where in the run. */
  readonly path?: string
  readonly outcome?: string
}

/** What a run and its branches have in common: each is a part of a run, in an invocation of its own. */
export interface Part {
  readonly ledger: Ledger
  /** Ends what runs in this process: the run was cancelled, or nobody waits for this try any more. */
  readonly signal: AbortSignal
  readonly options: WorkflowOptions
  journal(count: (used: Used) => void): ReturnType<typeof engineJournal>
  /** Never comes back where nobody waits for this try any more: another one goes on. */
  stayIfOver(): Promise<void>
}

/** It can be done by another worker, or when this one is as it was: the engine tries it again. */
export class NotHere extends Error {
  override readonly name = 'NotHere'
}

export function openPart(
  ctx: WorkflowContext,
  setup: WorkerSetup,
  given: Omit<BranchRequest, 'path' | 'task'>,
): Part {
  const { runId, allowance, tools, deadline, entries = [] } = given
  const { limits, goalLimits, spawn } = allowance
  const { room, onRun: _, limits: __, spawn: ___, prices: ____, ...workflow } = setup
  const missing = tools.filter((name) => !setup.tools.some((tool) => tool.name === name))
  if (missing.length > 0)
    throw new NotHere(
      `This worker does not have the tools that the run was begun with: ${missing.join(', ')}.`,
    )
  const over = ctx.request().attemptCompletedSignal
  const stop = new AbortController()
  const ledger = new Ledger(ctx, runId, allowance)
  const before = new Set(entries.map(({ key }) => key))
  const time =
    deadline === undefined ? {} : { deadline: { at: deadline, error: () => timeIsUp(limits.time) } }
  const journalOptions = (count: (used: Used) => void): EngineJournalOptions => ({
    runId,
    entries,
    concurrency: limits.concurrency,
    claim: ledger.claimTurn,
    admit: room.admit,
    listen: (name) => ctx.promise<Json>(name).get(),
    callBranches: (branches, wait) => callBranches(ctx, given, ledger, branches, count, wait),
    onKeep: (step) => {
      // What an earlier try has used was told when the run began.
      if (!before.has(step.key)) ledger.count(step)
      ctx.set(stateNames.step(step.key), { value: step.value, ms: step.ms })
    },
    onWait: (name, waits) =>
      waits ? ctx.set(stateNames.wait(name), true) : ctx.clear(stateNames.wait(name)),
    onCancel: (reason) => stop.abort(reason),
    ...time,
  })
  return {
    ledger,
    signal: AbortSignal.any([stop.signal, over]),
    // What all parts use together is counted elsewhere; here nothing of that is limited.
    options: { ...workflow, goalLimits, spawn, limits: { concurrency: limits.concurrency ?? 1 } },
    journal: (count) => engineJournal(ctx, journalOptions(count)),
    stayIfOver: () => (over.aborted ? new Promise(() => {}) : Promise.resolve()),
  }
}

/** Each branch is an invocation of its own, at whichever worker. */
async function callBranches(
  ctx: WorkflowContext,
  { runId, allowance, tools, security, deadline, entries = [] }: Omit<BranchRequest, 'path' | 'task'>,
  ledger: Ledger,
  branches: readonly Branch[],
  count: (used: Used) => void,
  wait: Wait,
): Promise<PromiseSettledResult<Json>[]> {
  // They ask for room, too: what was used before has to be known.
  ledger.settle()
  const [first] = branches
  if (first && taskOf(first).role === 'spawn' && !(await ledger.claimAgent(wait))) {
    const most = allowance.spawn ? allowance.spawn.count : 0
    return [{ status: 'rejected', reason: failed(first.key, `No more than ${most} agents can be spawned.`) }]
  }
  const calls = branches.map((branch) =>
    ctx.genericCall<BranchRequest, BranchReply>({
      service: branchService,
      method: 'run',
      key: branchKey(runId, branch.key),
      name: branch.key,
      parameter: {
        runId,
        path: branch.key,
        task: taskOf(branch),
        allowance,
        tools,
        ...(security && { security }),
        ...(deadline !== undefined && { deadline }),
        entries: entriesWithin(entries, branch.key),
      },
      inputSerde: jsonSerde(),
      outputSerde: jsonSerde(),
    }),
  )
  const ended = await wait(RestatePromise.allSettled(calls))
  return ended.map((one, i): PromiseSettledResult<Json> => {
    const { key } = branches[i] as Branch
    if (one.status === 'rejected')
      return { status: 'rejected', reason: failed(key, (one.reason as Error).message) }
    const reply = one.value
    count(reply.used)
    if ('work' in reply) return { status: 'fulfilled', value: reply.work as unknown as Json }
    const reason =
      'halt' in reply ? new Halt(reply.halt) : new LegibleError('durable.broken_branch', reply.broken)
    return { status: 'rejected', reason }
  })
}

const taskOf = ({ input }: Branch): Task => input as unknown as Task

const timeIsUp = (most = 0) => new Halt({ kind: 'limit', limit: 'time', most, path: '' })

const failed = (path: string, reason: string) =>
  new Halt({ kind: 'failed', path, paths: [path], reason, issues: [], provider: false })
