import type { Durable, Json } from '../../agent/durable.ts'
import {
  type JournalEntry,
  type MemoryJournal,
  memoryJournal,
  type SavedRun,
} from '../../agent/memory-journal.ts'
import { createRun, type EventedRun } from '../../agent/run.ts'
import { startClock } from '../../agent/start-clock.ts'
import { LegibleError } from '../../core/legible-error.ts'
import { Turnstile } from '../../core/turnstile.ts'
import type { ModelSource } from '../../model/load-model.ts'
import { Budget, noLimits, type Spent, type Used } from './budget.ts'
import { Halt } from './halt.ts'
import { checkAnswer } from './judge-goal.ts'
import { makeCrew } from './make-crew.ts'
import type { Program, Value } from './program.ts'
import { readInputs } from './read-inputs.ts'
import { type RunningState, runGoals } from './run-goals.ts'
import type { Task } from './task.ts'
import { entriesToResume, pathsToForget } from './to-resume.ts'
import { workOn } from './work-on.ts'
import type { WorkflowEvent } from './workflow-event.ts'
import type { WorkflowLimits, WorkflowOptions } from './workflow-options.ts'
import type { WorkflowEnd, WorkflowOutcome } from './workflow-outcome.ts'

export type WorkflowRun = EventedRun<WorkflowEvent, WorkflowOutcome>

export interface WorkflowStart {
  readonly signal?: AbortSignal | undefined
  /** Where steps are kept; in memory unless said otherwise. It must be able to run branches: see `runBranch`. */
  readonly journal?: JournalSource | undefined
  /** What earlier tries used of which nothing is kept: it counts for the limits. */
  readonly spent?: Spent | undefined
}

/** Makes the journal of a run, given how its branches are carried out. `count`: what one used that ran elsewhere. */
export type JournalSource = (
  runBranch: NonNullable<NonNullable<Parameters<typeof memoryJournal>[0]>['runBranch']>,
  count: (used: Used) => void,
) => Durable

/** A workflow that can be run. */
export interface WorkflowRunner {
  readonly program: Program
  /** Throws a LegibleError when the inputs are not those of the program. */
  start(inputs?: Readonly<Record<string, unknown>>, options?: WorkflowStart): WorkflowRun
  /**
   * Takes up a run where it ended. `answers`: what people said, by the ids of what waits: judgements on goals, verdicts on
   * calls.
   */
  resume(
    saved: SavedRun,
    answers?: Readonly<Record<string, Json>>,
    options?: Pick<WorkflowStart, 'signal'>,
  ): WorkflowRun
}

const defaultLimits: WorkflowLimits = {
  ...noLimits,
  time: Number.POSITIVE_INFINITY,
  concurrency: 8,
}

