import type { AgentOptions } from '../../agent/agent-options.ts'
import type { ToolSource } from '../../agent/tools/gather-tools.ts'
import type { ModelSource } from '../../model/load-model.ts'
import type { BudgetLimits } from './budget.ts'
import type { Crew, SpawnLimits } from './crew.ts'

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
