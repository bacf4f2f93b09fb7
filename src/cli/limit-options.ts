import type { Command } from 'commander'
import type { RunLimits } from '../agent/run-limits.ts'
import { wholeNumber } from './whole-number.ts'

export interface LimitOptions {
  readonly maxIterations?: number
  readonly maxCalls?: number
  readonly maxTokens?: number
  readonly maxTime?: number
}

/** What an agent may use, for every command that runs one. */
export function addLimitOptions(command: Command): Command {
  return command
    .option('--max-iterations <n>', 'questions to the model until it answers (default: 16)', wholeNumber)
    .option('--max-calls <n>', 'calls of tools until it answers (default: 64)', wholeNumber)
    .option('--max-tokens <n>', 'tokens in and out of one answer, with its calls', wholeNumber)
    .option('--max-time <seconds>', 'how long an answer may take', wholeNumber)
}

export function limitsOf({ maxIterations, maxCalls, maxTokens, maxTime }: LimitOptions): Partial<RunLimits> {
  return {
    ...(maxIterations && { iterations: maxIterations }),
    ...(maxCalls && { calls: maxCalls }),
    ...(maxTokens && { tokens: maxTokens }),
    ...(maxTime && { time: maxTime * 1000 }),
  }
}
