import {
  APICallError,
  type LanguageModelV4,
  type LanguageModelV4CallOptions,
  type LanguageModelV4FinishReason,
  type LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { LegibleError } from '../../core/legible-error.ts'
import { cutText } from './cut-text.ts'
import { type PlayedReply, playStream, playWhole } from './play-reply.ts'
import type { PlayedContent } from './played-content.ts'

/** One part of a scripted reply: text, reasoning, or a call by means of the API. */
export type ScriptedPart =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'reasoning'; readonly text: string }
  | {
      readonly type: 'tool-call'
      readonly toolName: string
      /** The arguments; a string is taken to be their JSON, right or wrong. */
      readonly input: unknown
      /** Made up from the place in the script unless given. */
      readonly toolCallId?: string
    }

export interface ScriptedError {
  /** As of an HTTP response. 408, 409, 429 and 500 and above can be tried again. Without it, the connection was lost. */
  readonly status?: number
  readonly message?: string
  readonly headers?: Readonly<Record<string, string>>
  /** How many characters arrive before it; 0 unless said otherwise. */
  readonly after?: number
  /** It comes as a part of the stream, which then ends, and not as a failure of the stream. */
  readonly asPart?: boolean
}

export interface ScriptedReply {
  readonly text?: string
  /** All that the reply says, in order; behind `text` if there is one. */
  readonly content?: readonly ScriptedPart[]
  /** `tool-calls` if there are calls, `stop` otherwise, unless given. */
  readonly finishReason?: LanguageModelV4FinishReason['unified']
  /** What is thrown, or an error as an API gives it. */
  readonly error?: ScriptedError | Error
  /** The deltas in which the text arrives. They must add up to it; without them it is cut into pieces of `chunk`. */
  readonly chunks?: readonly string[]
  /** Milliseconds before each delta. */
  readonly delay?: number
  readonly usage?: { readonly input?: number; readonly output?: number }
}

export interface ScriptedOptions {
  readonly modelId?: string
  /** How many characters a delta has; 4 unless said otherwise. */
  readonly chunk?: number
  readonly delay?: number
}

export interface ScriptedModel extends LanguageModelV4 {
  /** What it was asked, in order. */
  readonly calls: readonly LanguageModelV4CallOptions[]
}

export type Script =
  | readonly (string | ScriptedReply)[]
  | ((call: LanguageModelV4CallOptions, index: number) => string | ScriptedReply)

/** A model that says what it is told to, reply by reply, and remembers what it was asked: for tests of loops. */
export function scriptedModel(replies: Script, options: ScriptedOptions = {}): ScriptedModel {
  const { modelId = 'scripted', chunk = 4, delay = 0 } = options
  const calls: LanguageModelV4CallOptions[] = []
  const next = (call: LanguageModelV4CallOptions): PlayedReply => {
    const index = calls.length
    calls.push(call)
    const reply = typeof replies === 'function' ? replies(call, index) : replies[index]
    if (reply === undefined)
      throw new LegibleError(
        'model.script_ended',
        typeof replies === 'function'
          ? `The script has no reply to call ${index + 1}.`
          : `The script has ${replies.length} replies, and this is call ${index + 1}.`,
      )
    return playedReply(typeof reply === 'string' ? { text: reply } : reply, { index, chunk, delay })
  }
  return {
    specificationVersion: 'v4',
    provider: 'legible',
    modelId,
    supportedUrls: {},
    calls,
    doGenerate: async (call) => playWhole(next(call), { modelId, options: call }),
    doStream: async (call) => playStream(next(call), { modelId, options: call }),
  }
}

function playedReply(
  reply: ScriptedReply,
  { index, chunk, delay }: { index: number; chunk: number; delay: number },
): PlayedReply {
  const { text, chunks, usage, error } = reply
  const said = text ?? chunks?.join('')
  const parts: ScriptedPart[] = [
    ...(said ? [{ type: 'text' as const, text: said }] : []),
    ...(reply.content ?? []),
  ]
  if (text !== undefined && chunks && chunks.join('') !== text)
    throw new LegibleError('model.invalid_script', 'The chunks of a reply must add up to its text.')
  const content = parts.map(
    (part, i): PlayedContent =>
      part.type === 'tool-call'
        ? {
            type: 'tool-call',
            toolCallId: part.toolCallId ?? `call_${index + 1}_${i + 1}`,
            toolName: part.toolName,
            input: typeof part.input === 'string' ? part.input : (JSON.stringify(part.input) ?? '{}'),
          }
        : part,
  )
  const calls = content.some(({ type }) => type === 'tool-call')
  return {
    content,
    finish: reply.finishReason ?? (calls ? 'tool-calls' : 'stop'),
    usage: usage && usageOf(usage.input ?? 0, usage.output ?? 0),
    cut: (whole) => (chunks && whole === said ? chunks : cutText(whole, () => chunk)),
    delay: reply.delay ?? delay,
    failure: error && {
      error: error instanceof Error ? error : apiError(error),
      after: error instanceof Error ? 0 : (error.after ?? 0),
      asPart: !(error instanceof Error) && (error.asPart ?? false),
    },
  }
}

function usageOf(input: number, output: number): LanguageModelV4Usage {
  return {
    inputTokens: { total: input, noCache: input, cacheRead: 0, cacheWrite: 0 },
    outputTokens: { total: output, text: output, reasoning: 0 },
  }
}

function apiError({ status, message, headers }: ScriptedError): APICallError {
  return new APICallError({
    message: message ?? (status === undefined ? 'The connection was reset.' : `HTTP ${status}`),
    url: 'scripted:',
    requestBodyValues: {},
    ...(status === undefined ? { isRetryable: true } : { statusCode: status }),
    ...(headers && { responseHeaders: { ...headers } }),
  })
}
