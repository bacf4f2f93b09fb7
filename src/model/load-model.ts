import type { LanguageModelV2, LanguageModelV3, LanguageModelV4 } from '@ai-sdk/provider'
import { LegibleError } from '../core/legible-error.ts'
import { checkBaseUrl, ollamaUrl, withVersion } from './base-url.ts'
import { type Env, keyOf, requiredKey } from './key-of.ts'
import { loadPackage } from './load-package.ts'
import { readModelName } from './read-model-name.ts'
import { readRehearsalSettings } from './read-rehearsal-settings.ts'
import { rehearsalModel } from './rehearsal/rehearsal-model.ts'

/** A model of the AI SDK, or the name of one: `ollama:qwen3`, `openai:…`, `http://127.0.0.1:8080/v1#…`, `rehearsal`. */
export type ModelSource = string | LanguageModelV4 | LanguageModelV3 | LanguageModelV2

export interface LoadModelOptions {
  /** Where keys, addresses and LEGIBLE_MODEL stand; the variables of the process unless said otherwise. */
  readonly env?: Env
  /** What requests are made with, for names: a model that is given has its own. */
  readonly fetch?: typeof globalThis.fetch
}

/**
 * A model that can be asked. Without a source, LEGIBLE_MODEL names it. No request is made: whether there is such a model shows when it is asked.
 */
export async function loadModel(
  source?: ModelSource,
  options: LoadModelOptions = {},
): Promise<LanguageModelV4> {
  const { env = typeof process === 'undefined' ? {} : process.env } = options
  const given = source === undefined ? env.LEGIBLE_MODEL?.trim() || undefined : source
  // A variable that was forgotten must not end in answers that nobody has given.
  if (given === undefined)
    throw new LegibleError(
      'model.none',
      "No model was named: set LEGIBLE_MODEL, or give one. 'rehearsal' plays one, offline.",
    )
  if (typeof given !== 'string') return currentModel(given)
  const model = readModelName(given)
  const network = options.fetch ? { fetch: options.fetch } : {}
  switch (model.kind) {
    case 'rehearsal':
      return rehearsalModel(readRehearsalSettings(model.settings))
    case 'ollama':
      return compatible(model.name, { name: 'ollama', baseURL: ollamaUrl(env.OLLAMA_HOST), ...network })
    case 'url': {
      const apiKey = keyOf(env, 'LEGIBLE_API_KEY')
      const settings = { name: 'openai-compatible', baseURL: model.url, ...(apiKey && { apiKey }) }
      return compatible(model.name, { ...settings, ...network })
    }
    case 'openai':
      return openai(model.name, env, network)
    case 'anthropic':
      return anthropic(model.name, env, network)
  }
}

type Network = Pick<LoadModelOptions, 'fetch'>

async function openai(name: string, env: Env, network: Network): Promise<LanguageModelV4> {
  const apiKey = requiredKey(env, 'OPENAI_API_KEY', 'A model of openai')
  const baseURL = addressIn(env, 'OPENAI_BASE_URL', 'https://api.openai.com/v1')
  const load = () => import('@ai-sdk/openai')
  const { createOpenAI } = await loadPackage('@ai-sdk/openai@4', load, 'A model of openai')
  return createOpenAI({ apiKey, baseURL, ...network }).chat(name)
}

async function anthropic(name: string, env: Env, network: Network): Promise<LanguageModelV4> {
  const apiKey = requiredKey(env, 'ANTHROPIC_API_KEY', 'A model of anthropic')
  const baseURL = withVersion(addressIn(env, 'ANTHROPIC_BASE_URL', 'https://api.anthropic.com'))
  const load = () => import('@ai-sdk/anthropic')
  const { createAnthropic } = await loadPackage('@ai-sdk/anthropic@4', load, 'A model of anthropic')
  return createAnthropic({ apiKey, baseURL, ...network }).chat(name)
}

/** The packages would look into the environment of the process themselves; they get told everything. */
const addressIn = (env: Env, variable: string, otherwise: string) =>
  checkBaseUrl(env[variable]?.trim() || otherwise, variable)

async function compatible(
  name: string,
  settings: { name: string; baseURL: string; apiKey?: string } & Network,
): Promise<LanguageModelV4> {
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  // Usage is what limits are counted by, and streams are silent about it unless asked.
  return createOpenAICompatible({ ...settings, includeUsage: true }).chatModel(name)
}

/** A model of an earlier version of the AI SDK speaks the current one through a wrapper. */
async function currentModel(model: Exclude<ModelSource, string>): Promise<LanguageModelV4> {
  if (typeof model?.doGenerate !== 'function' || typeof model.doStream !== 'function')
    throw new LegibleError(
      'model.invalid',
      'A model is a language model of the AI SDK, or the name of one, as in "ollama:qwen3".',
    )
  if (model.specificationVersion === 'v4') return model
  const { specificationVersion: version } = model
  if (version !== 'v3' && version !== 'v2')
    throw new LegibleError(
      'model.unsupported_version',
      `This model is of version ${String(version).slice(0, 20)} of the AI SDK's interface; v2, v3 and v4 can be used.`,
    )
  const { wrapLanguageModel } = await loadPackage('ai@7', () => import('ai'), `A model of version ${version}`)
  return wrapLanguageModel({ model, middleware: [] })
}
