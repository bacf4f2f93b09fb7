import { randomUUID } from 'node:crypto'
import type { Exchange } from './exchange.ts'
import type { ServedModels } from './language-model.ts'
import { readOpenAiMessages } from './openai-messages.ts'
import { readOpenAiChatSettings, readStreaming } from './openai-request.ts'
import { finishReason, openAiUsage } from './openai-words.ts'
import { type ReplyCall, type ReplyEvent, startReply, type WholeReply, wholeReply } from './reply-events.ts'
import { servedModel } from './served-model.ts'
import { serverSentEvents } from './stream-formats.ts'

/** `POST /v1/chat/completions` */
export async function openAiChat(exchange: Exchange, models: ServedModels): Promise<void> {
  const body = await exchange.readBody()
  const model = exchange.nameModel(body)
  const { stream, includeUsage } = readStreaming(body)
  const options = readOpenAiChatSettings(body, readOpenAiMessages(body))
  const events = await startReply(servedModel(models, model), options, exchange.signal)
  const base = { id: `chatcmpl-${randomUUID()}`, created: Math.floor(Date.now() / 1000), model }
  if (stream) return streamChat(exchange, events, base, includeUsage)
  const reply = await wholeReply(events)
  if (reply) exchange.sendJson(200, chatCompletion(reply, base))
}

function chatCompletion(reply: WholeReply, base: object): object {
  const { text, reasoning, calls, finish } = reply
  const message = {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    refusal: null,
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map(toolCall) }),
  }
  return {
    ...base,
    object: 'chat.completion',
    choices: [{ index: 0, message, logprobs: null, finish_reason: finishReason(finish) }],
    usage: openAiUsage(finish),
  }
}

const toolCall = ({ id, name, input }: ReplyCall): object => ({
  id,
  type: 'function',
  function: { name, arguments: input },
})

async function streamChat(
  exchange: Exchange,
  events: AsyncIterable<ReplyEvent>,
  base: object,
  includeUsage: boolean,
): Promise<void> {
  const stream = serverSentEvents(exchange)
  const send = (delta: object, reason: string | null = null) =>
    stream.write({
      ...base,
      object: 'chat.completion.chunk',
      choices: [{ index: 0, delta, logprobs: null, finish_reason: reason }],
      ...(includeUsage && { usage: null }),
    })
  await send({ role: 'assistant', content: '' })
  for await (const event of events) {
    if (event.type === 'text') await send({ content: event.delta })
    else if (event.type === 'reasoning') await send({ reasoning_content: event.delta })
    else if (event.type === 'call-start') await send({ tool_calls: [callStart(event)] })
    else if (event.type === 'call-delta') {
      const { index, delta } = event
      await send({ tool_calls: [{ index, function: { arguments: delta } }] })
    } else if (event.type === 'finish') {
      await send({}, finishReason(event))
      if (includeUsage)
        await stream.write({
          ...base,
          object: 'chat.completion.chunk',
          choices: [],
          usage: openAiUsage(event),
        })
      await stream.end()
    }
  }
}

const callStart = ({ index, id, name }: Omit<ReplyCall, 'input'>): object => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: '' },
})
