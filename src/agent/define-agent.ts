import { isRecord } from '../core/is-record.ts'
import { LegibleError } from '../core/legible-error.ts'
import { loadModel } from '../model/load-model.ts'
import type { Message } from '../model/message.ts'
import { unlessAborted } from '../model/unless-aborted.ts'
import type { Tool } from '../tool/tool.ts'
import type { AgentOptions } from './agent-options.ts'
import { decisionOf, type Verdict } from './approval.ts'
import { checkAgentOptions, checkApproval } from './check-agent-options.ts'
import type { Durable, Json } from './durable.ts'
import type { AgentEvent } from './event.ts'
import { keepMessages, recallMessages } from './kept-content.ts'
import { type Loop, type LoopOptions, RunLoop } from './loop.ts'
import { type MemoryJournal, memoryJournal, type SavedRun } from './memory-journal.ts'
import type { Outcome, PolicyResult } from './outcome.ts'
import { createRun, type Run } from './run.ts'
import { runLimitsOf } from './run-limits.ts'
import { startState } from './run-state.ts'
import { startClock } from './start-clock.ts'
import { Stop } from './stop.ts'
import { openTelemetry } from './telemetry.ts'
import { gatherTools } from './tools/gather-tools.ts'
import { withoutOldYes } from './without-old-yes.ts'

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
export type Policy<T> = (loop: Loop) => Promise<PolicyResult<T>>

/** Five minutes: a tool that never ends must not be the end of a run. */
const TOOL_TIMEOUT = 300_000

/** Makes an agent of a policy. */
export function defineAgent<T>(name: string, options: AgentOptions, policy: Policy<T>): Agent<T> {
  checkAgentOptions(options)
  const limits = runLimitsOf(options.limits, options.prices)

  const work = async (
    given: GivenTask,
    durable: Durable | MemoryJournal,
    outer: AbortSignal | undefined,
    inner: AbortSignal,
    onEvent: (event: AgentEvent) => void,
  ): Promise<Outcome<T>> => {
    const clock = startClock(limits.time)
    const signal = AbortSignal.any([inner, clock.signal, ...(outer ? [outer] : [])])
    let loop: RunLoop | undefined
    const result = async (): Promise<Ended<T>> => {
      try {
        loop = await unlessAborted(
          signal,
          createLoop(name, options, { limits, given, durable, signal, onEvent }),
        )
        return checkResult(await policy(loop))
      } catch (error) {
        if (signal.aborted)
          return signal.reason === clock.signal.reason
            ? { kind: 'limit', limit: 'time', most: limits.time }
            : { kind: 'cancelled', reason: signal.reason }
        if (error instanceof Stop) return error.why
        throw error
      }
    }
    try {
      const telemetry = await openTelemetry(options.telemetry)
      return await telemetry.run(name, durable.runId, async () => {
        const ended = await result()
        const { usage, cost, turns, calls, messages } = loop?.state ?? startState
        return { ...ended, usage, cost, turns, calls, messages, ...savedOf(durable, ended) }
      })
    } finally {
      clock.stop()
    }
  }

  return {
    name,
    start(task, { signal, history, journal } = {}) {
      return createRun((onEvent, inner) =>
        work({ task, history }, journal ?? memoryJournal(), signal, inner, onEvent),
      )
    },
    resume(saved, verdicts = {}, { signal } = {}) {
      if (!isRecord(saved) || !Array.isArray(saved.entries) || typeof saved.runId !== 'string')
        throw new LegibleError('agent.invalid_saved', 'resume takes what an outcome has as `saved`.')
      const journal = memoryJournal({ ...saved, entries: withoutOldYes(saved.entries) })
      for (const [id, verdict] of Object.entries(verdicts)) {
        if (!saved.waitsFor?.includes(id))
          throw new LegibleError('agent.unknown_request', `No call waits for a verdict on "${id}".`)
        journal.deliver(`approval:${id}`, decisionOf(verdict))
      }
      return createRun((onEvent, inner) => work({}, journal, signal, inner, onEvent))
    },
  }
}

