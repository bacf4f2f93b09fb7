import { isRecord } from '../core/is-record.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { Prices } from './prices.ts'
import type { RunState } from './run-state.ts'
import { LONGEST_TIME } from './start-clock.ts'

/** What a run may use. Checked before the model is asked and before a tool is called: N iterations are N questions. */
export interface RunLimits {
  /** Questions to the model. */
  readonly iterations: number
  /** Calls of tools. */
  readonly calls: number
  /** Tokens in and out, as the provider counts them. */
  readonly tokens: number
  /** In the currency of the prices. */
  readonly cost: number
  /** Milliseconds. What runs when the time is up is stopped. */
  readonly time: number
  /** Turns in a row that brought neither a call nor an answer. */
  readonly idle: number
}

/** `context`: even without its old turns, the conversation does not fit into the model's window. */
export type LimitName = keyof RunLimits | 'context'

const defaultRunLimits: RunLimits = {
  iterations: 16,
  calls: 64,
  tokens: Number.POSITIVE_INFINITY,
  cost: Number.POSITIVE_INFINITY,
  time: Number.POSITIVE_INFINITY,
  idle: 3,
}

/** Throws where a limit would limit nothing, or something else than was meant. */
export function runLimitsOf(given: Partial<RunLimits> = {}, prices?: Prices): RunLimits {
  if (!isRecord(given)) throw invalid('Limits are an object, as { iterations: 8 }.')
  for (const [name, most] of Object.entries(given)) {
    if (!Object.hasOwn(defaultRunLimits, name)) {
      const names = Object.keys(defaultRunLimits).join(', ')
      throw invalid(`There is no limit "${name}". There are ${names}.`)
    }
    if (most === undefined || most === Number.POSITIVE_INFINITY) continue
    if (!(typeof most === 'number' && most > 0))
      throw invalid(`The limit ${name} is a number above 0, not ${JSON.stringify(most)}.`)
    if (name !== 'cost' && !Number.isInteger(most))
      throw invalid(`The limit ${name} is a whole number, not ${most}.`)
    if (name === 'time' && most > LONGEST_TIME)
      throw invalid(`The limit time is ${LONGEST_TIME} milliseconds at the most, not ${most}.`)
  }
  if (given.cost !== undefined && !prices)
    throw new LegibleError(
      'agent.no_prices',
      'A limit on cost needs prices: { input, output } per million tokens.',
    )
  const defined = Object.entries(given).filter(([, most]) => most !== undefined)
  return { ...defaultRunLimits, ...Object.fromEntries(defined) }
}

const invalid = (message: string) => new LegibleError('agent.invalid_limit', message)

/** The limit that is used up, if any. `calls` is checked where calls are made, `time` by the clock. */
export function usedUp(
  state: RunState,
  limits: RunLimits,
): 'iterations' | 'tokens' | 'cost' | 'idle' | undefined {
  if (state.idle >= limits.idle) return 'idle'
  if (state.turns >= limits.iterations) return 'iterations'
  if (state.usage.input + state.usage.output >= limits.tokens) return 'tokens'
  if (state.cost >= limits.cost) return 'cost'
  return undefined
}
