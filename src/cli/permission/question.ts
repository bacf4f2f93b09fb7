import type { ApprovalRequest } from '../../agent/approval.ts'
import type { ChangePreview } from '../../tool/file/preview-change.ts'
import type { Need } from '../../tool/permission/permission.ts'

/** A question about a call: what it would do, and what it needs for that. */
export interface Question {
  readonly request: ApprovalRequest
  /** What the tool says of itself. */
  readonly about: string
  readonly needs: readonly Need[]
  /** For tools that can show beforehand what they would change. */
  readonly preview: ChangePreview | undefined
}

/** `nobody`: there is no one to ask. `interrupt`: no, and no more of this reply. */
export type Answer =
  | 'yes'
  | 'no'
  | 'always'
  | 'never'
  | 'nobody'
  | 'interrupt'
  /** Nothing is decided yet. */
  | 'later'
  /** No, and why, for the model. */
  | { readonly because: string }
