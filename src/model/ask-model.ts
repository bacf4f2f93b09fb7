import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { toJsonSchema } from '../schema/to-json-schema.ts'
import type { Tool } from '../tool/tool.ts'
import type { Message } from './message.ts'
import { ModelError } from './model-error.ts'
import { toPrompt } from './to-prompt.ts'
import { unlessAborted } from './unless-aborted.ts'
import { type Usage, usageOf } from './usage.ts'

/** What the model is told beside the conversation. */
export type ModelSettings = Pick<
  LanguageModelV4CallOptions,
  | 'maxOutputTokens'
  | 'temperature'
  | 'topP'
  | 'topK'
  | 'presencePenalty'
  | 'frequencyPenalty'
  | 'stopSequences'
  | 'seed'
  | 'providerOptions'
  | 'headers'
>

/** Why a reply ended. Whatever else a provider says is one of these, or an error. */
export type FinishReason = 'stop' | 'tool-calls' | 'length' | 'content-filter'

/** A call that the provider has read itself: `input` is JSON, as it came. */
export type NativeCall = {
  readonly id: string
  readonly name: string
  readonly input: string
}

/** What a model said: plain data, so that it can be kept and read again. */
export type ModelReply = {
  readonly text: string
  /** Reasoning that the provider sent apart from the text. */
  readonly reasoning: string
  readonly calls: readonly NativeCall[]
  readonly finish: FinishReason
  readonly usage: Usage
}

export interface Question {
  readonly messages: readonly Message[]
  readonly settings?: ModelSettings | undefined
  /** For calls by the provider's own means; absent: the model gets text alone. */
  readonly tools?: readonly Tool[] | undefined
  readonly signal: AbortSignal
  readonly onText?: (text: string) => void
  readonly onReasoning?: (text: string) => void
}

/** Replies longer than this are broken off: a model that never stops must not take all memory. */
const MOST_CHARACTERS = 16 * 1024 * 1024

/**
 * Asks a model once, and gives what it said when it has said it. Rejects with a ModelError when the provider fails or
 * breaks off, and with the signal's reason when it is aborted: also when the provider pays no heed to the signal.
 */
export async function askModel(model: LanguageModelV4, question: Question): Promise<ModelReply> {
  const { messages, settings, tools, signal } = question
  signal.throwIfAborted()
  const reply = new ReplyInParts(question)
  let reader: ReadableStreamDefaultReader<LanguageModelV4StreamPart> | undefined
  // Ends a read that is waiting, whatever the provider does.
  const onAbort = () => reader?.cancel(signal.reason).catch(() => {})
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    const options: LanguageModelV4CallOptions = {
      ...settings,
      prompt: toPrompt(messages, tools !== undefined),
      ...(tools && { tools: tools.map(toFunctionTool), toolChoice: { type: 'auto' } }),
      abortSignal: signal,
    }
    const asked = (async () => (await model.doStream(options)).stream.getReader())()
    // Who comes too late is sent away.
    asked.then((late) => (signal.aborted ? late.cancel(signal.reason) : undefined)).catch(() => {})
    reader = await fromProvider(unlessAborted(signal, asked), reply)
    for (let count = 1; ; count++) {
      const { done, value } = await fromProvider(reader.read(), reply)
      signal.throwIfAborted()
      // Some streams stay open after the end of the reply.
      if (done || reply.add(value)) return reply.end()
      // A stream that never waits would keep clocks and signals from coming through.
      if (count % 4096 === 0) await new Promise((resolve) => setTimeout(resolve))
    }
  } catch (cause) {
    reader?.cancel(cause).catch(() => {})
    throw signal.aborted ? signal.reason : cause
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/** What goes wrong here is the provider's: not what a reader of the text may throw. */
const fromProvider = <T>(promise: Promise<T>, reply: ReplyInParts): Promise<T> =>
  promise.catch((cause) => {
    throw new ModelError(cause, reply.text)
  })

/** Collects what arrives. */
class ReplyInParts {
  text = ''
  private reasoning = ''
  private readonly calls: NativeCall[] = []
  private inputs = 0
  private finish: { reason: FinishReason; usage: Usage } | undefined
  private readonly question: Question

  constructor(question: Question) {
    this.question = question
  }

  /** Whether that was the end. */
  add(part: LanguageModelV4StreamPart): boolean {
    switch (part?.type) {
      case 'text-delta': {
        const delta = this.textIn(part.delta)
        this.text += delta
        if (delta !== '') this.question.onText?.(delta)
        break
      }
      case 'reasoning-delta': {
        const delta = this.textIn(part.delta)
        this.reasoning += delta
        if (delta !== '') this.question.onReasoning?.(delta)
        break
      }
      case 'tool-call': {
        const input = this.textIn(part.input)
        this.calls.push({ id: this.textIn(part.toolCallId), name: this.textIn(part.toolName), input })
        this.inputs += input.length
        break
      }
      case 'error':
        throw new ModelError(part.error, this.text)
      case 'finish':
        this.finish = { reason: this.reasonOf(part.finishReason ?? {}), usage: usageOf(part.usage ?? {}) }
        return true
    }
    if (this.text.length + this.reasoning.length + this.inputs > MOST_CHARACTERS)
      throw new ModelError(new Error(`the reply is longer than ${MOST_CHARACTERS} characters`), this.text)
    return false
  }

  /** A provider is a program of somebody else: its parts may be anything. */
  private textIn(given: unknown): string {
    if (typeof given === 'string') return given
    throw new ModelError(
      new Error(`a part of the reply holds ${typeof given} in the place of text`),
      this.text,
    )
  }

  /**
   * A stream that ends without a reason was cut somewhere on its way, perhaps in the middle of a call. A reason that the
   * provider's package does not know is one all the same.
   */
  private reasonOf({ unified = 'other', raw }: Partial<LanguageModelV4FinishReason>): FinishReason {
    if (unified === 'error' || unified === 'interrupted')
      throw new ModelError(new Error(`the provider ended the reply with "${raw ?? unified}"`), this.text)
    if (unified !== 'other') return unified
    if (!raw) throw new ModelError(new Error('the stream ended before the reply did'), this.text)
    return /length|max|limit/i.test(raw) ? 'length' : 'stop'
  }

  end(): ModelReply {
    if (!this.finish) throw new ModelError(new Error('the stream ended before the reply did'), this.text)
    const { text, reasoning, calls, finish } = this
    return { text, reasoning, calls, finish: finish.reason, usage: finish.usage }
  }
}

function toFunctionTool({ name, description, input }: Tool): LanguageModelV4FunctionTool {
  const inputSchema = input === undefined ? { type: 'object', properties: {} } : toJsonSchema(input)
  return {
    type: 'function',
    name,
    description,
    inputSchema: inputSchema as LanguageModelV4FunctionTool['inputSchema'],
  }
}
