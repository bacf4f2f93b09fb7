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
import { noUsage, type Usage, usageOf } from './usage.ts'

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
export interface NativeCall {
  readonly id: string
  readonly name: string
  readonly input: string
}

/** What a model said: plain data, so that it can be kept and read again. */
export interface ModelReply {
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
    const asked = unlessAborted(signal, (async () => model.doStream(options))())
    const { stream } = await fromProvider(asked, reply)
    reader = stream.getReader()
    for (;;) {
      const { done, value } = await fromProvider(reader.read(), reply)
      signal.throwIfAborted()
      if (done) return reply.end()
      reply.add(value)
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
  private finish: { reason: FinishReason; usage: Usage } | undefined
  private readonly question: Question

  constructor(question: Question) {
    this.question = question
  }

  add(part: LanguageModelV4StreamPart): void {
    switch (part.type) {
      case 'text-delta':
        this.text += part.delta
        if (part.delta !== '') this.question.onText?.(part.delta)
        break
      case 'reasoning-delta':
        this.reasoning += part.delta
        if (part.delta !== '') this.question.onReasoning?.(part.delta)
        break
      case 'tool-call':
        this.calls.push({ id: part.toolCallId, name: part.toolName, input: part.input })
        break
      case 'error':
        throw new ModelError(part.error, this.text)
      case 'finish':
        this.finish = { reason: this.reasonOf(part.finishReason), usage: usageOf(part.usage) }
        break
    }
    if (this.text.length + this.reasoning.length > MOST_CHARACTERS)
      throw new ModelError(new Error(`the reply is longer than ${MOST_CHARACTERS} characters`), this.text)
  }

  /**
   * A stream that ends without a reason was cut somewhere on its way, perhaps in the middle of a call. A reason that the
   * provider's package does not know is one all the same.
   */
  private reasonOf({ unified, raw }: LanguageModelV4FinishReason): FinishReason {
    if (unified === 'error' || unified === 'interrupted')
      throw new ModelError(new Error(`the provider ended the reply with "${raw ?? unified}"`), this.text)
    if (unified !== 'other') return unified
    if (!raw) throw new ModelError(new Error('the stream ended before the reply did'), this.text)
    return /length|max|limit/i.test(raw) ? 'length' : 'stop'
  }

  end(): ModelReply {
    if (!this.finish) throw new ModelError(new Error('the stream ended before the reply did'), this.text)
    const { text, reasoning, calls, finish } = this
    return { text, reasoning, calls, finish: finish.reason, usage: finish.usage ?? noUsage }
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
