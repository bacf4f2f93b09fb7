import type { ApprovalRequest } from '../../agent/approval.ts'
import type { SavedRun } from '../../agent/memory-journal.ts'
import type { Issue } from '../../core/issue.ts'
import type { Usage } from '../../model/usage.ts'
import type { Value } from './program.ts'
import type { Path } from './workflow-event.ts'

/** What a person is asked about a goal. */
export interface JudgementRequest {
  readonly id: string
  readonly goal: string
  /** What the goal came to. */
  readonly text: string
  /** Why, when a supervisor model asks for it. */
  readonly reason?: string
}

/** The limits of a run, by name. */
export type WorkflowLimitName =
  | 'turns'
  | 'tokens'
  | 'cost'
  | 'time'
  | 'calls'
  | 'iterations'
  | 'idle'
  | 'context'
  | 'spawns'

/** How a run can end. Nothing else than `completed` is a success. */
export type WorkflowEnd =
  | { readonly kind: 'completed' }
  /** All goals were carried out, but these did not converge: their last versions count. */
  | { readonly kind: 'not-converged'; readonly unconverged: readonly string[] }
  /** `path`: where. `issues`: what was wrong with the last reply, if that was the reason. */
  | {
      readonly kind: 'failed'
      readonly path: Path
      /** All that failed, where several did. */
      readonly paths: readonly Path[]
      readonly reason: string
      readonly issues: readonly Issue[]
      /** The provider failed: the same may succeed the next time. */
      readonly provider: boolean
    }
  /** Waits for people: to judge goals, or to permit calls. */
  | {
      readonly kind: 'suspended'
      readonly judgements: readonly JudgementRequest[]
      readonly approvals: readonly ApprovalRequest[]
    }
  | { readonly kind: 'limit'; readonly limit: WorkflowLimitName; readonly most: number; readonly path: Path }
  | { readonly kind: 'cancelled'; readonly reason: unknown }

/** Why a run ended, and what it came to. */
export type WorkflowOutcome = WorkflowEnd & {
  /** All that is known: inputs, and the outputs of every goal that came to its end. */
  readonly variables: Readonly<Record<string, Value>>
  /** The text that each goal came to. */
  readonly goals: Readonly<Record<string, string>>
  readonly usage: Usage
  readonly cost: number
  /** Questions to models. */
  readonly turns: number
  /** Calls of tools. */
  readonly calls: number
  /** Absent with a journal of your own. */
  readonly saved?: SavedRun
}

/** How a run ended, as it is kept: without what is kept anyway. `broken`: a mistake in the program or its set-up. */
export type KeptOutcome =
  | (WorkflowOutcome extends infer O ? (O extends unknown ? Omit<O, 'saved'> : never) : never)
  | { readonly kind: 'broken'; readonly reason: string }
