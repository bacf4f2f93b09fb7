import type { EmbeddedAction } from './found-object.ts'
import type { EmbeddedWhere } from './issues.ts'

/** The value that is being read. */
export interface Reading {
  readonly start: number
  /** Where it stands, if not at the top level. */
  readonly where: EmbeddedWhere | undefined
  /** Text stands before it on its line. */
  readonly inline: boolean
  /** Nothing stands before it but texts written as objects. */
  readonly first: boolean
  /** Of the containers that are open: where they began, and how many members they have. */
  readonly starts: number[]
  readonly counts: number[]
  /** A key of one of its objects is written twice. */
  twice: boolean
  type: unknown
  /** Its text is shown while it is read. */
  streamed: boolean
  /** Actions that stand within it, and strings that speak of one. */
  readonly nested: EmbeddedAction[]
}

/** The value with which a reply ends. */
export interface Tail {
  readonly value: unknown
  readonly start: number
  readonly end: number
  /** Nothing stands before it. */
  readonly first: boolean
}

export function startReading(
  start: number,
  where: EmbeddedWhere | undefined,
  inline: boolean,
  first: boolean,
): Reading {
  return {
    start,
    where,
    inline,
    first,
    starts: [],
    counts: [],
    twice: false,
    type: undefined,
    streamed: false,
    nested: [],
  }
}
