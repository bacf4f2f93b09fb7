import type { AgentOptions } from '../../agent/agent-options.ts'
import type { Durable, Json } from '../../agent/durable.ts'
import {
  type JournalEntry,
  type MemoryJournal,
  memoryJournal,
  type SavedRun,
  scopeJournal,
} from '../../agent/memory-journal.ts'
import { createRun, type EventedRun } from '../../agent/run.ts'
import { gatherTools, type ToolSource } from '../../agent/tools/gather-tools.ts'
import { LegibleError } from '../../core/legible-error.ts'
import { loadModel, type ModelSource } from '../../model/load-model.ts'
import { formatDuration } from '../../schema/duration.ts'
import { Budget, type BudgetLimits, type Spent } from './budget.ts'
import type { Crew, SpawnLimits } from './crew.ts'
import { Halt } from './halt.ts'
import { checkAnswer } from './judge-goal.ts'
import { isDuration, type Program, type Value } from './program.ts'
import { readInputs } from './read-inputs.ts'
import { limitOf, runGoal } from './run-goal.ts'
import type { Task } from './task.ts'
import { entriesToResume, pathsToForget } from './to-resume.ts'
import { workOn } from './work-on.ts'
import type { WorkflowEvent } from './workflow-event.ts'
import type { WorkflowOutcome } from './workflow-outcome.ts'

export interface WorkflowLimits extends BudgetLimits {
  /** Milliseconds. */
  readonly time: number
  /** Agents at the same time. */
  readonly concurrency: number
}

export interface WorkflowOptions
  extends Pick<
      AgentOptions,
      | 'prices'
      | 'settings'
      | 'context'
      | 'retries'
      | 'backoff'
      | 'timeout'
      | 'toolContext'
      | 'telemetry'
      | 'approval'
      | 'approve'
      | 'permissions'
      | 'record'
    >,
    Partial<Pick<Crew, 'judge'>> {
  /** For all that ask for no profile. */
  readonly model?: ModelSource | undefined
  /** The models of profiles, as REQUIRES names them. */
  readonly profiles?: Readonly<Record<string, ModelSource>> | undefined
  readonly tools?: ToolSource | undefined
  /** For the run as a whole. */
  readonly limits?: Partial<WorkflowLimits> | undefined
  /** For each goal, and each of its agents. */
  readonly goalLimits?: AgentOptions['limits']
  /** How often a reply without the fields that were asked for is asked for again; 2 unless said otherwise. */
  readonly reasks?: number | undefined
  /** Lets models spawn agents: `true`, or how far. */
  readonly spawn?: boolean | Partial<SpawnLimits> | undefined
}

export type WorkflowRun = EventedRun<WorkflowEvent, WorkflowOutcome>

export interface WorkflowStart {
  readonly signal?: AbortSignal | undefined
  /** Where steps are kept; in memory unless said otherwise. It must be able to run branches: see `runBranch`. */
  readonly journal?: JournalSource | undefined
  /** What earlier tries used of which nothing is kept: it counts for the limits. */
  readonly spent?: Spent | undefined
}

