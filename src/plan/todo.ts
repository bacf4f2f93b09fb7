import type { Issue } from '../core/issue.ts'
import { LegibleError } from '../core/legible-error.ts'
import { MAX_CALLS } from '../tool/ask-calls.ts'
import { linkCalls } from './link-calls.ts'
import { named } from './named.ts'
import type { PlannedCall } from './plan.ts'

/** `skipped`: it can never run, as what it depends on is not there, has failed, or was skipped itself. */
export type StepStatus = 'waiting' | 'ready' | 'running' | 'done' | 'failed' | 'skipped'

/** A call of a plan, and how far it is. */
export interface Step {
  /** With all that it depends on. */
  readonly call: PlannedCall
  readonly status: StepStatus
  /** What it gave, when it is done. */
  readonly value?: unknown
  /** What `fail` was told. */
  readonly error?: unknown
  /** Unless it is done: what it waits for, or why it will not be done. */
  readonly why?: string
}

/** What is done of a plan, and what can be done next. All lists are in the order of the plan. */
export interface Todo {
  /** Cycles, and dependencies that are not there. The steps concerned are skipped; the others can run. */
  readonly issues: readonly Issue[]
  readonly steps: readonly Step[]
  /** The calls that can run now, all of them at once. */
  readonly ready: readonly PlannedCall[]
  /** What the steps that are done gave, by id: for `fillArguments`. */
  readonly results: ReadonlyMap<string, unknown>
  /** Nothing runs and nothing can run. It has succeeded if nothing is unfinished. */
  readonly isFinished: boolean
  /** All steps that are not done. */
  readonly unfinished: readonly Step[]
  /** A call that was ready runs. */
  start(id: string): void
  /** A call that was ready or running gave a value. What waited for nothing else is ready then. */
  finish(id: string, value: unknown): void
  /** A call that was ready or running gave nothing. What depends on it is skipped. */
  fail(id: string, error?: unknown): void
}

/**
 * The calls of a plan as steps. Nothing but `start`, `finish` and `fail` changes them: told the same again, in the same
 * order, a new one is where the old one was.
 */
export function createTodo(calls: readonly PlannedCall[]): Todo {
  return new PlanTodo(calls)
}

interface Entry {
  readonly call: PlannedCall
  /** The steps that wait for it. */
  readonly dependents: Entry[]
  /** The steps that it waits for. */
  readonly missing: Set<string>
  status: StepStatus
  outcome: { readonly value?: unknown; readonly error?: unknown }
  why: string
}

class PlanTodo implements Todo {
  readonly issues: readonly Issue[]
  readonly results = new Map<string, unknown>()
  private readonly entries: ReadonlyMap<string, Entry>

  constructor(planned: readonly PlannedCall[]) {
    if (planned.length > MAX_CALLS)
      throw new LegibleError('plan.too_many_calls', `A plan has ${MAX_CALLS} calls at the most.`)
    const { calls, issues, blocked } = linkCalls(planned)
    this.issues = issues
    this.entries = new Map(calls.map((call) => [call.id, entryOf(call)]))
    if (this.entries.size < calls.length)
      throw new LegibleError('plan.duplicate_id', 'Two calls of a plan have the same id.')
    for (const entry of this.entries.values())
      for (const id of entry.call.dependsOn ?? []) {
        entry.missing.add(id)
        this.entries.get(id)?.dependents.push(entry)
      }
    for (const entry of this.entries.values()) if (entry.missing.size === 0) entry.status = 'ready'
    for (const [id, why] of blocked) this.skip(this.entry(id), why)
    for (const id of blocked.keys()) this.skipDependents(this.entry(id))
  }

  get steps(): readonly Step[] {
    return [...this.entries.values()].map(stepOf)
  }

  get ready(): readonly PlannedCall[] {
    return this.having('ready').map(({ call }) => call)
  }

  get isFinished(): boolean {
    return this.having('waiting', 'ready', 'running').length === 0
  }

  get unfinished(): readonly Step[] {
    return this.steps.filter(({ status }) => status !== 'done')
  }

  start(id: string): void {
    this.expect(id, 'ready').status = 'running'
  }

  finish(id: string, value: unknown): void {
    const entry = this.expect(id, 'ready', 'running')
    entry.status = 'done'
    entry.outcome = { value }
    this.results.set(id, value)
    for (const next of entry.dependents) {
      next.missing.delete(id)
      if (next.missing.size === 0 && next.status === 'waiting') next.status = 'ready'
    }
  }

  fail(id: string, error?: unknown): void {
    const entry = this.expect(id, 'ready', 'running')
    entry.status = 'failed'
    entry.outcome = { error }
    this.skipDependents(entry)
  }

  private skip(entry: Entry, why: string): void {
    entry.status = 'skipped'
    entry.why = why
  }

  /** All that can never run because of a step. Each step is skipped once, so that it takes no longer than there are steps. */
  private skipDependents(cause: Entry): void {
    const open = [cause]
    for (const entry of open)
      for (const next of entry.dependents) {
        if (next.status !== 'waiting') continue
        const what = entry.status === 'failed' ? 'failed' : 'was skipped'
        this.skip(next, `it depends on ${named([entry.call.id])}, which ${what}`)
        open.push(next)
      }
  }

  private having(...statuses: readonly StepStatus[]): Entry[] {
    return [...this.entries.values()].filter(({ status }) => statuses.includes(status))
  }

  private entry(id: string): Entry {
    const entry = this.entries.get(id)
    if (!entry) throw new LegibleError('plan.unknown_step', `The plan has no step ${named([id])}.`)
    return entry
  }

  private expect(id: string, ...statuses: readonly StepStatus[]): Entry {
    const entry = this.entry(id)
    if (!statuses.includes(entry.status))
      throw new LegibleError('plan.step_not_ready', `The step ${named([id])} is ${entry.status}.`)
    return entry
  }
}

function entryOf(call: PlannedCall): Entry {
  return { call, dependents: [], missing: new Set(), status: 'waiting', outcome: {}, why: '' }
}

function stepOf({ call, status, outcome, why, missing }: Entry): Step {
  const step = { call, status, ...outcome }
  if (status === 'done') return step
  if (status === 'waiting') return { ...step, why: `it waits for ${named([...missing])}` }
  if (status === 'ready') return { ...step, why: 'it was not started' }
  if (status === 'running') return { ...step, why: 'it has not ended' }
  return { ...step, why: status === 'failed' ? 'it failed' : why }
}
