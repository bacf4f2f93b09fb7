import type { ApprovalRequest } from '../../agent/approval.ts'
import type { Issue } from '../../core/issue.ts'
import type { Path } from './workflow-event.ts'
import type { JudgementRequest, WorkflowLimitName } from './workflow-outcome.ts'

/** Why a run cannot go on. */
export type HaltReason =
  | {
      readonly kind: 'failed'
      readonly path: Path
      readonly reason: string
      readonly issues: readonly Issue[]
      readonly provider: boolean
    }
  | { readonly kind: 'limit'; readonly path: Path; readonly limit: WorkflowLimitName; readonly most: number }
  | {
      readonly kind: 'suspended'
      readonly judgements: readonly JudgementRequest[]
      readonly approvals: readonly ApprovalRequest[]
    }

/** Ends a run from wherever it stands. What came before is kept, so that it can be taken up again. */
export class Halt extends Error {
  override readonly name = 'Halt'
  readonly why: HaltReason

  constructor(why: HaltReason) {
    super(why.kind === 'failed' ? `${why.path}: ${why.reason}` : `The run ends: ${why.kind}.`)
    this.why = why
  }
}
