import type { Context, ObjectContext, RestatePromise } from '@restatedev/restate-sdk'
import { object } from '@restatedev/restate-sdk'
import type { Prices } from '../../agent/prices.ts'
import { Budget, type BudgetLimits, type Spent } from '../../agentfile/run/budget.ts'
import { Halt } from '../../agentfile/run/halt.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import { jsonSerde } from './json-serde.ts'
import { budgetService } from './names.ts'
import type { Wait } from './one-by-one.ts'
import type { KeptStep } from './restate-journal.ts'

/** What a part of a run asks for: room for a question, or for an agent that it spawns. */
export interface Claim {
  readonly for: 'turn' | 'agent'
  /** Those that there are: what is not there is not limited. */
  readonly limits: Partial<BudgetLimits>
  readonly agents: number
  readonly prices?: Prices
  /** By whoever asks, since it asked last. */
  readonly usage: Usage
}

export type Granted =
  | { readonly isGranted: true }
  | { readonly isGranted: false; readonly limit?: keyof BudgetLimits }

const none: Spent & { agents: number } = { turns: 0, usage: noUsage, agents: 0 }
const noLimits: BudgetLimits = {
  turns: Number.POSITIVE_INFINITY,
  tokens: Number.POSITIVE_INFINITY,
  cost: Number.POSITIVE_INFINITY,
}

/** Counts what all parts of a run use together, wherever they run: one object for each run, asked one by one. */
export const budgetObject = object({
  name: budgetService,
  handlers: {
    claim: async (ctx: ObjectContext, claim: Claim): Promise<Granted> => {
      const spent = (await ctx.get<typeof none>('spent')) ?? none
      const budget = new Budget({ ...noLimits, ...claim.limits }, claim.prices, spent)
      budget.count({ turns: 0, calls: 0, spawned: 0, usage: claim.usage })
      const usage = budget.usage
      if (claim.for === 'agent') {
        const isGranted = spent.agents < claim.agents
        ctx.set('spent', { ...spent, usage, agents: spent.agents + (isGranted ? 1 : 0) })
        return { isGranted }
      }
      try {
        budget.claim('')
        ctx.set('spent', { ...spent, usage, turns: budget.turns })
        return { isGranted: true }
      } catch (error) {
        if (!(error instanceof Halt) || error.why.kind !== 'limit') throw error
        ctx.set('spent', { ...spent, usage })
        return { isGranted: false, limit: error.why.limit as keyof BudgetLimits }
      }
    },
    /** What was used since the last claim. */
    add: async (ctx: ObjectContext, usage: Usage): Promise<void> => {
      const spent = (await ctx.get<typeof none>('spent')) ?? none
      ctx.set('spent', { ...spent, usage: addUsage(spent.usage, usage) })
    },
    forget: async (ctx: ObjectContext): Promise<void> => ctx.clearAll(),
  },
  options: { ingressPrivate: true, journalRetention: 0 },
})

export interface LedgerOptions {
  readonly runId: string
  readonly limits: Partial<BudgetLimits>
  /** How many may be spawned. */
  readonly agents: number
  readonly prices?: Prices | undefined
}

/** The part of a run that counts for it, wherever it runs. */
export class Ledger {
  private readonly ctx: Context
  private readonly options: LedgerOptions
  /** Used, and not yet told. */
  private usage = noUsage
  /** Nothing is limited: there is nobody to ask. */
  private readonly isOpen: boolean

  constructor(ctx: Context, options: LedgerOptions) {
    this.ctx = ctx
    this.options = options
    this.isOpen = Object.keys(options.limits).length > 0
  }

  /** Throws a Halt when the run has used up what it may use. */
  readonly claimTurn = async (key: string, wait: Wait): Promise<void> => {
    if (!this.isOpen || !isTurn(key)) return
    const granted = await wait(this.claim('turn'))
    if (granted.isGranted || !granted.limit) return
    const { limit } = granted
    const path = key.slice(0, Math.max(0, key.lastIndexOf('/')))
    throw new Halt({ kind: 'limit', limit, most: this.options.limits[limit] ?? 0, path })
  }

  /** Whether one more agent may be spawned. */
  async claimAgent(wait: Wait): Promise<boolean> {
    return (await wait(this.claim('agent'))).isGranted
  }

  readonly count = ({ key, value }: Pick<KeptStep, 'key' | 'value'>): void => {
    if (this.isOpen && isTurn(key))
      this.usage = addUsage(this.usage, (value as unknown as { usage: Usage }).usage)
  }

  /** Tells the rest, at the end of a part of the run. */
  settle(): void {
    if (this.isOpen && this.usage !== noUsage) this.send('add', this.usage)
    this.usage = noUsage
  }

  /** At the end of the run. What nobody could have asked has nothing to forget. */
  close(): void {
    if (this.isOpen || this.options.agents > 0) this.send('forget', undefined)
  }

  private claim(what: Claim['for']): RestatePromise<Granted> {
    const { runId, limits, agents, prices } = this.options
    const { usage } = this
    this.usage = noUsage
    return this.ctx.genericCall<Claim, Granted>({
      service: budgetService,
      method: 'claim',
      key: runId,
      parameter: { for: what, limits, agents, usage, ...(prices && { prices }) },
      inputSerde: jsonSerde(),
      outputSerde: jsonSerde(),
    })
  }

  private send(method: string, parameter: unknown): void {
    const { runId } = this.options
    this.ctx.genericSend({ service: budgetService, method, key: runId, parameter, inputSerde: jsonSerde() })
  }
}

const isTurn = (key: string) => /(^|\/)turn:\d+$/.test(key)
