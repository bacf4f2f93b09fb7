import { hashText } from '../core/hash-text.ts'
import type { Issue } from '../core/issue.ts'
import { askModel, type ModelReply, type ModelSettings } from '../model/ask-model.ts'
import { complaint, leftOut, summary } from '../model/loop-words.ts'
import type { Message } from '../model/message.ts'
import type { Model } from '../model/model.ts'
import { ModelError } from '../model/model-error.ts'
import { wait } from '../model/wait.ts'
import { errorOf } from '../tool/call-outcome.ts'
import type { RunOptions } from '../tool/run-options.ts'
import type { Tool } from '../tool/tool.ts'
import { type ApprovalOptions, Approvals } from './approval.ts'
import { CallGate } from './call-gate.ts'
import {
  askForSummary,
  type ContextOptions,
  estimate,
  isNearlyFull,
  partMessages,
  tokensOf,
} from './compact-messages.ts'
import type { Durable } from './durable.ts'
import type { AgentEvent, PolicyEvent } from './event.ts'
import type { Prices } from './prices.ts'
import { type RunLimits, usedUp } from './run-limits.ts'
import { foldEvent, type RunState, startState } from './run-state.ts'
import { Stop } from './stop.ts'
import type { Telemetry } from './telemetry.ts'
import { withoutThoughts } from './without-thoughts.ts'

/** Reads one reply while it arrives. `cut`: it did not end by itself. */
export interface ReplyReader<R> {
  push(chunk: string): void
  end(about: { readonly cut: boolean }): R
}

/** What a question came to. */
export interface Asked<R> {
  readonly reply: ModelReply
  /** What the reader made of it. */
  readonly read: R
  /** The reply did not end by itself: it is too long, or was held back. */
  readonly cut: boolean
}

export interface AskOptions {
  /** Let the provider read the calls: it gets the tools, and messages with calls and results as such. */
  readonly native?: boolean
  /** What is asked, if it is not the conversation so far. */
  readonly messages?: readonly Message[]
}

/** What a policy has to work with. Every method may end the run: a limit, a person to wait for, a provider that fails. */
export interface Loop {
  readonly task: Extract<Message, { role: 'user' }>['content']
  readonly tools: readonly Tool[]
  /** The conversation so far. */
  readonly messages: readonly Message[]
  /** Adds to the conversation. */
  say(message: Message): void
  /** Tells the model why its turn brought nothing, and counts it. */
  sayIdle(reason: string): void
  /** Asks the model, and reads what it says while it arrives. */
  ask<R>(
    createReader: (onEvent: (event: PolicyEvent) => void) => ReplyReader<R>,
    options?: AskOptions,
  ): Promise<Asked<R>>
  /** Calls tools. `run` hands what it gets on to a chain: `chain.execute(sections, { ...options, format })`. */
  call<R>(run: (options: RunOptions) => Promise<R>): Promise<R>
  /** A reply asked for a call that no tool can take: that is recorded, as it never comes to a tool. */
  refuse(written: string, issues: readonly Issue[]): Promise<void>
  /** Tells those who look on. */
  emit(event: PolicyEvent): void
}

export interface LoopOptions extends ApprovalOptions, Pick<RunOptions, 'record'> {
  readonly model: Model
  readonly tools: readonly Tool[]
  readonly task: Loop['task']
  readonly history: readonly Message[]
  readonly durable: Durable
  readonly signal: AbortSignal
  readonly limits: RunLimits
  readonly prices?: Prices | undefined
  readonly settings?: ModelSettings | undefined
  readonly context?: ContextOptions | undefined
  readonly retries: number
  /** The first wait before asking again, in milliseconds; each further one is twice as long. */
  readonly backoff: number
  readonly calls: Pick<RunOptions, 'concurrency' | 'timeout' | 'context' | 'after' | 'media'>
  readonly telemetry: Telemetry
  readonly onEvent: (event: AgentEvent) => void
}

const LONGEST_WAIT = 60_000
/** Characters of a reply that asked for a call which no tool can take. */
const LONGEST_RECORDED = 10_000

/** The loop itself: what every policy does through it is limited, told, kept and stopped in the same way. */
export class RunLoop implements Loop {
  state: RunState = startState
  readonly task: Loop['task']
  readonly tools: readonly Tool[]
  private readonly options: LoopOptions
  private readonly approvals: Approvals
  private batches = 0
  /** Calls that were let through, whether they have begun or wait for permission. */
  private admitted = 0
  private outOfCalls = false

