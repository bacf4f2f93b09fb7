import type { Exchange } from './exchange.ts'
import type { ServedModels } from './language-model.ts'
import { servedModel } from './served-model.ts'

/** Who asks Ollama nothing wants the model to be loaded: it always is. */
export function sendLoaded(exchange: Exchange, models: ServedModels, words: object): void {
  const model = exchange.model ?? ''
  servedModel(models, model)
  const created_at = new Date().toISOString()
  exchange.sendJson(200, { model, created_at, ...words, done: true, done_reason: 'load' })
}