/** Makes a program ready to run. */
export function createWorkflow(program: Program, options: WorkflowOptions = {}): WorkflowRunner {
  checkProfiles(program, options.profiles ?? {})
  const limits = { ...defaultLimits, ...options.limits }
  checkLimits(limits, options)
  const work = async (
    inputs: () => Readonly<Record<string, unknown>>,
    journalOf: JournalSource,
    outer: AbortSignal | undefined,
    inner: AbortSignal,
    emit: (event: WorkflowEvent) => void,
    spent?: Spent,
  ): Promise<WorkflowOutcome> => {
    const clock = startClock(limits.time)
    const signal = AbortSignal.any([inner, clock.signal, ...(outer ? [outer] : [])])
    const budget = new Budget(limits, options.prices, spent)
    const crew = await makeCrew(options, program.security, budget, signal, emit)
    const turnstile = new Turnstile(limits.concurrency)
    const journal = journalOf(
      (branch, scoped) => {
        const task = branch.input as unknown as Task
        const run = () => workOn(task, branch.key, scoped, crew) as Promise<Json>
        // Who was spawned belongs to one who works already, and waits for it.
        return task.role === 'agent' ? turnstile.pass(run) : run()
      },
      (used) => budget.count(used),
    )
    const state: RunningState = { variables: new Map(), goals: new Map(), notConverged: [] }
    const ended = async (): Promise<WorkflowEnd> => {
      try {
        const kept = await journal.step<Json>(
          'inputs',
          async () => Object.fromEntries(readInputs(program, inputs())) as Json,
          { isGiven: true },
        )
        state.variables = new Map(Object.entries(kept as Record<string, Value>))
        await runGoals(program, state, journal, crew)
        const { notConverged } = state
        return notConverged.length > 0
          ? { kind: 'not-converged', unconverged: notConverged }
          : { kind: 'completed' }
      } catch (error) {
        if (signal.aborted)
          return signal.reason === clock.signal.reason
            ? { kind: 'limit', limit: 'time', most: limits.time, path: '' }
            : { kind: 'cancelled', reason: signal.reason }
        if (error instanceof Halt) return error.why
        throw error
      }
    }
    try {
      const why = await ended()
      const { usage, cost, turns, calls } = budget
      return {
        ...why,
        variables: Object.fromEntries(state.variables),
        goals: Object.fromEntries(state.goals),
        usage,
        cost,
        turns,
        calls,
        ...savedOf(journal, why),
      }
    } finally {
      clock.stop()
    }
  }
  return {
    program,
    start(inputs = {}, { signal, journal, spent } = {}) {
      readInputs(program, inputs)
      const journalOf: JournalSource = journal ?? ((runBranch) => memoryJournal({ runBranch }))
      return createRun((onEvent: (event: WorkflowEvent) => void, inner) =>
        work(() => inputs, journalOf, signal, inner, onEvent, spent),
      )
    },
    resume(saved, answers = {}, { signal } = {}) {
      for (const id of Object.keys(answers))
        if (!saved.waitsFor?.includes(id))
          throw new LegibleError('agentfile.unknown_request', `Nothing waits for an answer to "${id}".`)
      const journalOf: JournalSource = (runBranch) => {
        const journal = memoryJournal({ ...saved, runBranch })
        for (const [id, answer] of Object.entries(answers)) journal.deliver(id, checkAnswer(id, answer))
        return journal
      }
      return createRun((onEvent: (event: WorkflowEvent) => void, inner) =>
        work(() => ({}), journalOf, signal, inner, onEvent),
      )
    },
  }
}

/** A profile that nobody knows is an error, never another model in its place. */
function checkProfiles(program: Program, profiles: Readonly<Record<string, ModelSource>>): void {
  const missing = program.agents.flatMap(({ name, requires }) =>
    requires !== undefined && !Object.hasOwn(profiles, requires) ? [`${name} requires "${requires}"`] : [],
  )
  if (missing.length === 0) return
  const known = Object.keys(profiles)
  const there = known.length === 0 ? 'no profile is configured' : `there are: ${known.join(', ')}`
  throw new LegibleError(
    'agentfile.unknown_profile',
    `${missing.join('; ')}; ${there}. Say which model a profile is: profiles in a program, --profile name=model or [profiles] in legible.toml for the command.`,
  )
}

/** A limit that limits nothing, or something else than was meant, is told at once. */
function checkLimits(limits: WorkflowLimits, { prices }: WorkflowOptions): void {
  for (const [name, most] of Object.entries(limits))
    if (!(typeof most === 'number' && most > 0))
      throw new LegibleError(
        'agent.invalid_limit',
        `The limit ${name} is a number above 0, not ${JSON.stringify(most)}.`,
      )
  if (Number.isFinite(limits.cost) && !prices)
    throw new LegibleError(
      'agent.no_prices',
      'A limit on cost needs prices: { input, output } per million tokens.',
    )
}

/** What failed by what models said is left out: it is done anew. */
function savedOf(journal: Durable | MemoryJournal, why: WorkflowEnd): { saved?: SavedRun } {
  if (!('entries' in journal)) return {}
  const entries = entriesToResume(journal.entries as JournalEntry[], pathsToForget(why))
  const waitsFor = why.kind === 'suspended' ? [...why.judgements, ...why.approvals].map(({ id }) => id) : []
  return { saved: { runId: journal.runId, entries, waitsFor } }
}
