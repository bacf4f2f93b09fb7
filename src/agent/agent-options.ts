import type { ModelSettings } from '../model/ask-model.ts'
import type { ModelSource } from '../model/load-model.ts'
import type { RunOptions } from '../tool/run-options.ts'
import type { ApprovalOptions } from './approval.ts'
import type { ContextOptions } from './compact-messages.ts'
import type { Prices } from './prices.ts'
import type { RunLimits } from './run-limits.ts'
import type { TelemetryOptions } from './telemetry.ts'
import type { ToolSource } from './tools/gather-tools.ts'

/** What every agent can be told, whatever its policy. */
export interface AgentOptions
  extends ApprovalOptions,
    Pick<RunOptions, 'concurrency' | 'after' | 'media' | 'record'> {
  /** A model of the AI SDK, or the name of one; that of `LEGIBLE_MODEL` when there is none. */
  readonly model?: ModelSource | undefined
  /** Tools of ours, of the AI SDK, of MCP servers. */
  readonly tools?: ToolSource | undefined
  readonly limits?: Partial<RunLimits> | undefined
  /** What tokens cost: for the total, and for a limit on it. */
  readonly prices?: Prices | undefined
  /** Temperature and the like. */
  readonly settings?: ModelSettings | undefined
  /** How large the model's window is: old turns are left out before it is full. */
  readonly context?: ContextOptions | undefined
  /** How often a provider that fails is asked again; 2 unless said otherwise. */
  readonly retries?: number | undefined
  /** Milliseconds before it is asked again the first time; then twice as long each time. */
  readonly backoff?: number | undefined
  /** How long each call of a tool may take, in milliseconds; five minutes unless said otherwise. */
  readonly timeout?: number | undefined
  /** Handed to every tool and hook. */
  readonly toolContext?: unknown
  readonly telemetry?: TelemetryOptions | undefined
}
