import { randomUUID } from 'node:crypto'
import type { Exchange } from './exchange.ts'
import type { Fields } from './fields.ts'
import type { Finish, ServedModels } from './language-model.ts'
import { readOpenAiSettings, readStreaming } from './openai-request.ts'
import { finishReason, openAiUsage } from './openai-words.ts'
import { type ReplyEvent, startReply } from './reply-events.ts'
import { servedModel } from './served-model.ts'
import { serverSentEvents } from './stream-formats.ts'

/** `POST /v1/completions` */
export async function openAiCompletions(exchange: Exchange, models: ServedModels): Promise<void> {
  const body = await exchange.readBody()
  const model = exchange.nameModel(body)
  const { stream, includeUsage } = readStreaming(body)
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: promptText(body) }] }]
  const options = readOpenAiSettings(body, prompt)
  const pieces = textPieces(await startReply(servedModel(models, model), options, exchange.signal))
  const base = {
    id: `cmpl-${randomUUID()}`,
    object: 'text_completion',
    created: Math.floor(Date.now() / 1000),
    model,
  }
  if (stream) return streamCompletion(exchange, pieces, base, includeUsage)
  let text = ''
  for await (const piece of pieces) {
    if (typeof piece === 'string') text += piece
    else
      exchange.sendJson(200, {
        ...base,
        choices: [choice(text, finishReason(piece))],
        usage: openAiUsage(piece),
      })
  }
}

function promptText(body: Fields): string {
  const prompt = body.need('prompt', body.raw('prompt'))
  const [text, ...others] = Array.isArray(prompt) ? prompt : [prompt]
  if (typeof text !== 'string' || others.length > 0)
    throw body.problem('prompt', 'must be one string: neither tokens nor several prompts are served')
  return text
}

const choice = (text: string, reason: string | null): object => ({
  text,
  index: 0,
  logprobs: null,
  finish_reason: reason,
})

/** A completion is plain text: reasoning stands in it with the tags that models put around it. */
async function* textPieces(events: AsyncIterable<ReplyEvent>): AsyncGenerator<string | Finish> {
  let reasoning = false
  for await (const event of events) {
    if (event.type === 'reasoning') {
      if (!reasoning) yield '<think>'
      reasoning = true
      yield event.delta
    } else if (event.type === 'text' || event.type === 'finish') {
      if (reasoning) yield '</think>\n'
      reasoning = false
      yield event.type === 'text' ? event.delta : event
    }
  }
}

async function streamCompletion(
  exchange: Exchange,
  pieces: AsyncIterable<string | Finish>,
  base: object,
  includeUsage: boolean,
): Promise<void> {
  const stream = serverSentEvents(exchange)
  const send = (text: string, reason: string | null) =>
    stream.write({ ...base, choices: [choice(text, reason)], ...(includeUsage && { usage: null }) })
  for await (const piece of pieces) {
    if (typeof piece === 'string') await send(piece, null)
    else {
      await send('', finishReason(piece))
      if (includeUsage) await stream.write({ ...base, choices: [], usage: openAiUsage(piece) })
      await stream.end()
    }
  }
}
