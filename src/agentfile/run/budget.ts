import type { AgentEvent } from '../../agent/event.ts'
import type { Prices } from '../../agent/prices.ts'
import type { Model } from '../../model/model.ts'
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

/** What a run has used: checked before a model is asked. What was kept of an earlier try counts too. */
export class Budget {
  usage: Usage = noUsage
  cost = 0
  turns = 0
  calls = 0
  spawned = 0
  private readonly limits: BudgetLimits
  private readonly prices: Prices | undefined

  constructor(limits: BudgetLimits, prices: Prices | undefined) {
    this.limits = limits
    this.prices = prices
  }

  count(event: AgentEvent): void {
    if (event.type === 'call-start') this.calls++
    if (event.type === 'turn-start') this.turns++
    if (event.type !== 'turn-end') return
    const { input, output } = event.usage
    this.usage = addUsage(this.usage, event.usage)
    if (this.prices) this.cost += (input * this.prices.input + output * this.prices.output) / 1e6
  }

  /** Throws a Halt when something is used up. */
  check(path: string): void {
    const { turns, tokens, cost } = this.limits
    // The question that is about to be asked is counted already.
    if (this.turns > turns) throw new Halt({ kind: 'limit', limit: 'turns', most: turns, path })
    const used = this.usage.input + this.usage.output
    if (used >= tokens) throw new Halt({ kind: 'limit', limit: 'tokens', most: tokens, path })
    if (this.cost >= cost) throw new Halt({ kind: 'limit', limit: 'cost', most: cost, path })
  }
}

/** A model that asks before it is asked. `onHalt` hears of it at once: what a model throws may be taken for its own failure. */
export function guardModel(model: Model, check: () => void): Model {
  // A model may be of a class: its methods are called on itself.
  return {
    specificationVersion: model.specificationVersion,
    provider: model.provider,
    modelId: model.modelId,
    supportedUrls: model.supportedUrls,
    async doGenerate(options) {
      check()
      return model.doGenerate(options)
    },
    async doStream(options) {
      check()
      return model.doStream(options)
    },
  }
}
