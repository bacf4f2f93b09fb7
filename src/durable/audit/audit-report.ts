import type { ChainPlace } from './audit-line.ts'

export type AuditProblemKind =
  /** A line, or the hash of it, was changed. */
  | 'edited'
  /** Entries within the log are gone. */
  | 'missing'
  /** An entry stands behind one that came later. */
  | 'reordered'
  /** An entry, or its number, stands there more than once. */
  | 'repeated'
  /** The last line has no end. */
  | 'torn'
  /** A line that no log has. */
  | 'not_json'
  /** The file that says where the log ends is gone, or was gone when a line was written. */
  | 'head_missing'
  | 'not_in_head'
  /** Entries at the end are gone. */
  | 'cut_off'
  | 'file_missing'
  /** Others than the owner may read it. */
  | 'permissions'

export interface AuditProblem {
  readonly kind: AuditProblemKind
  /** The line of the file, from 1. */
  readonly line?: number
  readonly message: string
}

/** What came of looking at every line of a log. */
export interface AuditReport {
  readonly ok: boolean
  /** Lines that are there and readable. */
  readonly entries: number
  /** The last entry of the chain. Keep its hash elsewhere: whoever changes the whole log cannot change it there. */
  readonly last: ChainPlace
  /** Entries behind the head: one after a crash. They are part of the chain. */
  readonly behindHead: number
  /** In the order of the lines, the first of them. */
  readonly problems: readonly AuditProblem[]
  /** All that were found, also those that are not listed. */
  readonly problemCount: number
}
