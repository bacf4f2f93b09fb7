import type { WorkflowContext, WorkflowSharedContext } from '@restatedev/restate-sdk'
import { RestatePromise, TerminalError, workflow } from '@restatedev/restate-sdk'
import type { Branch, Json } from '../../agent/durable.ts'
import { type JournalEntry, scopeJournal } from '../../agent/memory-journal.ts'
import type { BudgetLimits, Used } from '../../agentfile/run/budget.ts'
import { createWorkflow } from '../../agentfile/run/create-workflow.ts'
import { Halt } from '../../agentfile/run/halt.ts'
import { checkAnswer } from '../../agentfile/run/judge-goal.ts'
import { runBranch } from '../../agentfile/run/run-branch.ts'
import type { Task } from '../../agentfile/run/task.ts'
import type { WorkflowLimits, WorkflowOptions } from '../../agentfile/run/workflow-options.ts'
import { LegibleError } from '../../core/legible-error.ts'
import { noUsage } from '../../model/usage.ts'
import { toJsonSchema } from '../../schema/to-json-schema.ts'
import type { Tool } from '../../tool/tool.ts'
import { jsonSerde } from './json-serde.ts'
import { budgetObject, Ledger } from './ledger.ts'
import { branchKey, branchService, runService, stateNames } from './names.ts'
import type { Wait } from './one-by-one.ts'
import { type BranchResult, type RestateJournalOptions, restateJournal } from './restate-journal.ts'
import {
  type BranchReply,
  type BranchRequest,
  problemWith,
  type RunAbout,
  type RunAllowance,
  type RunOutcome,
  type RunRequest,
} from './run-request.ts'
import type { StepRoom } from './step-room.ts'

