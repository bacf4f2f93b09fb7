import type { AgentEvent } from '../agent/event.ts'
import type { Outcome } from '../agent/outcome.ts'
import type { LimitName } from '../agent/run-limits.ts'
import { columns } from '../core/columns.ts'
import type { ChosenModel } from './choose-model.ts'

/** An event as a line of JSON. Errors are objects without members to JSON: what matters of them is named. */
export const eventLine = (event: AgentEvent): string => {
  // What is asked was told message by message.
  const { asked: _, ...told } = event as AgentEvent & { asked?: unknown }
  return JSON.stringify(told, plain)
}

/** Without what only a program in this process could go on with. */
export const outcomeLine = ({ saved: _, ...outcome }: Outcome<unknown>): string =>
  JSON.stringify({ type: 'outcome', ...outcome }, plain)

/** For JSON: errors, big integers and bytes as something that can be written. */
export function plain(_key: string, value: unknown): unknown {
  if (value instanceof Error) {
    const { name, message, code } = value as Error & { code?: unknown }
    return { name, message, ...(typeof code === 'string' && { code }) }
  }
  if (typeof value === 'bigint') return String(value)
  return value instanceof Uint8Array ? `(${value.length} bytes)` : value
}

/** What happens, for people: a line for each thing. */
export class Progress {
  private readonly stream: NodeJS.WritableStream
  private readonly dim: (text: string) => string
  private readonly started = Date.now()

  constructor(stream: NodeJS.WritableStream, color: boolean) {
    this.stream = stream
    this.dim = color ? (text) => `\x1b[2m${text}\x1b[22m` : (text) => text
  }

  begin(policy: string, { source, from }: ChosenModel): void {
    const where = from === 'default' ? 'offline, no language model: see --model' : `from ${from}`
    this.line(`${policy} on ${source} (${where})`)
  }

  show(event: AgentEvent): void {
    const text = wordsFor(event)
    if (text !== undefined) this.line(text)
  }

  end(outcome: Outcome<unknown>): void {
    const { turns, calls, usage } = outcome
    const seconds = ((Date.now() - this.started) / 1000).toFixed(1)
    const used = [count(turns, 'turn'), count(calls, 'call'), count(usage.input + usage.output, 'token')]
    this.line(endOf(outcome))
    this.line([...used, `${seconds} s`].join(' · '))
  }

  /** One line, whatever a model has put into it. */
  private line(text: string): void {
    const { text: shown } = columns(text.length > 300 ? `${text.slice(0, 300)}…` : text)
    this.stream.write(`${this.dim(shown)}\n`)
  }
}

const count = (n: number, what: string) => `${n} ${what}${n === 1 ? '' : 's'}`

/** What a person wants to know of; nothing of the pieces of a reply. */
function wordsFor(event: AgentEvent): string | undefined {
  switch (event.type) {
    case 'turn-retry':
      return `! ${event.error.message}; asking again in ${Math.round(event.wait)} ms`
    case 'turn-idle':
      return `! a turn that brought nothing: ${event.reason}`
    case 'call-start':
      return `→ ${event.call.name} ${JSON.stringify(event.call.arguments, plain)}`
    case 'call-end':
      return event.ok ? `✓ ${event.call.name}` : `✗ ${event.call.name}: ${event.error.message}`
    case 'approval-verdict':
      return typeof event.verdict === 'object' && event.verdict.decision === 'deny'
        ? `! ${event.request.tool} needs permission: run with --yes to give it`
        : undefined
    case 'call-refused':
      return `✗ ${event.call.name} ${JSON.stringify(event.call.arguments, plain)}: not run`
    case 'compaction':
      return `${count(event.removed, 'old message')} left out of the conversation`
    default:
      return undefined
  }
}

function endOf(outcome: Outcome<unknown>): string {
  switch (outcome.kind) {
    case 'answered':
      return 'answered'
    case 'reported':
      return `the model cannot go on: ${outcome.code}: ${outcome.message}`
    case 'unfinished':
      return `not finished: ${outcome.reason}`
    case 'limit':
      return limitWords(outcome.limit, outcome.most)
    case 'suspended':
      return 'waits for permission'
    case 'cancelled':
      return 'interrupted'
    case 'failed':
      return outcome.error.message
  }
}

export function limitWords(limit: LimitName, most: number): string {
  switch (limit) {
    case 'time':
      return `stopped: ${most / 1000} seconds are over`
    case 'idle':
      return `stopped: ${most} turns in a row brought nothing`
    case 'context':
      return `stopped: the conversation does not fit into ${most} tokens`
    default:
      return `stopped: the limit of ${most} for ${limit} is used up`
  }
}
