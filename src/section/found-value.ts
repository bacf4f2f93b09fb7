import type { Issue } from '../core/issue.ts'
import type { Span } from '../core/span.ts'
import type { Shape } from '../schema/shape.ts'
import type { EmbeddedZone } from './embedded-place.ts'

/** A value that was found in the text of a section, with all that is known about where its parts stand. */
export interface FoundValue {
  readonly span: Span
  /** It closed by itself. */
  readonly complete: boolean
  /** Where the text broke off within a part of it: its end may be missing from there on. */
  readonly cut?: number | undefined
  /** What was wrong with it, apart from what a schema says. */
  readonly issues: readonly Issue[]
  /** The value at a path, with its scalars as the shape wants them. */
  at(path: readonly PropertyKey[], shape?: Shape): unknown
  spanAt(path: readonly PropertyKey[], key?: boolean): Span
  textAt(path: readonly PropertyKey[]): string | undefined
  /** The keys of the object at a path that stand there more than once, however they are written. */
  duplicatesAt?(path: readonly PropertyKey[]): readonly string[]
}

/** The values of a text. `parted`: other text stands between them. */
export interface FoundValues {
  readonly values: readonly FoundValue[]
  readonly parted: boolean
  /** About the text around the values, and about text that is no value at all. */
  readonly issues: readonly Issue[]
  /** What stands where it is only shown, and is none of the values. */
  readonly embedded?: readonly EmbeddedValue[]
}

export interface EmbeddedValue extends EmbeddedZone {
  /** Absent: it looks like a value that was looked for, and was not read. */
  readonly value?: unknown
}
