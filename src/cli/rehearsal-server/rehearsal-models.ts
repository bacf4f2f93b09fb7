import { type RehearsalDamage, rehearsalDamages } from '../../model/rehearsal/rehearsal-damages.ts'
import { type RehearsalOptions, rehearsalModel } from '../../model/rehearsal/rehearsal-model.ts'
import type { LanguageModel, ServedModels } from './language-model.ts'

/** How many models are kept, so that one that broke off once knows that it did. */
const MAX_KEPT = 200

/** Longer names are none. */
const MAX_NAME = 200

const NAME = 'rehearsal'

/** The rehearsal model by its names: a client chooses the damage by what it asks for. */
export function rehearsalModels(options: RehearsalOptions = {}): ServedModels {
  const kept = new Map<string, LanguageModel>()
  return {
    names: [NAME, ...rehearsalDamages.map((damage) => `${NAME}+${damage}`)],
    modelOf(name) {
      const damage = damagesOf(name)
      if (!damage) return undefined
      const key = damage.join('+')
      const model = kept.get(key) ?? rehearsalModel(key === '' ? options : { ...options, damage })
      // The one that was used last stands last.
      kept.delete(key)
      kept.set(key, model)
      if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value as string)
      return model
    },
  }
}

/** `rehearsal+fence+reasoning` → what damages it; nothing if the name is another. Ollama's tools add `:latest`. */
export function damagesOf(name: string): RehearsalDamage[] | undefined {
  if (name.length > MAX_NAME) return undefined
  const [first, ...rest] = name.replace(/:latest$/, '').split('+')
  const known = rest.flatMap((word) => rehearsalDamages.find((damage) => damage === word) ?? [])
  return first === NAME && known.length === rest.length ? known : undefined
}
