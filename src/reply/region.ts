import type { TextCursor } from '../core/text-cursor.ts'

/** A stretch of a reply that is read by rules of its own: a value, a fence, a comment, a thought. */
export interface Region {
  /** Reads on from the cursor; true when the region has ended, and the cursor stands behind it. */
  read(cursor: TextCursor): boolean
  /** The text ends within the region. */
  end(cursor: TextCursor): void
}
