import type { CallOptions, Finish, LanguageModel, StreamPart } from './language-model.ts'

/** What both APIs tell of a reply. A call is told while it arrives, and as a whole. */
export type ReplyEvent =
  | { readonly type: 'text'; readonly delta: string }
  | { readonly type: 'reasoning'; readonly delta: string }
  | { readonly type: 'call-start'; readonly index: number; readonly id: string; readonly name: string }
  | { readonly type: 'call-delta'; readonly index: number; readonly delta: string }
  | ({ readonly type: 'call-end' } & ReplyCall)
  | Finish

export interface ReplyCall {
  readonly index: number
  readonly id: string
  readonly name: string
  /** JSON, as the model wrote it. */
  readonly input: string
}

/** The model failed in the middle of its reply. */
export class BrokenReply extends Error {
  override readonly name = 'BrokenReply'
}

/** Asks the model. The events end without a `finish` only if the signal fires. */
export async function startReply(
  model: LanguageModel,
  options: CallOptions,
  signal: AbortSignal,
): Promise<AsyncGenerator<ReplyEvent, void>> {
  try {
    const { stream } = await model.doStream({ ...options, abortSignal: signal })
    return replyEvents(stream, signal)
  } catch (error) {
    if (isUnreachable(error)) throw new BrokenReply('the model cannot be reached', { cause: error })
    throw error
  }
}

/** As the AI SDK tells of a provider that gave no answer at all. */
function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { isRetryable, statusCode } = error as { isRetryable?: boolean; statusCode?: number }
  return isRetryable === true && statusCode === undefined
}

async function* replyEvents(
  stream: ReadableStream<StreamPart>,
  signal: AbortSignal,
): AsyncGenerator<ReplyEvent, void> {
  const reader = stream.getReader()
  // A model that does not listen to the signal is stopped all the same.
  const stop = () => void reader.cancel().catch(() => undefined)
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop)
  const calls = new CallTracker()
  try {
    while (!signal.aborted) {
      const { done, value } = await reader.read()
      if (signal.aborted) return
      if (done) throw new BrokenReply('the stream of the model ended without a finish')
      yield* eventsOf(value, calls)
      if (value.type === 'finish') return
    }
  } catch (error) {
    // What a model throws when it is stopped is not told.
    if (!signal.aborted) throw new BrokenReply('the model failed', { cause: error })
  } finally {
    signal.removeEventListener('abort', stop)
    stop()
  }
}

function* eventsOf(part: StreamPart, calls: CallTracker): Generator<ReplyEvent> {
  switch (part.type) {
    case 'text-delta':
      if (part.delta !== '') yield { type: 'text', delta: part.delta }
      break
    case 'reasoning-delta':
      if (part.delta !== '') yield { type: 'reasoning', delta: part.delta }
      break
    case 'tool-input-start':
      yield calls.start(part.id, part.toolName)
      break
    case 'tool-input-delta':
      yield* calls.delta(part.id, part.delta)
      break
    case 'tool-call':
      yield* calls.end(part.toolCallId, part.toolName, part.input)
      break
    case 'finish':
      yield part
      break
    case 'error':
      throw part.error
  }
}

/** Gives calls their numbers, and tells of those that come as a whole as if they had come in pieces. */
class CallTracker {
  readonly #calls = new Map<string, { index: number; sent: string }>()

  start(id: string, name: string): ReplyEvent {
    const index = this.#calls.size
    this.#calls.set(id, { index, sent: '' })
    return { type: 'call-start', index, id, name }
  }

  *delta(id: string, delta: string): Generator<ReplyEvent> {
    const call = this.#calls.get(id)
    if (!call || delta === '') return
    call.sent += delta
    yield { type: 'call-delta', index: call.index, delta }
  }

  *end(id: string, name: string, input: string): Generator<ReplyEvent> {
    if (!this.#calls.has(id)) yield this.start(id, name)
    const { index, sent } = this.#calls.get(id)!
    if (input.startsWith(sent)) yield* this.delta(id, input.slice(sent.length))
    yield { type: 'call-end', index, id, name, input }
  }
}

export interface WholeReply {
  readonly text: string
  readonly reasoning: string
  readonly calls: readonly ReplyCall[]
  readonly finish: Finish
}

/** The same engine for who wants the reply at once; nothing if the client is gone. */
export async function wholeReply(events: AsyncIterable<ReplyEvent>): Promise<WholeReply | undefined> {
  let text = ''
  let reasoning = ''
  const calls: { index: number; id: string; name: string; input: string }[] = []
  for await (const event of events) {
    if (event.type === 'text') text += event.delta
    else if (event.type === 'reasoning') reasoning += event.delta
    // A call that was cut off has no end: what there is of it is told too.
    else if (event.type === 'call-start') calls.push({ ...event, input: '' })
    else if (event.type === 'call-delta') calls[event.index]!.input += event.delta
    else if (event.type === 'call-end') calls[event.index]!.input = event.input
    else return { text, reasoning, calls, finish: event }
  }
  return undefined
}
