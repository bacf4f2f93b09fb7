import type { PathRules } from './check-path.ts'

/** Where file tools work. */
export interface Root extends PathRules {
  /** Absolute, without links. */
  readonly path: string
  /** Whether entries are reached through descriptors of folders; see `Folder`. */
  readonly byDescriptor: boolean
}
