import { LegibleError } from '../core/legible-error.ts'
import { wait } from '../model/wait.ts'
import type { Branch, Durable, Json } from './durable.ts'
import { resultsOf, Suspension } from './durable.ts'

/** What came of a step, by its key. Plain data: it can be stored anywhere. */
export interface JournalEntry {
  readonly key: string
  readonly value: Json
}

/** A run as far as it came: plain data. */
export interface SavedRun {
  readonly runId: string
  readonly entries: readonly JournalEntry[]
  /** The requests that nobody has answered yet. */
  readonly waitsFor?: readonly string[]
}

export interface MemoryJournalOptions extends Partial<SavedRun> {
  readonly signal?: AbortSignal
  /** A step begins that was not kept. */
  readonly onStart?: (key: string) => void
  /** Keeps an entry elsewhere, too. A step has come to its end when this has. */
  readonly onKeep?: (entry: JournalEntry) => Promise<void>
  /** How the branches of `parallel` run. */
  readonly runBranch?: (branch: Branch, journal: Durable) => Promise<Json>
}

export interface MemoryJournal extends Durable, SavedRun {
  /** What is kept, in the order in which it came. */
  readonly entries: readonly JournalEntry[]
  /** Gives the word that `signal` waits for. */
  deliver(name: string, value: Json): void
}

/** Keeps what came of each step in memory: a run can be taken up again in this process, or wherever its entries go. */
export function memoryJournal(options: MemoryJournalOptions = {}): MemoryJournal {
  const { runId = randomId(), signal = new AbortController().signal, runBranch, onStart, onKeep } = options
  const entries: JournalEntry[] = []
  const known = new Map<string, Json>()
  const keep = <T extends Json>(key: string, value: T): T => {
    known.set(key, value)
    entries.push({ key, value })
    return value
  }
  for (const { key, value } of options.entries ?? []) keep(key, value)
  const running = new Set<string>()
  const journal: MemoryJournal = {
    runId,
    entries,
    deliver(name, value) {
      keep(`signal:${name}`, value)
    },
    async step(key, run) {
      const before = known.get(key)
      if (before !== undefined) return before as never
      // Two steps with one key would share a result, and one of them would never run.
      if (running.has(key)) throw new LegibleError('agent.repeated_step', `The step ${key} runs already.`)
      running.add(key)
      onStart?.(key)
      try {
        const value = await run({ idempotencyKey: `${runId}:${key}`, signal })
        await onKeep?.({ key, value })
        return keep(key, value)
      } finally {
        running.delete(key)
      }
    },
    async parallel(branches) {
      if (!runBranch)
        throw new LegibleError('agent.no_branches', 'This journal was not told how branches run.')
      const ended = await Promise.allSettled(
        // Its steps are kept, so that it comes to the same again at no cost; what it used is counted again, too.
        branches.map(async (branch) => runBranch(branch, scopeJournal(journal, branch.key))),
      )
      return resultsOf(branches, ended)
    },
    async signal(name, { timeoutMs } = {}) {
      const word = known.get(`signal:${name}`)
      // Nobody can say it while this process waits, so there is no use in waiting.
      if (word === undefined && timeoutMs !== undefined) return null
      if (word === undefined) throw new Suspension(name)
      return word as never
    },
    async sleep(key, ms) {
      await journal.step(key, async () => {
        await wait(ms, signal)
        return null
      })
    },
  }
  return journal
}

/** The same journal, in which the steps of a part of the run have names of their own. */
export function scopeJournal(journal: Durable, key: string): Durable {
  const name = (inner: string) => `${key}/${inner}`
  return {
    runId: `${journal.runId}.${key}`,
    step: (inner, run, options) => journal.step(name(inner), run, options),
    parallel: (branches) => journal.parallel(branches.map((one) => ({ ...one, key: name(one.key) }))),
    signal: (inner, options) => journal.signal(name(inner), options),
    sleep: (inner, ms) => journal.sleep(name(inner), ms),
  }
}

const randomId = () => globalThis.crypto.randomUUID().slice(0, 8)