/** What the workflows of a worker work with. */
export interface ServiceOptions
  extends Omit<WorkflowOptions, 'tools' | 'approve' | 'judge' | 'limits' | 'goalLimits'> {
  readonly tools: readonly Tool[]
  /** No run may use more. */
  readonly limits?: Partial<WorkflowLimits> | undefined
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

const DAY = 24 * 60 * 60 * 1000
/** A step lasts as long as a model takes for a reply, and the tries that follow. */
const LONGEST_STEP = 60 * 60 * 1000
const shared = {
  workflowRetention: 30 * DAY,
  journalRetention: DAY,
  abortTimeout: LONGEST_STEP,
  // All that is kept is in the journal: a run need not read its state.
  enableLazyState: true,
  // A worker that is not there comes back, or another one does.
  retryPolicy: { initialInterval: 100, maxInterval: 30_000, exponentiationFactor: 2, maxAttempts: 1_000_000 },
}
const MOST_SPAWNED = 16

/**
 * A run that waits for its agents gives its place at the engine to others: where all places are taken by runs that wait, no agent could
 * begin. Each time it goes on it is replayed, so this is not too soon.
 */
const LONGEST_WAIT = 10_000

/** The services by which a worker carries out runs. */
export function createServices(options: ServiceOptions) {
  const run = workflow({
    name: runService,
    description: 'Runs of Agentfile workflows.',
    handlers: { run: (ctx: WorkflowContext, request: RunRequest) => carryOut(ctx, request, options), answer },
    options: { ...shared, inactivityTimeout: LONGEST_WAIT },
  })
  const branch = workflow({
    name: branchService,
    description: 'Agents of runs: each works on its own.',
    handlers: {
      run: (ctx: WorkflowContext, request: BranchRequest) => carryOutBranch(ctx, request, options),
      answer,
    },
    options: shared,
  })
  return [run, branch, budgetObject]
}

/** What a person says to what waits. */
async function answer(
  ctx: WorkflowSharedContext,
  { name, value }: { name: string; value: Json },
): Promise<void> {
  let said: Json
  try {
    said = checkAnswer(name, value)
  } catch (error) {
    throw new TerminalError((error as Error).message, { errorCode: 400 })
  }
  await ctx.promise<Json>(name).resolve(said)
}

async function carryOut(
  ctx: WorkflowContext,
  request: RunRequest,
  options: ServiceOptions,
): Promise<RunOutcome> {
  const problem = problemWith(request)
  const outcome = problem
    ? ({ kind: 'broken', reason: `The request cannot be carried out: ${problem}.` } as const)
    : await runOf(ctx, request, options)
  ctx.set(stateNames.end, outcome)
  return outcome
}

async function runOf(
  ctx: WorkflowContext,
  request: RunRequest,
  options: ServiceOptions,
): Promise<RunOutcome> {
  const { id, program, inputs, entries = [], ...rest } = request
  const { onRun } = options
  const limits = leastOf(request.limits, options.limits)
  const { model, profiles = {}, tools } = options
  // Another worker that goes on with it may have other tools.
  const about = await ctx.run(
    'about',
    (): RunAbout => ({
      ...rest,
      id,
      inputs,
      model: nameOf(model),
      profiles: Object.fromEntries(Object.entries(profiles).map(([name, source]) => [name, nameOf(source)])),
      tools: tools.map(signatureOf),
      workflow: program.name,
      began: Date.now(),
    }),
  )
  ctx.set(stateNames.about, about)
  ctx.set(stateNames.program, program)
  const part = openPart(ctx, options, {
    ...request,
    limits,
    runId: id,
    entries,
    ...(program.security && { security: program.security }),
    ...(limits.time !== undefined && { deadline: about.began + limits.time }),
  })
  onRun?.({ type: 'begun', run: id })
  const end = async (): Promise<RunOutcome> => {
    try {
      const workflow = createWorkflow(program, part.options)
      const started = workflow.start(inputs, {
        signal: part.signal,
        journal: (_, count) => restateJournal(ctx, part.journal(count)),
      })
      const { saved: _, ...outcome } = await started.outcome
      return outcome.kind === 'cancelled' ? { ...outcome, reason: 'cancelled' } : outcome
    } catch (error) {
      return { kind: 'broken', reason: error instanceof Error ? error.message : String(error) }
    }
  }
  const outcome = await end()
  await part.isOver()
  part.ledger.close()
  onRun?.({ type: 'ended', run: id, outcome: outcome.kind })
  return outcome
}

async function carryOutBranch(
  ctx: WorkflowContext,
  request: BranchRequest,
  options: ServiceOptions,
): Promise<BranchReply> {
  const { path, task, runId, security } = request
  const { onRun } = options
  const part = openPart(ctx, options, request)
  onRun?.({ type: 'begun', run: runId, path })
  const end = async (): Promise<BranchReply> => {
    try {
      const { ended, used } = await runBranch(
        {
          task,
          path,
          security,
          signal: part.signal,
          journal: (count) => scopeJournal(restateJournal(ctx, part.journal(count)), path),
        },
        part.options,
      )
      return ended instanceof Halt ? { halt: ended.why, used } : { work: ended, used }
    } catch (error) {
      if (part.signal.aborted) throw new TerminalError('The run was cancelled.', { errorCode: 409 })
      const reason = error instanceof Error ? error.message : String(error)
      return { broken: reason, used: { turns: 0, calls: 0, spawned: 0, usage: noUsage } }
    }
  }
  const reply = await end()
  await part.isOver()
  part.ledger.settle()
  onRun?.({
    type: 'ended',
    run: runId,
    path,
    outcome: 'work' in reply ? 'done' : 'halt' in reply ? reply.halt.kind : 'broken',
  })
  return reply
}

/** What a run and its branches have in common. */
function openPart(
  ctx: WorkflowContext,
  options: ServiceOptions,
  given: Omit<BranchRequest, 'path' | 'task'>,
) {
  const { runId, limits = {}, goalLimits, spawn = false, security, deadline, entries = [] } = given
  const { room, onRun: _, limits: __, spawn: maySpawn = true, ...workflow } = options
  const over = ctx.request().attemptCompletedSignal
  const stop = new AbortController()
  const budget: Partial<BudgetLimits> = {
    ...(limits.turns !== undefined && { turns: limits.turns }),
    ...(limits.tokens !== undefined && { tokens: limits.tokens }),
    ...(limits.cost !== undefined && { cost: limits.cost }),
  }
  const canSpawn = spawn && maySpawn
  const agents = canSpawn === false ? 0 : canSpawn === true ? MOST_SPAWNED : (canSpawn.count ?? MOST_SPAWNED)
  const ledger = new Ledger(ctx, { runId, limits: budget, agents, prices: options.prices })
  for (const entry of entries) ledger.count(entry)

  const callBranches = async (
    branches: readonly Branch[],
    count: (used: Used) => void,
    wait: Wait,
  ): Promise<BranchResult[]> => {
    const [first] = branches
    if (first && (first.input as unknown as Task).role === 'spawn' && !(await ledger.claimAgent(wait)))
      return [{ error: failed(first.key, `No more than ${agents} agents can be spawned.`) }]
    const calls = branches.map(({ key, input }) =>
      ctx.genericCall<BranchRequest, BranchReply>({
        service: branchService,
        method: 'run',
        key: branchKey(runId, key),
        name: key,
        parameter: {
          runId,
          path: key,
          task: input as unknown as Task,
          limits,
          spawn,
          ...(goalLimits && { goalLimits }),
          ...(security && { security }),
          ...(deadline !== undefined && { deadline }),
          ...within(entries, key),
        },
        inputSerde: jsonSerde(),
        outputSerde: jsonSerde(),
      }),
    )
    const ended = await wait(RestatePromise.allSettled(calls))
    return ended.map((one, i) => {
      const { key } = branches[i] as Branch
      if (one.status === 'rejected') return { error: failed(key, (one.reason as Error).message) }
      const reply = one.value
      count(reply.used)
      if ('work' in reply) return { value: reply.work as unknown as Json }
      return {
        error:
          'halt' in reply ? new Halt(reply.halt) : new LegibleError('durable.broken_branch', reply.broken),
      }
    })
  }

  return {
    ledger,
    signal: AbortSignal.any([stop.signal, over]),
    options: {
      ...workflow,
      goalLimits,
      spawn: canSpawn,
      limits: limits.concurrency === undefined ? {} : { concurrency: limits.concurrency },
    } satisfies WorkflowOptions,
    journal: (count: (used: Used) => void): RestateJournalOptions => ({
      runId,
      entries,
      concurrency: limits.concurrency,
      claim: ledger.claimTurn,
      admit: room.admit,
      listen: (name) => ctx.promise<Json>(name).get(),
      callBranches: (branches, wait) => callBranches(branches, count, wait),
      onKeep: (step) => {
        ledger.count(step)
        ctx.set(stateNames.step(step.key), { value: step.value, ms: step.ms })
      },
      onWait: (name, waits) =>
        waits ? ctx.set(stateNames.wait(name), true) : ctx.clear(stateNames.wait(name)),
      onCancel: (reason) => stop.abort(reason),
      deadline:
        deadline === undefined
          ? undefined
          : {
              at: deadline,
              error: () => new Halt({ kind: 'limit', limit: 'time', most: limits.time ?? 0, path: '' }),
            },
    }),
    /** Never comes to an end where nobody waits for this try any more: another one goes on. */
    isOver: () => (over.aborted ? new Promise<never>(() => {}) : Promise.resolve()),
  }
}

const failed = (path: string, reason: string) =>
  new Halt({ kind: 'failed', path, paths: [path], reason, issues: [], provider: false })

/** What of an earlier try belongs to a branch. */
function within(entries: readonly JournalEntry[], path: string): { entries?: JournalEntry[] } {
  const own = entries.filter(({ key }) => key.replace(/^signal:/, '').startsWith(`${path}/`))
  return own.length > 0 ? { entries: own } : {}
}

/** What both allow. */
function leastOf(
  asked: RunAllowance['limits'] = {},
  most: RunAllowance['limits'] = {},
): Partial<WorkflowLimits> {
  const names = [...new Set([...Object.keys(asked), ...Object.keys(most)])] as (keyof WorkflowLimits)[]
  return Object.fromEntries(
    names.flatMap((name) => {
      const values = [asked[name], most[name]].filter(
        (value) => typeof value === 'number' && Number.isFinite(value),
      )
      return values.length > 0 ? [[name, Math.min(...(values as number[]))]] : []
    }),
  )
}

const nameOf = (source: WorkflowOptions['model']): string =>
  typeof source === 'string' ? source : ((source as { modelId?: string } | undefined)?.modelId ?? 'default')

const signatureOf = ({ name, description, input }: Tool) => ({
  name,
  description,
  ...(input !== undefined && { input: toJsonSchema(input) as Json }),
})
