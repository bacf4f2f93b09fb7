import type { Exchange } from './exchange.ts'
import type { ServedModels } from './language-model.ts'
import { readOllamaMessages } from './ollama-messages.ts'
import { answerAsOllama, type OllamaLine } from './ollama-reply.ts'
import { readOllamaSettings } from './ollama-request.ts'
import { startReply } from './reply-events.ts'
import { sendLoaded } from './send-loaded.ts'
import { servedModel } from './served-model.ts'

/** `POST /api/chat` */
export async function ollamaChat(exchange: Exchange, models: ServedModels): Promise<void> {
  const since = performance.now()
  const body = await exchange.readBody()
  const model = exchange.nameModel(body)
  const stream = body.flag('stream') ?? true
  const messages = body.objects('messages') ?? []
  if (messages.length === 0) return sendLoaded(exchange, models, wording({}))
  const options = readOllamaSettings(body, readOllamaMessages(messages))
  const events = await startReply(servedModel(models, model), options, exchange.signal)
  await answerAsOllama(exchange, { model, stream, since, events, wording })
}

const wording = ({ content = '', thinking, calls = [] }: OllamaLine): object => ({
  message: {
    role: 'assistant',
    content,
    ...(thinking !== undefined && { thinking }),
    ...(calls.length > 0 && { tool_calls: calls }),
  },
})
