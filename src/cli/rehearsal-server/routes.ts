import type { Exchange } from './exchange.ts'
import type { ServedModels } from './language-model.ts'
import {
  ollamaRunning,
  ollamaShow,
  ollamaTags,
  ollamaVersion,
  openAiModelById,
  openAiModels,
} from './model-lists.ts'
import { ollamaChat } from './ollama-chat.ts'
import { ollamaGenerate } from './ollama-generate.ts'
import { openAiChat } from './openai-chat.ts'
import { openAiCompletions } from './openai-completions.ts'
import { RequestError } from './request-error.ts'

type Endpoint = (exchange: Exchange, models: ServedModels) => void | Promise<void>

interface Route {
  readonly method: 'GET' | 'POST'
  readonly endpoint: Endpoint
}

const routes: ReadonlyMap<string, Route> = new Map([
  ['/', { method: 'GET', endpoint: greeting }],
  ['/v1/chat/completions', { method: 'POST', endpoint: openAiChat }],
  ['/v1/completions', { method: 'POST', endpoint: openAiCompletions }],
  ['/v1/models', { method: 'GET', endpoint: openAiModels }],
  ['/api/chat', { method: 'POST', endpoint: ollamaChat }],
  ['/api/generate', { method: 'POST', endpoint: ollamaGenerate }],
  ['/api/tags', { method: 'GET', endpoint: ollamaTags }],
  ['/api/ps', { method: 'GET', endpoint: ollamaRunning }],
  ['/api/show', { method: 'POST', endpoint: ollamaShow }],
  ['/api/version', { method: 'GET', endpoint: ollamaVersion }],
])

const modelById: Route = { method: 'GET', endpoint: openAiModelById }

/** Paths that people try and that are not served, with what to do instead. */
const absent: ReadonlyMap<string, string> = new Map([
  [
    '/v1/responses',
    'the Responses API is not served; use chat completions (with @ai-sdk/openai: openai.chat(name))',
  ],
  ['/v1/messages', "Anthropic's API is not served; use POST /v1/chat/completions"],
  ['/v1/embeddings', 'the rehearsal model makes no embeddings'],
  ['/api/embed', 'the rehearsal model makes no embeddings'],
  ['/api/embeddings', 'the rehearsal model makes no embeddings'],
  ['/chat/completions', 'the base URL of the client needs /v1 at its end'],
])

/** The endpoint of a path; throws what is to be answered if there is none. */
export function endpointOf(method: string, path: string): Endpoint {
  const route = routes.get(path) ?? (/^\/v1\/models\/./.test(path) ? modelById : undefined)
  if (!route) {
    const words = absent.get(path) ?? `there is no such path; there are ${[...routes.keys()].join(', ')}`
    throw new RequestError(404, words, { code: 'unknown_url' })
  }
  // HEAD is GET without a body.
  if (method === route.method || (method === 'HEAD' && route.method === 'GET')) return route.endpoint
  const allow = route.method === 'GET' ? 'GET, HEAD' : route.method
  throw new RequestError(405, `this path takes ${route.method}, not ${method}`, { allow })
}

function greeting(exchange: Exchange, { names }: ServedModels): void {
  exchange.sendText(`This is the rehearsal model of legible: it is no language model, but writes like one, offline.

OpenAI    POST /v1/chat/completions, /v1/completions; GET /v1/models. The base URL ends in /v1; any key will do.
Ollama    POST /api/chat, /api/generate, /api/show; GET /api/tags
Models    ${names.join(', ')}
`)
}