type Ended<T> = PolicyResult<T> | Stop['why'] | { readonly kind: 'cancelled'; readonly reason: unknown }

interface GivenTask {
  readonly task?: Loop['task']
  readonly history?: readonly Message[] | undefined
}

/** All that has to be there before a policy can begin. */
async function createLoop(
  name: string,
  options: AgentOptions,
  run: Pick<LoopOptions, 'limits' | 'durable' | 'signal' | 'onEvent'> & { readonly given: GivenTask },
): Promise<RunLoop> {
  const { given, ...rest } = run
  const { retries = 2, backoff = 500, timeout = TOOL_TIMEOUT, concurrency, after, media } = options
  const model = await loadModel(options.model)
  const tools = options.tools === undefined ? [] : await gatherTools(options.tools)
  checkApproval(options.approval, tools)
  return new RunLoop({
    ...options,
    ...rest,
    ...(await keptTask(run.durable, given, name, tools)),
    model,
    tools,
    retries,
    backoff,
    calls: { concurrency, timeout, context: options.toolContext, after, media },
    telemetry: await openTelemetry(options.telemetry),
  })
}

/** What is needed to take the run up again. A journal of another kind keeps it itself. */
function savedOf(journal: Durable | MemoryJournal, result: Ended<unknown>) {
  if (!('entries' in journal)) return {}
  const { runId, entries } = journal
  const waitsFor = result.kind === 'suspended' ? result.pending.map(({ id }) => id) : []
  return { saved: { runId, entries: [...entries], waitsFor } }
}

/** The task as it was given when the run began, to the agent that it was given to. */
async function keptTask(
  durable: Durable,
  given: GivenTask,
  agent: string,
  tools: readonly Tool[],
): Promise<{ task: Loop['task']; history: readonly Message[] }> {
  const names = tools.map(({ name }) => name)
  const kept = (await durable.step(
    'task',
    async () => {
      const { task, history = [] } = given
      if (typeof task !== 'string' && !(Array.isArray(task) && task.every(isPart)))
        throw new LegibleError('agent.no_task', 'A run needs a task: text, or a list of content parts.')
      if (!Array.isArray(history) || !history.every(isMessage))
        throw new LegibleError(
          'agent.invalid_history',
          'A history is a list of messages, as an outcome has them.',
        )
      return { agent, tools: names, messages: keepMessages([{ role: 'user', content: task }, ...history]) }
    },
    { isGiven: true },
  )) as { readonly agent: string; readonly tools: readonly string[]; readonly messages: Json }
  const missing = kept.tools.filter((name) => !names.includes(name))
  if (kept.agent !== agent || missing.length > 0)
    throw new LegibleError(
      'agent.changed',
      `The run was begun by the agent ${kept.agent}${missing.length > 0 ? ` with tools that are not there now: ${missing.join(', ')}` : `, and this is ${agent}`}.`,
    )
  const [first, ...history] = recallMessages(kept.messages)
  const { content } = first as Extract<Message, { role: 'user' }>
  if (typeof given.task === 'string' && typeof content === 'string' && given.task !== content)
    throw new LegibleError('agent.other_task', 'The journal is that of a run with another task.')
  return { task: content, history }
}

/** What a policy of one's own gives back. */
function checkResult<T>(result: PolicyResult<T>): PolicyResult<T> {
  const kinds = ['answered', 'reported', 'unfinished']
  if (isRecord(result) && kinds.includes(result.kind)) return result
  throw new LegibleError(
    'agent.no_result',
    `A policy gives { kind: 'answered', value }, or one of ${kinds.join(', ')}.`,
  )
}

const isPart = (part: unknown): boolean =>
  isRecord(part) && ['text', 'image', 'audio', 'file'].includes(part.type as string)

const isMessage = (message: unknown): boolean =>
  isRecord(message) && ['system', 'user', 'assistant', 'tool'].includes(message.role as string)
