import { isRecord } from '../../core/is-record.ts'
import type { Exchange } from './exchange.ts'
import type { Finish } from './language-model.ts'
import type { ReplyCall, ReplyEvent } from './reply-events.ts'
import { wholeReply } from './reply-events.ts'
import { jsonLines } from './stream-formats.ts'

/** One line of Ollama's answer, as its two endpoints write it in different words. */
export interface OllamaLine {
  readonly content?: string
  readonly thinking?: string
  readonly calls?: readonly object[]
}

interface OllamaAnswer {
  readonly model: string
  readonly stream: boolean
  /** When the request came, by `performance.now()`. */
  readonly since: number
  readonly events: AsyncIterable<ReplyEvent>
  wording(line: OllamaLine): object
}

/** The reply of a model as Ollama's chat and generate tell it: line by line, or as one. */
export async function answerAsOllama(exchange: Exchange, answer: OllamaAnswer): Promise<void> {
  const { model, stream, events, since, wording } = answer
  const line = (content: OllamaLine, more: object) => ({
    model,
    created_at: new Date().toISOString(),
    ...wording(content),
    ...more,
  })
  if (!stream) {
    const reply = await wholeReply(events)
    if (!reply) return
    const { text, reasoning, calls, finish } = reply
    const told = calls.map(toldCall)
    const content = {
      content: [text, ...told.flatMap((call) => call.content ?? [])].join(''),
      calls: told.flatMap((call) => call.calls ?? []),
      ...(reasoning !== '' && { thinking: reasoning }),
    }
    exchange.sendJson(200, line(content, lastFields(finish, since)))
    return
  }
  const lines = jsonLines(exchange)
  for await (const event of events) {
    if (event.type === 'text') await lines.write(line({ content: event.delta }, { done: false }))
    else if (event.type === 'reasoning') await lines.write(line({ thinking: event.delta }, { done: false }))
    else if (event.type === 'call-end') await lines.write(line(toldCall(event), { done: false }))
    else if (event.type === 'finish') {
      await lines.write(line({}, lastFields(event, since)))
      await lines.end()
    }
  }
}

/** Ollama tells only of calls that it could read; what is none to it stays text. */
function toldCall({ index, id, name, input }: ReplyCall): OllamaLine {
  try {
    const args: unknown = JSON.parse(input)
    if (isRecord(args)) return { calls: [{ id, function: { index, name, arguments: args } }] }
  } catch {
    // It is told as text.
  }
  return { content: `{"name": ${JSON.stringify(name)}, "arguments": ${input}}` }
}

/** What the last line says of the whole: why it ended, and times in nanoseconds. */
function lastFields({ finishReason, usage }: Finish, since: number): object {
  const total = Math.max(1, Math.round((performance.now() - since) * 1e6))
  return {
    done: true,
    done_reason: finishReason.unified === 'length' ? 'length' : 'stop',
    total_duration: total,
    load_duration: 0,
    prompt_eval_count: usage.inputTokens.total ?? 0,
    prompt_eval_duration: 0,
    eval_count: usage.outputTokens.total ?? 0,
    eval_duration: total,
  }
}