  constructor(options: LoopOptions) {
    this.options = options
    this.task = options.task
    this.tools = options.tools
    this.state = { ...startState, messages: options.history }
    this.approvals = new Approvals({
      durable: options.durable,
      rules: options,
      onRequest: (request) => this.emit({ type: 'approval-request', request }),
      onVerdict: (request, verdict) => this.emit({ type: 'approval-verdict', request, verdict }),
    })
  }

  get messages(): readonly Message[] {
    return this.state.messages
  }

  emit(event: AgentEvent): void {
    if (event.type === 'issues' && event.issues.length === 0) return
    this.state = foldEvent(this.state, event, this.options.prices)
    this.options.onEvent(event)
  }

  say(message: Message): void {
    this.emit({ type: 'message', message })
  }

  sayIdle(reason: string): void {
    this.emit({ type: 'turn-idle', reason })
    this.say({ role: 'user', content: complaint(reason) })
  }

  async ask<R>(
    createReader: (onEvent: (event: AgentEvent) => void) => ReplyReader<R>,
    { native = false, messages }: AskOptions = {},
  ): Promise<Asked<R>> {
    this.checkLimits()
    const { context } = this.options
    if (context && messages) checkSize(messages, context)
    else if (context) {
      await this.makeRoom(context)
      this.checkLimits()
    }
    const turn = this.state.turns + 1
    let reader: ReplyReader<R> | undefined
    const question = messages ?? this.messages
    this.emit({ type: 'turn-start', turn, asked: question })
    const asked = fingerprint(question)
    const reply = await this.options.durable.step<KeptReply>(`turn:${turn}`, async () => {
      const live = await this.askLive(question, native, turn, () => createReader((event) => this.emit(event)))
      reader = live.reader
      return { ...live.reply, asked }
    })
    if (!reader) {
      // It was said before the run was taken up again.
      if (reply.asked !== asked) this.emit({ type: 'turn-differs', turn })
      const thoughts = this.tellThoughts()
      if (reply.reasoning !== '') thoughts.tell(reply.reasoning)
      thoughts.end()
      reader = createReader((event) => this.emit(event))
      reader.push(reply.text)
    }
    // Whoever ends a reply otherwise than the model itself may have cut a call in two.
    const cut = reply.finish !== 'stop' && reply.finish !== 'tool-calls'
    const read = reader.end({ cut })
    const { text, finish, usage } = reply
    this.emit({ type: 'turn-end', turn, text, finish, usage, aside: messages !== undefined })
    return { reply, read, cut }
  }

  async call<R>(run: (options: RunOptions) => Promise<R>): Promise<R> {
    const { durable, calls, limits, signal, telemetry, permissions, record } = this.options
    this.checkCalls()
    this.batches++
    const gate = new CallGate(String(this.batches), {
      durable,
      approvals: this.approvals,
      emit: (event) => this.emit(event),
      takeRoom: () => {
        if (this.admitted >= limits.calls) {
          this.outOfCalls = true
          return false
        }
        this.admitted++
        return true
      },
      giveBack: () => {
        this.admitted--
      },
      concurrency: calls.concurrency ?? 8,
      signal,
      telemetry,
      record,
    })
    let result: R
    try {
      result = await run({
        ...calls,
        signal: gate.signal,
        concurrency: Number.MAX_SAFE_INTEGER,
        around: (call, runCall, tool) => gate.pass(call, runCall, tool),
        permissions,
        ...(record && {
          record: (one) =>
            one.type === 'call-refused' && !gate.knows(one.call)
              ? gate.recordUnfit(one, record)
              : record(one),
        }),
      })
    } finally {
      // A run that ends must not leave calls behind.
      await gate.settled()
    }
    if (gate.pending.length > 0) throw new Stop({ kind: 'suspended', pending: gate.pending })
    return result
  }

  async refuse(written: string, issues: readonly Issue[]): Promise<void> {
    const { record, durable } = this.options
    const wrong = issues.filter(({ code, severity }) => code.startsWith('tool.') && severity === 'error')
    const [first] = wrong
    if (!record || !first) return
    const name = typeof first.params.name === 'string' ? first.params.name : ''
    const call = { id: '', name, arguments: { written: written.slice(0, LONGEST_RECORDED) } }
    await durable.step(`unfit:turn-${this.state.turns}`, async () => {
      await record({ type: 'call-refused', call, error: errorOf(wrong, call) })
      return null
    })
  }

