import type { Durable } from '../../agent/durable.ts'
import type { Prices } from '../../agent/prices.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import { Halt } from './halt.ts'

/** What a run may use, all its goals and agents together. */
export interface BudgetLimits {
  /** Questions to models. */
  readonly turns: number
  /** Tokens in and out. */
  readonly tokens: number
  /** In the currency of the prices. */
  readonly cost: number
}

export const noLimits: BudgetLimits = {
  turns: Number.POSITIVE_INFINITY,
  tokens: Number.POSITIVE_INFINITY,
  cost: Number.POSITIVE_INFINITY,
}

/** What was used and is not kept: by parts of a run that failed and are done anew. */
export interface Spent {
  readonly turns: number
  readonly usage: Usage
}

/** What a part of a run has used that was carried out elsewhere. */
export type Used = {
  readonly turns: number
  readonly calls: number
  readonly spawned: number
  readonly usage: Usage
}

/** What a run has used: checked before a model is asked. What was kept of an earlier try counts too. */
export class Budget {
  usage: Usage = noUsage
  cost = 0
  turns = 0
  calls = 0
  spawned = 0
  private readonly limits: BudgetLimits
  private readonly prices: Prices | undefined

  /** `spent`: by tries of which nothing is kept. */
  constructor(limits: BudgetLimits, prices: Prices | undefined, spent?: Spent) {
    this.limits = limits
    this.prices = prices
    if (!spent) return
    this.turns = spent.turns
    this.add(spent.usage)
  }

  /**
   * The same journal, with everything counted that goes through it, also what was kept. What is used up ends the run before
   * the next question; what was kept is paid for, so it is not held against a limit that is lower now.
   */
  counting(journal: Durable, path: string): Durable {
    return {
      runId: journal.runId,
      parallel: (branches) => journal.parallel(branches),
      signal: (name, options) => journal.signal(name, options),
      sleep: (key, ms) => journal.sleep(key, ms),
      step: async (key, run, options) => {
        if (key.startsWith('call:')) this.calls++
        if (!key.startsWith('turn:')) return journal.step(key, run, options)
        this.turns++
        const ask: typeof run = async (about) => {
          this.check(path)
          return run(about)
        }
        const reply = await journal.step(key, ask).catch((error: unknown) => {
          // It was not asked, whoever has counted.
          if (error instanceof Halt && error.why.kind === 'limit' && error.why.limit !== 'time') this.turns--
          throw error
        })
        this.add((reply as unknown as { usage: Usage }).usage)
        return reply
      },
    }
  }

  get used(): Used {
    const { turns, calls, spawned, usage } = this
    return { turns, calls, spawned, usage }
  }

  /** Counts what was used elsewhere. */
  count({ turns, calls, spawned, usage }: Used): void {
    this.turns += turns
    this.calls += calls
    this.spawned += spawned
    this.add(usage)
  }

  /** Takes room for one more question. Throws a Halt when something is used up. */
  claim(path: string): void {
    this.turns++
    this.check(path)
  }

  private add(usage: Usage): void {
    this.usage = addUsage(this.usage, usage)
    if (this.prices) this.cost += (usage.input * this.prices.input + usage.output * this.prices.output) / 1e6
  }

  /** Throws a Halt when something is used up. */
  private check(path: string): void {
    const { turns, tokens, cost } = this.limits
    // The question that is about to be asked is counted already.
    if (this.turns > turns) throw new Halt({ kind: 'limit', limit: 'turns', most: turns, path })
    const used = this.usage.input + this.usage.output
    if (used >= tokens) throw new Halt({ kind: 'limit', limit: 'tokens', most: tokens, path })
    if (this.cost >= cost) throw new Halt({ kind: 'limit', limit: 'cost', most: cost, path })
  }
}
