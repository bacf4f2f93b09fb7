import type { Context, RestatePromise } from '@restatedev/restate-sdk'
import type { Durable, Json } from '../../agent/durable.ts'
import { engineJournal } from './engine-journal.ts'

export interface RestateJournalOptions {
  /** What idempotency keys of steps begin with; the id of the invocation unless said otherwise. */
  readonly runId?: string | undefined
  /**
   * Where words from outside are heard: `(name) => ctx.promise(name).get()` in a workflow. Without it the run ends as suspended
   * where it would wait for one.
   */
  readonly listen?: ((name: string) => RestatePromise<Json>) | undefined
}

/** A journal that Restate keeps, for an agent that runs in a handler of your own: `agent.start(task, { journal: restateJournal(ctx) })`. */
export function restateJournal(ctx: Context, { runId, listen }: RestateJournalOptions = {}): Durable {
  return engineJournal(ctx, { runId, listen })
}
