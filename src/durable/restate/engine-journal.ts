import type { Context, RestatePromise } from '@restatedev/restate-sdk'
import type { Branch, Durable, Json, StepContext } from '../../agent/durable.ts'
import { resultsOf, Suspension } from '../../agent/durable.ts'
import type { JournalEntry } from '../../agent/memory-journal.ts'
import { LONGEST_TIME } from '../../agent/start-clock.ts'
import { LegibleError } from '../../core/legible-error.ts'
import { errorFromJson, errorToJson } from './kept-error.ts'
import { oneByOne, type Wait } from './one-by-one.ts'
import { NoRoom } from './step-room.ts'

/** What came of a step, and how long it took. */
export interface KeptStep extends JournalEntry {
  readonly ms: number
}

export interface EngineJournalOptions {
  /** What idempotency keys of steps begin with; the id of the invocation unless said otherwise. */
  readonly runId?: string | undefined
  /** What is known from an earlier try of the run: it is not done again. */
  readonly entries?: readonly JournalEntry[] | undefined
  /** Starts branches as invocations of their own, and waits for all of them. */
  readonly callBranches?:
    | ((branches: readonly Branch[], wait: Wait) => Promise<readonly PromiseSettledResult<Json>[]>)
    | undefined
  /**
   * Where words from outside are heard: `(name) => ctx.promise(name).get()` in a workflow. Without it the run ends as suspended
   * where it would wait for one.
   */
  readonly listen?: ((name: string) => RestatePromise<Json>) | undefined
  /** How many branches run at the same time. */
  readonly concurrency?: number | undefined
  /** Lets a step begin that asks a model; what it throws ends the step. */
  readonly claim?: ((key: string, wait: Wait) => Promise<void>) | undefined
  /** Runs a step in this process, when there is room for it. */
  readonly admit?: (<T>(run: () => Promise<T>) => Promise<T>) | undefined
  /** Is told of all that is kept, at the same places in every try: it may set state. */
  readonly onKeep?: ((step: KeptStep) => void) | undefined
  /** Is told what the run waits for, and when it does not any more. */
  readonly onWait?: ((name: string, waits: boolean) => void) | undefined
  /** The invocation was cancelled, as the engine says. */
  readonly onCancel?: ((reason: unknown) => void) | undefined
  /** When the time of the run is up, and what is thrown then. */
  readonly deadline?: { readonly at: number; error(): Error } | undefined
}

/** What Restate keeps of a step. */
type Kept = { readonly value: Json; readonly ms: number } | { readonly failed: Json }

/**
 * A journal that Restate keeps: a step is an entry of the invocation's journal, a branch an invocation of its own, a word from
 * outside a durable promise of the workflow.
 *
 * Restate replays an invocation by the order of its entries. Steps that run at the same time keep theirs as long as nothing but
 * steps takes time between two of them.
 */
export function engineJournal(ctx: Context, options: EngineJournalOptions): Durable {
  const { id, attemptCompletedSignal: over } = ctx.request()
  const {
    runId = id,
    callBranches,
    listen,
    claim,
    admit = (run) => run(),
    onKeep,
    onWait,
    onCancel,
    deadline,
  } = options
  const known = new Map((options.entries ?? []).map(({ key, value }) => [key, value]))
  const running = new Set<string>()

  const wait = oneByOne(onCancel)

  const kept = <T extends Json>(key: string, value: Json, ms: number): T => {
    onKeep?.({ key, value, ms })
    return value as T
  }

  const journal: Durable = {
    runId,
    async step(key, run, { isGiven = false } = {}) {
      const before = known.get(key)
      // Those who look at this run see what it has from an earlier one.
      if (before !== undefined) return kept(key, before, 0)
      const context: StepContext = { idempotencyKey: `${runId}:${key}`, signal: over }
      if (isGiven) return run(context)
      if (running.has(key)) throw new LegibleError('agent.repeated_step', `The step ${key} runs already.`)
      running.add(key)
      try {
        await claim?.(key, wait)
        let thrown: { readonly error: unknown } | undefined
        const attempt = async (): Promise<Kept> => {
          try {
            return await admit(async () => {
              const start = performance.now()
              const value = await inTime(() => run(context), deadline)
              return { value, ms: Math.round(performance.now() - start) }
            })
          } catch (error) {
            // Nobody waits for it any more: another process does it again.
            if (over.aborted || error instanceof NoRoom) throw error
            thrown = { error }
            return { failed: errorToJson(error) }
          }
        }
        const result = await wait(ctx.run(key, attempt))
        // What is kept counts, also for the one who knows more: another process would have no more than this.
        if ('failed' in result)
          throw Object.assign(errorFromJson(result.failed), thrown && { cause: thrown.error })
        return kept(key, result.value, result.ms)
      } finally {
        running.delete(key)
      }
    },
    async parallel(branches) {
      if (!callBranches)
        throw new LegibleError('agent.no_branches', 'This journal was not told how branches run.')
      const ended: PromiseSettledResult<Json>[] = []
      const size = options.concurrency ?? branches.length
      for (let at = 0; at < branches.length; at += size)
        ended.push(...(await callBranches(branches.slice(at, at + size), wait)))
      return resultsOf(branches, ended)
    },
    async signal(name, { timeoutMs } = {}) {
      const before = known.get(`signal:${name}`)
      if (before !== undefined) return kept(`signal:${name}`, before, 0)
      // Whoever has said it already is heard when the run waits for it.
      if (timeoutMs === 0) return null
      if (!listen && timeoutMs !== undefined) return null
      if (!listen) throw new Suspension(name)
      onWait?.(name, true)
      const word = listen(name)
      const left = deadline ? deadline.at - Date.now() : Number.POSITIVE_INFINITY
      const patience = Math.min(timeoutMs ?? Number.POSITIVE_INFINITY, left)
      try {
        const said = await wait(Number.isFinite(patience) ? word.orTimeout(Math.max(0, patience)) : word)
        onWait?.(name, false)
        return kept(`signal:${name}`, said, 0)
      } catch (error) {
        onWait?.(name, false)
        if ((error as Error)?.name !== 'TimeoutError') throw error
        if (timeoutMs === undefined && deadline) throw deadline.error()
        return null
      }
    },
    async sleep(key, ms) {
      await wait(ctx.sleep(ms, key))
    },
  }
  return journal
}

async function inTime<T>(run: () => Promise<T>, deadline: EngineJournalOptions['deadline']): Promise<T> {
  if (!deadline) return run()
  if (Date.now() >= deadline.at) throw deadline.error()
  const work = run()
  let timer: NodeJS.Timeout | undefined
  const up = new Promise<never>((_, reject) => {
    const left = Math.min(Math.max(0, deadline.at - Date.now()), LONGEST_TIME)
    timer = setTimeout(() => reject(deadline.error()), left)
  })
  try {
    return await Promise.race([work, up])
  } finally {
    clearTimeout(timer)
    work.catch(() => {})
  }
}
