import { createHash } from 'node:crypto'
import type { Exchange } from './exchange.ts'
import type { ServedModels } from './language-model.ts'
import { servedModel } from './served-model.ts'

// The models are as old as the epoch: they do not change.
const CREATED = 0
const MODIFIED = new Date(CREATED).toISOString()

const openAiModel = (id: string) => ({ id, object: 'model', created: CREATED, owned_by: 'legible' })

/** `GET /v1/models` */
export function openAiModels(exchange: Exchange, { names }: ServedModels): void {
  exchange.sendJson(200, { object: 'list', data: names.map(openAiModel) })
}

/** `GET /v1/models/:id` */
export function openAiModelById(exchange: Exchange, models: ServedModels): void {
  const name = decoded(exchange.path.slice('/v1/models/'.length))
  servedModel(models, name)
  exchange.sendJson(200, openAiModel(name))
}

const details = {
  parent_model: '',
  format: 'rehearsal',
  family: 'rehearsal',
  families: ['rehearsal'],
  parameter_size: '0',
  quantization_level: '',
}

/** `GET /api/tags` */
export function ollamaTags(exchange: Exchange, { names }: ServedModels): void {
  const models = names.map((name) => ({
    name,
    model: name,
    modified_at: MODIFIED,
    size: 0,
    digest: createHash('sha256').update(name).digest('hex'),
    details,
  }))
  exchange.sendJson(200, { models })
}

/** `GET /api/ps`: nothing takes up memory. */
export function ollamaRunning(exchange: Exchange): void {
  exchange.sendJson(200, { models: [] })
}

/** `POST /api/show` */
export async function ollamaShow(exchange: Exchange, models: ServedModels): Promise<void> {
  const body = await exchange.readBody()
  const name = body.text('model') ?? body.need('model', body.text('name'))
  exchange.model = name
  servedModel(models, name)
  exchange.sendJson(200, {
    modelfile: `FROM ${name}\n`,
    parameters: '',
    template: '{{ .Prompt }}',
    details,
    model_info: { 'general.architecture': 'rehearsal', 'rehearsal.context_length': 131_072 },
    capabilities: ['completion', 'tools', 'thinking', 'vision'],
    modified_at: MODIFIED,
  })
}

/** `GET /api/version`: there are clients that refuse an old Ollama, so it is newer than any. */
export function ollamaVersion(exchange: Exchange): void {
  exchange.sendJson(200, { version: '99.0.0-rehearsal' })
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}
