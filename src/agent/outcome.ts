import type { Message } from '../model/message.ts'
import type { ModelError } from '../model/model-error.ts'
import type { Usage } from '../model/usage.ts'
import type { Step } from '../plan/todo.ts'
import type { ApprovalRequest } from './approval.ts'
import type { SavedRun } from './memory-journal.ts'
import type { LimitName } from './run-limits.ts'

/** What a policy comes to. */
export type PolicyResult<T> =
  | { readonly kind: 'answered'; readonly value: T }
  /** The model itself says that it cannot go on. */
  | { readonly kind: 'reported'; readonly code: string; readonly message: string }
  /** A plan that was not carried out to its end. `text`: what the model made of what there was. */
  | {
      readonly kind: 'unfinished'
      readonly reason: string
      readonly steps: readonly Step[]
      readonly text: string
    }

/** Why a run stopped, whatever the reason. Nothing else than `answered` is a success. */
export type Outcome<T> = (
  | PolicyResult<T>
  /** Found before the model was asked, or the tool called: what was allowed is what was used. */
  | { readonly kind: 'limit'; readonly limit: LimitName; readonly most: number }
  /** Waits for a person. `saved` goes to `resume`, with what they said. */
  | { readonly kind: 'suspended'; readonly pending: readonly ApprovalRequest[] }
  | { readonly kind: 'cancelled'; readonly reason: unknown }
  /** The provider failed for good. `partial`: what had arrived of its last reply. */
  | { readonly kind: 'failed'; readonly error: ModelError; readonly partial: string }
) & {
  readonly usage: Usage
  /** In the currency of the prices; 0 without prices. */
  readonly cost: number
  /** How often the model was asked. */
  readonly turns: number
  readonly calls: number
  /** The conversation so far: to go on with, or to look at. */
  readonly messages: readonly Message[]
  /** What `resume` takes up again: after a verdict, a higher limit, a provider that is back. Absent with a journal of your own. */
  readonly saved?: SavedRun
}
