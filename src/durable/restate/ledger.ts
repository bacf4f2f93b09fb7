import type { Context, ObjectContext, RestatePromise } from '@restatedev/restate-sdk'
import { object } from '@restatedev/restate-sdk'
import type { Prices } from '../../agent/prices.ts'
import { Budget, type BudgetLimits, noLimits, type Spent } from '../../agentfile/run/budget.ts'
import { Halt } from '../../agentfile/run/halt.ts'
import { isTurn } from '../../agentfile/run/to-resume.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import type { Allowance } from './allowance.ts'
import type { KeptStep } from './engine-journal.ts'
import { jsonSerde } from './json-serde.ts'
import { budgetService } from './names.ts'
import type { Wait } from './one-by-one.ts'

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

/** Counts what all parts of a run use together, wherever they run: one object for each run, asked one by one. */
export const budgetObject = object({
  name: budgetService,
  handlers: {
    claim: async (ctx: ObjectContext, claim: Claim): Promise<Granted> => {
      const spent = (await ctx.get<typeof none>('spent')) ?? none
      const budget = new Budget({ ...noLimits, ...claim.limits }, claim.prices, spent)
      budget.count({ turns: 0, calls: 0, spawned: 0, usage: claim.usage })
      const { usage } = budget
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
    /** What was used without a claim, or since the last one. */
    add: async (ctx: ObjectContext, { turns, usage }: Spent): Promise<void> => {
      const spent = (await ctx.get<typeof none>('spent')) ?? none
      ctx.set('spent', { ...spent, turns: spent.turns + turns, usage: addUsage(spent.usage, usage) })
    },
    forget: async (ctx: ObjectContext): Promise<void> => ctx.clearAll(),
  },
  options: { ingressPrivate: true, journalRetention: 0 },
})

/** Milliseconds. Parts of a run that was cancelled may still ask: what they leave would stay for ever. */
const FORGET_AFTER = 60_000

/** The part of a run that counts for it, wherever it runs. */
export class Ledger {
  private readonly ctx: Context
  private readonly runId: string
  private readonly limits: Partial<BudgetLimits>
  private readonly allowance: Allowance
  /** Used, and not yet told. */
  private usage = noUsage
  /** Something is limited: there is somebody to ask. */
  private readonly isOpen: boolean

  constructor(ctx: Context, runId: string, allowance: Allowance) {
    const { turns, tokens, cost } = allowance.limits
    this.ctx = ctx
    this.runId = runId
    this.allowance = allowance
    this.limits = {
      ...(turns !== undefined && { turns }),
      ...(tokens !== undefined && { tokens }),
      ...(cost !== undefined && { cost }),
    }
    this.isOpen = Object.keys(this.limits).length > 0
  }

  /** Throws a Halt when the run has used up what it may use. */
  readonly claimTurn = async (key: string, wait: Wait): Promise<void> => {
    if (!this.isOpen || !isTurn(key)) return
    const granted = await wait(this.claim('turn'))
    if (granted.isGranted || !granted.limit) return
    const { limit } = granted
    const path = key.slice(0, Math.max(0, key.lastIndexOf('/')))
    throw new Halt({ kind: 'limit', limit, most: this.limits[limit] ?? 0, path })
  }

  /** Whether one more agent may be spawned. */
  async claimAgent(wait: Wait): Promise<boolean> {
    return (await wait(this.claim('agent'))).isGranted
  }

  readonly count = ({ key, value }: Pick<KeptStep, 'key' | 'value'>): void => {
    if (this.isOpen && isTurn(key))
      this.usage = addUsage(this.usage, (value as unknown as { usage: Usage }).usage)
  }

  /** Tells what an earlier try has used. */
  begin(spent: Spent): void {
    if (this.isOpen && spent.turns > 0) this.send('add', spent)
  }

  /** Tells what is not yet told: before others ask, and at the end of a part of the run. */
  settle(): void {
    if (this.isOpen && this.usage !== noUsage) this.send('add', { turns: 0, usage: this.usage })
    this.usage = noUsage
  }

  /** At the end of the run. What nobody could have asked has nothing to forget. */
  close(): void {
    if (this.isOpen || this.allowance.spawn) this.send('forget', undefined, FORGET_AFTER)
  }

  private claim(what: Claim['for']): RestatePromise<Granted> {
    const { limits, usage } = this
    const { spawn, prices } = this.allowance
    this.usage = noUsage
    return this.ctx.genericCall<Claim, Granted>({
      service: budgetService,
      method: 'claim',
      key: this.runId,
      parameter: { for: what, limits, agents: spawn ? spawn.count : 0, usage, ...(prices && { prices }) },
      inputSerde: jsonSerde(),
      outputSerde: jsonSerde(),
    })
  }

  private send(method: string, parameter: unknown, delay = 0): void {
    const { runId: key } = this
    this.ctx.genericSend({ service: budgetService, method, key, parameter, delay, inputSerde: jsonSerde() })
  }
}
