import type { AgentOptions } from '../../agent/agent-options.ts'
import type { Model } from '../../model/model.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Budget } from './budget.ts'
import type { Judgement, WorkflowEvent } from './workflow-event.ts'
import type { JudgementRequest } from './workflow-outcome.ts'

/** How far a run may go beyond what its file says. */
export interface SpawnLimits {
  /** How deep: 1 means that those who are spawned spawn nobody. */
  readonly depth: number
  /** How many in a run. */
  readonly count: number
}

export const defaultSpawn: SpawnLimits = { depth: 1, count: 16 }

/** All that a run works with. */
export interface Crew {
  /** The model of a profile; that of the run when none is named. */
  modelFor(profile: string | undefined): Promise<{ readonly name: string; readonly model: Model }>
  readonly tools: readonly Tool[]
  readonly agent: Omit<AgentOptions, 'model' | 'tools'>
  /** How often a reply without the fields that were asked for is asked for again. */
  readonly reasks: number
  /** Absent: nobody is spawned. */
  readonly spawn: SpawnLimits | undefined
  readonly judge:
    | ((request: JudgementRequest, signal: AbortSignal) => Judgement | 'later' | Promise<Judgement | 'later'>)
    | undefined
  readonly budget: Budget
  readonly signal: AbortSignal
  emit(event: WorkflowEvent): void
}
