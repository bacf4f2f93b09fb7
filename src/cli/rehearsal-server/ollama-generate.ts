import type { Exchange } from './exchange.ts'
import type { Prompt, ServedModels } from './language-model.ts'
import { userContent } from './ollama-messages.ts'
import { answerAsOllama, type OllamaLine } from './ollama-reply.ts'
import { readOllamaSettings } from './ollama-request.ts'
import { startReply } from './reply-events.ts'
import { sendLoaded } from './send-loaded.ts'
import { servedModel } from './served-model.ts'

/** `POST /api/generate` */
export async function ollamaGenerate(exchange: Exchange, models: ServedModels): Promise<void> {
  const since = performance.now()
  const body = await exchange.readBody()
  const model = exchange.nameModel(body)
  const stream = body.flag('stream') ?? true
  const text = body.text('prompt') ?? ''
  if (text === '') return sendLoaded(exchange, models, wording({}))
  const system = body.text('system')
  const prompt: Prompt = [{ role: 'user', content: userContent(text, body) }]
  if (system) prompt.unshift({ role: 'system', content: system })
  const options = readOllamaSettings(body, prompt)
  const events = await startReply(servedModel(models, model), options, exchange.signal)
  await answerAsOllama(exchange, { model, stream, since, events, wording })
}

const wording = ({ content = '', thinking }: OllamaLine): object => ({
  response: content,
  ...(thinking !== undefined && { thinking }),
})
