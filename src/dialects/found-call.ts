import type { Issue } from '../core/issue.ts'
import type { Span } from '../core/span.ts'

/** A call as it stands in a text. Its arguments are not checked yet. */
export interface FoundCall {
  /** The id that the model gave it. */
  readonly id?: string | undefined
  readonly name: string
  /** What was given for them: an object, unless the model wrote something else. */
  readonly arguments: unknown
  readonly span: Span
  /** It is a value or a call expression, which could stand anywhere: no tags or marks within it say what it is. */
  readonly plain?: boolean
  /** It closed by itself. */
  readonly complete: boolean
  readonly issues: readonly Issue[]
}
