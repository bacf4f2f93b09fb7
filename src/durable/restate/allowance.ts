import type { Prices } from '../../agent/prices.ts'
import { defaultSpawn, type SpawnLimits } from '../../agentfile/run/crew.ts'
import type { WorkflowLimits, WorkflowOptions } from '../../agentfile/run/workflow-options.ts'
import { LegibleError } from '../../core/legible-error.ts'

/** What a run may use, as whoever submits it says. Models and tools are those of the worker. */
export interface AskedAllowance {
  readonly limits?: Partial<WorkflowLimits>
  readonly goalLimits?: NonNullable<WorkflowOptions['goalLimits']>
  readonly spawn?: boolean
}

/** What a run may use: as it asks, and no more than the worker allows that has begun it. Plain data; it goes with the run. */
export type Allowance = {
  /** Those that there are: what is not there is not limited. */
  readonly limits: Partial<WorkflowLimits>
  readonly goalLimits: NonNullable<WorkflowOptions['goalLimits']>
  readonly spawn: SpawnLimits | false
  readonly prices?: Prices
}

const CONCURRENCY = 8

/** Throws a LegibleError where a limit limits nothing. */
export function allowanceOf(
  { limits = {}, goalLimits = {}, spawn = false }: AskedAllowance,
  worker: Pick<WorkflowOptions, 'limits' | 'spawn' | 'prices'>,
): Allowance {
  const { prices, spawn: most = true } = worker
  const least = leastOf(limits, worker.limits ?? {})
  if (least.cost !== undefined && !prices)
    throw new LegibleError(
      'agent.no_prices',
      'A limit on cost needs prices: [prices] in the legible.toml of the workers.',
    )
  return {
    limits: { ...least, concurrency: least.concurrency ?? CONCURRENCY },
    goalLimits,
    spawn: spawn && most !== false ? { ...defaultSpawn, ...(most === true ? {} : most) } : false,
    ...(prices && { prices }),
  }
}

/** What both allow. */
function leastOf(asked: Partial<WorkflowLimits>, most: Partial<WorkflowLimits>): Partial<WorkflowLimits> {
  const names = [...new Set([...Object.keys(asked), ...Object.keys(most)])] as (keyof WorkflowLimits)[]
  return Object.fromEntries(
    names.flatMap((name) => {
      const values = [asked[name], most[name]].filter(
        (value) => value !== undefined && value !== Number.POSITIVE_INFINITY,
      )
      for (const value of values)
        if (!(typeof value === 'number' && value > 0))
          throw new LegibleError(
            'agent.invalid_limit',
            `The limit ${name} is a number above 0, not ${JSON.stringify(value)}.`,
          )
      return values.length > 0 ? [[name, Math.min(...(values as number[]))]] : []
    }),
  )
}
