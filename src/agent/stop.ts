import type { Outcome } from './outcome.ts'

type Ended = Extract<Outcome<never>, { kind: 'limit' | 'suspended' | 'failed' }>

/** Ends a run from wherever it stands: thrown by the loop, never seen by its caller. */
export class Stop extends Error {
  override readonly name = 'Stop'
  readonly why: WithoutTotals<Ended>

  constructor(why: WithoutTotals<Ended>) {
    super(`The run has stopped: ${why.kind}.`)
    this.why = why
  }
}

type WithoutTotals<T> = T extends unknown
  ? Omit<T, 'usage' | 'cost' | 'turns' | 'calls' | 'messages' | 'saved'>
  : never
