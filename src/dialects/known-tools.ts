import type { Shape } from '../schema/shape.ts'

/** The tools that a reader knows of: what a call may be named, and what its arguments look like. */
export interface KnownTools {
  /** In the order they were given. Empty: nothing is known, and every name may be meant. */
  readonly names: readonly string[]
  has(name: string): boolean
  /** The shape of the arguments; `undefined` for a tool that is not known. */
  shapeOf(name: string): Shape | undefined
}