  /** What ran of a batch is told to the model, and kept in the conversation, before the limit ends the run. */
  private checkCalls(): void {
    const { limits, signal } = this.options
    signal.throwIfAborted()
    if (this.outOfCalls && this.admitted >= limits.calls)
      throw new Stop({ kind: 'limit', limit: 'calls', most: limits.calls })
  }

  private checkLimits(): void {
    const { limits } = this.options
    this.checkCalls()
    const limit = usedUp(this.state, limits)
    if (limit) throw new Stop({ kind: 'limit', limit, most: limits[limit] })
  }

  /** Asks until there is a whole reply, or the provider fails for good. */
  private async askLive<R>(
    messages: readonly Message[],
    native: boolean,
    turn: number,
    createReader: () => ReplyReader<R>,
  ): Promise<{ reply: ModelReply; reader: ReplyReader<R> }> {
    const { model, settings, retries, backoff, signal, telemetry } = this.options
    for (let tries = 0; ; tries++) {
      const reader = createReader()
      const thoughts = this.tellThoughts()
      try {
        const reply = await telemetry.chat(model, messages, () =>
          askModel(model, {
            messages,
            settings,
            ...(native && { tools: this.tools }),
            signal,
            onText: (text) => {
              thoughts.end()
              reader.push(text)
            },
            onReasoning: thoughts.tell,
          }),
        )
        thoughts.end()
        return { reply, reader }
      } catch (error) {
        if (!(error instanceof ModelError) || signal.aborted) throw error
        const { retryable, retryAfter = 0 } = error
        if (!retryable || tries >= retries || retryAfter > LONGEST_WAIT)
          throw new Stop({ kind: 'failed', error, partial: error.partial })
        // Random, so that runs that failed together do not ask again together.
        const own = backoff * 2 ** tries * (0.5 + Math.random() / 2)
        const pause = Math.max(Math.min(LONGEST_WAIT, own), retryAfter)
        this.emit({ type: 'turn-retry', turn, wait: pause, error })
        await wait(pause, signal)
      }
    }
  }

  /** Reasoning that the provider sends apart is told as that in the text is. */
  private tellThoughts(): { tell: (text: string) => void; end: () => void } {
    let open = false
    return {
      tell: (text) => {
        if (!open) this.emit({ type: 'reasoning-start' })
        open = true
        this.emit({ type: 'reasoning-delta', text })
      },
      end: () => {
        if (open) this.emit({ type: 'reasoning-end' })
        open = false
      },
    }
  }

  /** Leaves out old turns when the conversation nearly fills the model's window. */
  private async makeRoom(context: ContextOptions): Promise<void> {
    const { window, keep = 4, summarise = false } = context
    for (let last = keep; isNearlyFull(this.state, context); last = Math.floor(last / 2)) {
      const { before, removed, after } = partMessages(this.state, Math.max(1, last))
      if (removed.length > 0) {
        const text = summarise ? await this.summarise(removed) : ''
        const note = text === '' ? leftOut(this.state.leftOut + removed.length) : summary(text)
        this.emit({ type: 'compaction', removed: removed.length, messages: [...before, note, ...after] })
      }
      if (last > 1) continue
      if (tokensOf(this.state) < window) return
      throw new Stop({ kind: 'limit', limit: 'context', most: window })
    }
  }

  private async summarise(removed: readonly Message[]): Promise<string> {
    const silent = () => ({ push() {}, end() {} })
    const { reply, cut } = await this.ask(silent, { messages: askForSummary(removed) })
    return cut ? '' : withoutThoughts(reply.text)
  }
}

type KeptReply = ModelReply & { readonly asked: string }

/** A message is part of every question behind it, and looked at once. */
const hashes = new WeakMap<Message, number>()

function hashOf(message: Message): number {
  const known = hashes.get(message)
  if (known !== undefined) return known
  const { role, content } = message
  const text =
    typeof content === 'string'
      ? content
      : content.map((part) => (part.type === 'text' ? part.text : part.mediaType)).join('\n')
  const hash = hashText(text, role.length)
  hashes.set(message, hash)
  return hash
}

/** By which it is recognised that something else is asked than was. */
const fingerprint = (messages: readonly Message[]): string =>
  hashText(messages.map(hashOf).join(' ')).toString(36)

/** What is asked beside the conversation cannot be made shorter: whether it fits is all there is to know. */
function checkSize(messages: readonly Message[], { window }: ContextOptions): void {
  if (estimate(messages) > window) throw new Stop({ kind: 'limit', limit: 'context', most: window })
}
