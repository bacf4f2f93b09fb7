import type { Json } from '../model/plain-json.ts'

export type { Json } from '../model/plain-json.ts'

export interface StepContext {
  /** The same for every try of the same step: a tool that changes something can tell a second try by it. */
  readonly idempotencyKey: string
  readonly signal: AbortSignal
}

export interface StepOptions {
  /** It follows from what the run was given: an engine that keeps that need not keep it once more. */
  readonly isGiven?: boolean
}

/** A part of a run that runs on its own, given data: it may run in another process. */
export interface Branch {
  readonly key: string
  readonly node: Json
  readonly input: Json
}

/**
 * Whatever has effects in a run, or could come out differently the next time, is a step: what came of it is kept, and a
 * run that is taken up again gets it from there. The program between the steps must do the same with the same results.
 */
export interface Durable {
  readonly runId: string
  /** Runs once; a step that failed was not finished and is tried again when the run is taken up. */
  step<T extends Json>(
    key: string,
    run: (context: StepContext) => Promise<T>,
    options?: StepOptions,
  ): Promise<T>
  /** Never closures: a branch may run elsewhere. Results in the order of the branches. */
  parallel<T extends Json>(branches: readonly Branch[]): Promise<T[]>
  /** Waits for a word from outside, for days if need be. `null`: none came in time. */
  signal<T extends Json>(name: string, options?: { readonly timeoutMs?: number }): Promise<T | null>
  sleep(key: string, ms: number): Promise<void>
}

/** Thrown by a journal that cannot wait: the run ends as suspended, and is taken up again when the word is there. */
export class Suspension extends Error {
  override readonly name = 'Suspension'
  readonly waitsFor: string

  constructor(waitsFor: string) {
    super(`The run waits for ${waitsFor}.`)
    this.waitsFor = waitsFor
  }
}

/** What came of branches, in their order. Throws `BranchesFailed`. */
export function resultsOf<T extends Json>(
  branches: readonly Branch[],
  ended: readonly PromiseSettledResult<Json>[],
): T[] {
  const failures = ended.flatMap((one, i) =>
    one.status === 'rejected' ? [{ key: (branches[i] as Branch).key, error: one.reason as unknown }] : [],
  )
  // What the others came to is kept: they are not run again.
  if (failures.length > 0) throw new BranchesFailed(failures)
  return ended.map((one) => (one as PromiseFulfilledResult<Json>).value as T)
}

/** Thrown by `parallel` when all branches have ended, and some of them without a result. */
export class BranchesFailed extends Error {
  override readonly name = 'BranchesFailed'
  readonly failures: readonly { readonly key: string; readonly error: unknown }[]

  constructor(failures: BranchesFailed['failures']) {
    super(
      failures
        .map(({ key, error }) => `${key}: ${error instanceof Error ? error.message : error}`)
        .join('; '),
    )
    this.failures = failures
  }
}
