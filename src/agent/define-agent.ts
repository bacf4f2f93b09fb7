import { closestName } from '../core/closest-name.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { ModelSettings } from '../model/ask-model.ts'
import { loadModel, type ModelSource } from '../model/load-model.ts'
import type { Message } from '../model/message.ts'
import type { RunOptions } from '../tool/run-calls.ts'
import type { Tool } from '../tool/tool.ts'
import type { ApprovalOptions, Verdict } from './approval.ts'
import type { ContextOptions } from './compact-messages.ts'
import type { Durable, Json } from './durable.ts'
import type { AgentEvent } from './event.ts'
import { keepMessages, recallMessages } from './kept-content.ts'
import { type Loop, RunLoop } from './loop.ts'
import { type MemoryJournal, memoryJournal, type SavedRun } from './memory-journal.ts'
import type { Outcome, Result } from './outcome.ts'
import type { Prices } from './prices.ts'
import { createRun, type Run } from './run.ts'
import { type RunLimits, runLimitsOf } from './run-limits.ts'
import { Stop } from './stop.ts'
import { openTelemetry, type TelemetryOptions } from './telemetry.ts'
import { gatherTools, type ToolSource } from './tools/gather-tools.ts'

/** What every agent can be told, whatever its policy. */
export interface AgentOptions extends ApprovalOptions, Pick<RunOptions, 'concurrency' | 'after' | 'media'> {
  /** A model of the AI SDK, or the name of one; `LEGIBLE_MODEL`, or the rehearsal model, when there is none. */
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

export interface StartOptions {
  readonly signal?: AbortSignal | undefined
  /** The conversation that goes on: `messages` of an earlier outcome. */
  readonly history?: readonly Message[] | undefined
  /** Where steps are kept; in memory unless said otherwise. */
  readonly journal?: Durable | undefined
}

export interface Agent<T> {
  readonly name: string
  start(task: Loop['task'], options?: StartOptions): Run<T>
  /** Takes up a run that was suspended, with what people said, by the ids of the requests. */
  resume(
    saved: SavedRun,
    verdicts?: Readonly<Record<string, Verdict>>,
    options?: Pick<StartOptions, 'signal'>,
  ): Run<T>
}

/** What a policy is: it says things, asks, calls, and comes to a result. Everything else is the loop's. */
export type Policy<T> = (loop: Loop) => Promise<Result<T>>

/** Five minutes: a tool that never ends must not be the end of a run. */
const TOOL_TIMEOUT = 300_000

/** Makes an agent of a policy. */
export function defineAgent<T>(name: string, options: AgentOptions, policy: Policy<T>): Agent<T> {
  // Mistakes are found when an agent is defined, not when it runs.
  const limits = runLimitsOf(options.limits, options.prices)
  const { retries = 2, backoff = 500 } = options
  const { window = 1, keep = 1 } = options.context ?? {}
  for (const [option, value, least] of [
    ['retries', retries, 0],
    ['backoff', backoff, 0],
    ['context.window', window, 1],
    ['context.keep', keep, 1],
  ] as const)
    if (!(Number.isFinite(value) && value >= least))
      throw new LegibleError('agent.invalid_option', `${option} is a number, ${least} or more, not ${value}.`)

  const work = async (
    given: { readonly task?: Loop['task']; readonly history?: readonly Message[] | undefined },
    durable: Durable | MemoryJournal,
    outer: AbortSignal | undefined,
    inner: AbortSignal,
    onEvent: (event: AgentEvent) => void,
  ): Promise<Outcome<T>> => {
    const deadline = limits.time === Number.POSITIVE_INFINITY ? undefined : AbortSignal.timeout(limits.time)
    const signal = AbortSignal.any([outer, inner, deadline].filter((one) => one !== undefined))
    const model = await loadModel(options.model)
    const tools = options.tools === undefined ? [] : await gatherTools(options.tools)
    checkApproval(options.approval, tools)
    const { task, history } = await keptTask(durable, given)
    const telemetry = await openTelemetry(options.telemetry)
    const loop = new RunLoop({
      ...options,
      model,
      tools,
      task,
      history,
      durable,
      signal,
      limits,
      retries,
      backoff,
      calls: {
        concurrency: options.concurrency,
        timeout: options.timeout ?? TOOL_TIMEOUT,
        context: options.toolContext,
        after: options.after,
        media: options.media,
      },
      telemetry,
      onEvent,
    })
    const resultOf = async () => {
      try {
        return await policy(loop)
      } catch (error) {
        if (deadline?.aborted && error === deadline.reason)
          return { kind: 'limit', limit: 'time', most: limits.time } as const
        if (signal.aborted) return { kind: 'cancelled', reason: signal.reason } as const
        if (!(error instanceof Stop)) throw error
        const { why } = error
        return why
      }
    }
    return telemetry.run(name, durable.runId, async () => {
      const result = await resultOf()
      const { usage, cost, turns, calls, messages } = loop.state
      return { ...result, usage, cost, turns, calls, messages, ...savedOf(durable, result) }
    })
  }

  return {
    name,
    start(task, { signal, history, journal } = {}) {
      return createRun((onEvent, inner) =>
        work({ task, history }, journal ?? memoryJournal(), signal, inner, onEvent),
      )
    },
    resume(saved, verdicts = {}, { signal } = {}) {
      const journal = memoryJournal(saved)
      for (const [id, verdict] of Object.entries(verdicts)) {
        if (!saved.waitsFor?.includes(id))
          throw new LegibleError('agent.unknown_request', `No call waits for a verdict on "${id}".`)
        journal.deliver(`approval:${id}`, verdict as unknown as Json)
      }
      return createRun((onEvent, inner) => work({}, journal, signal, inner, onEvent))
    },
  }
}

/** A rule for a tool that there is not would protect nothing. */
function checkApproval(rules: AgentOptions['approval'], tools: readonly Tool[]): void {
  if (typeof rules !== 'object') return
  const names = tools.map(({ name }) => name)
  for (const name of Object.keys(rules)) {
    if (names.includes(name)) continue
    const meant = closestName(name, names)
    throw new LegibleError(
      'agent.unknown_tool',
      `approval has a rule for "${name}", but there is no such tool.${meant ? ` Did you mean "${meant}"?` : ''}`,
    )
  }
}

/** What is needed to take the run up again. A journal of another kind keeps it itself. */
function savedOf(
  journal: Durable | MemoryJournal,
  result: Result<unknown> | Stop['why'] | { kind: 'cancelled' },
) {
  if (!('entries' in journal)) return {}
  const { runId, entries } = journal
  const waitsFor = result.kind === 'suspended' ? result.pending.map(({ id }) => id) : []
  return { saved: { runId, entries: [...entries], waitsFor } }
}

/** The task as it was given when the run began. */
async function keptTask(
  durable: Durable,
  given: { readonly task?: Loop['task']; readonly history?: readonly Message[] | undefined },
): Promise<{ task: Loop['task']; history: readonly Message[] }> {
  const kept = await durable.step<Json>('task', async () => {
    const { task, history = [] } = given
    if (typeof task !== 'string' && !Array.isArray(task))
      throw new LegibleError('agent.no_task', 'A run needs a task: text, or a list of content parts.')
    return keepMessages([{ role: 'user', content: task }, ...history])
  })
  const [first, ...history] = recallMessages(kept)
  return { task: (first as Extract<Message, { role: 'user' }>).content, history }
}
