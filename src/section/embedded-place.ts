import type { Span } from '../core/span.ts'

/** Where something stands that is shown and not meant. */
export type EmbeddedPlace = 'code' | 'comment' | 'fence' | 'quotes'

export const embeddedPlaces: Readonly<Record<EmbeddedPlace, string>> = {
  code: 'inline code',
  comment: 'a comment',
  fence: 'a code fence with words around it',
  quotes: 'quotes',
}

/** A stretch of text in which nothing is meant. */
export interface EmbeddedZone {
  readonly span: Span
  readonly where: EmbeddedPlace
}
