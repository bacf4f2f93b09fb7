import type {
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4GenerateResult,
  LanguageModelV4StreamPart,
  LanguageModelV4StreamResult,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { wait } from '../wait.ts'
import { estimateUsage } from './estimate-usage.ts'
import type { PlayedContent } from './played-content.ts'

/** A reply that is known as a whole before any of it is told. */
export interface PlayedReply {
  readonly content: readonly PlayedContent[]
  readonly finish: LanguageModelV4FinishReason['unified']
  readonly usage?: LanguageModelV4Usage | undefined
  /** How a text is cut into deltas. */
  readonly cut: (text: string) => readonly string[]
  /** Milliseconds before each delta. */
  readonly delay: number
  /** Thrown or told after so many characters. */
  readonly failure?: Failure | undefined
}

interface Failure {
  readonly error: unknown
  readonly after: number
  /** As a part of the stream, which then ends; otherwise the stream itself fails. */
  readonly asPart: boolean
}

interface Asked {
  readonly modelId: string
  readonly options: LanguageModelV4CallOptions
}

// A rehearsal of today and one of tomorrow are the same.
const timestamp = new Date('2026-01-01T00:00:00Z')

/** The reply as a whole. */
export async function playWhole(reply: PlayedReply, asked: Asked): Promise<LanguageModelV4GenerateResult> {
  const { abortSignal } = asked.options
  abortSignal?.throwIfAborted()
  const parts = partsOf(reply, asked)
  if (reply.delay > 0) await wait(reply.delay * parts.filter(isDelta).length, abortSignal)
  if (reply.failure) throw reply.failure.error
  return {
    content: [...reply.content],
    finishReason: { unified: reply.finish, raw: reply.finish },
    usage: reply.usage ?? estimateUsage(asked.options, reply.content),
    warnings: [],
    response: { id: 'rehearsal', timestamp, modelId: asked.modelId },
  }
}

/** The same reply, delta by delta. */
export async function playStream(reply: PlayedReply, asked: Asked): Promise<LanguageModelV4StreamResult> {
  const { abortSignal } = asked.options
  abortSignal?.throwIfAborted()
  const { failure } = reply
  // What fails before the first word fails before there is a stream.
  if (failure && failure.after <= 0 && !failure.asPart) throw failure.error
  const parts = partsOf(reply, asked)
  let at = 0
  let told = 0
  let onAbort: (() => void) | undefined
  const stop = () => onAbort && abortSignal?.removeEventListener('abort', onAbort)
  const stream = new ReadableStream<LanguageModelV4StreamPart>(
    {
      start(controller) {
        onAbort = () => controller.error(abortSignal?.reason)
        abortSignal?.addEventListener('abort', onAbort, { once: true })
      },
      async pull(controller) {
        const part = parts[at++]
        if (!part) {
          stop()
          controller.close()
          return
        }
        if (reply.delay > 0 && isDelta(part)) {
          const went = await wait(reply.delay, abortSignal).catch(() => 'aborted')
          if (went === 'aborted') return
        }
        if (
          failure &&
          (part.type === 'finish' || (isDelta(part) && told + part.delta.length > failure.after))
        ) {
          stop()
          const left = isDelta(part) ? part.delta.slice(0, Math.max(0, failure.after - told)) : ''
          if (left !== '' && isDelta(part)) controller.enqueue({ ...part, delta: left })
          if (!failure.asPart) return controller.error(failure.error)
          controller.enqueue({ type: 'error', error: failure.error })
          return controller.close()
        }
        if (isDelta(part)) told += part.delta.length
        controller.enqueue(part)
      },
      cancel: stop,
    },
    { highWaterMark: 0 },
  )
  return { stream }
}

type Delta = Extract<LanguageModelV4StreamPart, { delta: string }>

const isDelta = (part: LanguageModelV4StreamPart): part is Delta => 'delta' in part

function partsOf(reply: PlayedReply, { modelId, options }: Asked): LanguageModelV4StreamPart[] {
  const parts: LanguageModelV4StreamPart[] = [
    { type: 'stream-start', warnings: [] },
    { type: 'response-metadata', id: 'rehearsal', timestamp, modelId },
  ]
  for (const [i, content] of reply.content.entries()) {
    const id = String(i)
    if (content.type === 'tool-call') {
      const { toolCallId, toolName, input } = content
      parts.push({ type: 'tool-input-start', id: toolCallId, toolName })
      for (const delta of reply.cut(input)) parts.push({ type: 'tool-input-delta', id: toolCallId, delta })
      parts.push({ type: 'tool-input-end', id: toolCallId }, content)
    } else {
      const { type, text } = content
      parts.push({ type: `${type}-start`, id })
      for (const delta of reply.cut(text)) parts.push({ type: `${type}-delta`, id, delta })
      parts.push({ type: `${type}-end`, id })
    }
  }
  const usage = reply.usage ?? estimateUsage(options, reply.content)
  parts.push({ type: 'finish', usage, finishReason: { unified: reply.finish, raw: reply.finish } })
  return parts
}