/** Makes the journal of a run, given how its branches are carried out. */
export type JournalSource = (
  runBranch: NonNullable<NonNullable<Parameters<typeof memoryJournal>[0]>['runBranch']>,
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
  turns: Number.POSITIVE_INFINITY,
  tokens: Number.POSITIVE_INFINITY,
  cost: Number.POSITIVE_INFINITY,
  time: Number.POSITIVE_INFINITY,
  concurrency: 8,
}
const defaultSpawn: SpawnLimits = { depth: 1, count: 16 }

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
    const crew = await createCrew(guarded(program, options), limits, budget, signal, emit)
    const inTurn = semaphore(crew.concurrency)
    const journal = journalOf((branch, scoped) => {
      const task = branch.input as unknown as Task
      const run = () => workOn(task, branch.key, scoped, crew) as Promise<Json>
      // Who was spawned belongs to one who works already, and waits for it.
      return task.role === 'agent' ? inTurn(run) : run()
    })
    const state: State = { variables: new Map(), goals: new Map(), notConverged: [] }
    const ended = async (): Promise<Ended> => {
      try {
        const kept = await journal.step<Json>(
          'inputs',
          async () => Object.fromEntries(readInputs(program, inputs())) as Json,
        )
        state.variables = new Map(Object.entries(kept as Record<string, Value>))
        await carryOut(program, state, journal, crew)
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

type Ended = WorkflowOutcome extends infer O ? (O extends unknown ? Omit<O, Totals> : never) : never
type Totals = 'variables' | 'goals' | 'usage' | 'cost' | 'turns' | 'calls' | 'saved'

interface State {
  variables: Map<string, Value>
  readonly goals: Map<string, string>
  readonly notConverged: string[]
}

/** Goal by goal, in the order of the file. What each gives is there for all that follow. */
async function carryOut(program: Program, state: State, journal: Durable, crew: Crew): Promise<void> {
  for (const run of program.runs) {
    const times = run.within === undefined ? 1 : limitOf(run.within, state.variables, run.name)
    let done = run.within === undefined
    // Goals of a round may use what later ones of it give: in the first round there is nothing.
    if (run.within !== undefined)
      for (const name of outputsOf(program, run.using))
        if (!state.variables.has(name)) state.variables.set(name, '')
    for (let n = 1; n <= times; n++) {
      const round = n === 1 ? run.name : `${run.name}~${n}`
      let said = false
      for (const [at, name] of run.using.entries()) {
        const goal = program.goals.find((one) => one.name === name)
        if (!goal) continue
        // A goal may stand there more than once.
        const before = run.using.slice(0, at).filter((one) => one === name).length
        const path = `${round}/${name}${before > 0 ? `~${before + 1}` : ''}`
        const isLast = run.within !== undefined && at === run.using.length - 1
        const endsLoop = isLast ? (n === 1 ? 'first' : 'next') : undefined
        crew.emit({ type: 'goal-start', path, goal: name, ...(n > 1 && { iteration: n }) })
        const result = await runGoal({
          goal,
          variables: shownVariables(program, state.variables),
          path,
          journal: scopeJournal(journal, path),
          program,
          crew,
          endsLoop,
          oversight: goal.oversight ?? run.oversight ?? program.oversight ?? 'unsupervised',
        })
        if (result.text !== '') state.goals.set(name, result.text)
        for (const [key, value] of Object.entries(result.values)) state.variables.set(key, value)
        if (!result.converged) state.notConverged.push(name)
        said = result.done && isLast
        crew.emit({ type: 'goal-end', path, goal: name, text: result.text, values: result.values })
      }
      if (said) {
        done = true
        break
      }
    }
    if (!done) {
      state.notConverged.push(run.name)
      crew.emit({ type: 'not-converged', path: run.name, goal: run.name, iterations: times })
    }
  }
}

/** SECURITY paranoid: a person sees every call, and nobody is spawned. */
function guarded({ security }: Program, options: WorkflowOptions): WorkflowOptions {
  if (security?.mode !== 'paranoid') return options
  return { ...options, approval: options.approval === 'deny' ? 'deny' : 'ask', spawn: false }
}

const outputsOf = ({ goals }: Program, names: readonly string[]): string[] =>
  goals.flatMap(({ name, outputs }) => (names.includes(name) ? outputs.map((output) => output.name) : []))

/** Variables as prompts show them: a duration as people write it. */
function shownVariables(
  { inputs, goals }: Program,
  variables: ReadonlyMap<string, Value>,
): Map<string, Value> {
  const shown = new Map(variables)
  for (const { name, schema } of [...inputs, ...goals.flatMap(({ outputs }) => outputs)]) {
    const value = shown.get(name)
    if (isDuration(schema) && typeof value === 'number') shown.set(name, formatDuration(value))
  }
  return shown
}

async function createCrew(
  options: WorkflowOptions,
  limits: WorkflowLimits,
  budget: Budget,
  signal: AbortSignal,
  emit: (event: WorkflowEvent) => void,
): Promise<Crew> {
  const {
    profiles = {},
    goalLimits,
    reasks = 2,
    spawn = false,
    judge,
    model,
    tools,
    limits: _,
    ...agent
  } = options
  const models = new Map<string, ReturnType<Crew['modelFor']>>()
  const open = async (source: ModelSource | undefined) => {
    const loaded = await loadModel(source)
    return { name: typeof source === 'string' ? source : loaded.modelId, model: loaded }
  }
  return {
    modelFor(profile = '') {
      const source = profile === '' ? model : profiles[profile]
      const known = models.get(profile) ?? open(source)
      models.set(profile, known)
      return known
    },
    tools: tools === undefined ? [] : await gatherTools(tools),
    agent: { ...agent, limits: goalLimits },
    reasks,
    spawn: spawn === false ? undefined : { ...defaultSpawn, ...(spawn === true ? {} : spawn) },
    concurrency: limits.concurrency,
    judge,
    budget,
    signal,
    emit,
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

/** Timers take no more: some 24 days. */
const LONGEST_TIME = 2 ** 31 - 1

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

function startClock(time: number): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController()
  const reason = new DOMException('The time of the run is up.', 'TimeoutError')
  const timer = Number.isFinite(time)
    ? setTimeout(() => controller.abort(reason), Math.min(time, LONGEST_TIME))
    : undefined
  return { signal: controller.signal, stop: () => clearTimeout(timer) }
}

/** So many at the same time; the others wait, in their order. */
function semaphore(most: number): <T>(work: () => Promise<T>) => Promise<T> {
  let free = most
  const waiting: (() => void)[] = []
  return async (work) => {
    if (free > 0) free--
    else await new Promise<void>((resolve) => waiting.push(resolve))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else free++
    }
  }
}

/** What failed by what models said is left out: it is done anew. */
function savedOf(journal: Durable | MemoryJournal, why: Ended): { saved?: SavedRun } {
  if (!('entries' in journal)) return {}
  const entries = entriesToResume(journal.entries as JournalEntry[], pathsToForget(why))
  const waitsFor = why.kind === 'suspended' ? [...why.judgements, ...why.approvals].map(({ id }) => id) : []
  return { saved: { runId: journal.runId, entries, waitsFor } }
}
