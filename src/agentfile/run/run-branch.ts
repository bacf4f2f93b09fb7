import type { Durable } from '../../agent/durable.ts'
import { Budget, noLimits, type Used } from './budget.ts'
import { Halt } from './halt.ts'
import { makeCrew } from './make-crew.ts'
import type { Program } from './program.ts'
import type { Task, Work } from './task.ts'
import { workOn } from './work-on.ts'
import type { Path, WorkflowEvent } from './workflow-event.ts'
import type { WorkflowOptions } from './workflow-options.ts'

/** A branch of a run that is carried out on its own, wherever that is. */
export interface BranchRun {
  readonly task: Task
  readonly path: Path
  readonly security: Program['security']
  /** Makes its journal. `count`: what a branch of its own used. */
  readonly journal: (count: (used: Used) => void) => Durable
  readonly signal: AbortSignal
  readonly onEvent?: (event: WorkflowEvent) => void
}

/** What it came to, or why it ended the run; and what it has used. */
export interface BranchEnd {
  readonly ended: Work | Halt
  readonly used: Used
}

/** Limits of the run as a whole are for whoever sees the whole; here all is only counted. */
export async function runBranch(branch: BranchRun, options: WorkflowOptions): Promise<BranchEnd> {
  const { task, path, security, signal, onEvent = () => {} } = branch
  const budget = new Budget(noLimits, undefined)
  const crew = await makeCrew(options, security, budget, signal, onEvent)
  try {
    const ended = await workOn(
      task,
      path,
      branch.journal((used) => budget.count(used)),
      crew,
    )
    return { ended, used: budget.used }
  } catch (error) {
    if (error instanceof Halt) return { ended: error, used: budget.used }
    throw error
  }
}
