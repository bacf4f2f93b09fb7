import type { LanguageModel, ServedModels } from './language-model.ts'
import { RequestError } from './request-error.ts'

/** The model of this name; throws what is to be answered if there is none. */
export function servedModel(models: ServedModels, name: string): LanguageModel {
  const model = models.modelOf(name)
  if (model) return model
  const message = `model '${name.slice(0, 100)}' not found; there are ${models.names.join(', ')}`
  throw new RequestError(404, message, { param: 'model', code: 'model_not_found' })
}
