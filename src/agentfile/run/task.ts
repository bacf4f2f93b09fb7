import type { Output, Value } from './program.ts'
import type { Role } from './workflow-event.ts'

/** A piece of work for one model: plain data, as it may be done elsewhere. */
export type Task = {
  readonly role: Role
  readonly name: string
  readonly system: string
  readonly prompt: string
  readonly outputs: readonly Output[]
  /** Whether the prompt says itself which fields are wanted. */
  readonly described: boolean
  /** The profile of the model. */
  readonly requires?: string
  /** Whether it has the tools of the run. */
  readonly tools: boolean
  /** How many have spawned it, one from the other. */
  readonly depth: number
  /** It may say that nothing is left to do; `first`: there must be something before that can be said. */
  readonly converge?: 'first' | 'next'
}

/** What a piece of work came to. */
export type Work = {
  readonly text: string
  /** Absent: no fields were asked for. */
  readonly values?: Readonly<Record<string, Value>>
  /** It says that nothing is left to do. Without a text of its own, the last one holds. */
  readonly converged?: boolean
}
