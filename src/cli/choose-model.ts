import { LegibleError } from '../core/legible-error.ts'
import { loadModel } from '../model/load-model.ts'
import type { Model } from '../model/model.ts'
import type { Config } from './load-config.ts'
import { UsageError } from './usage-error.ts'

/** A model, and where it was asked for: by an option, by a variable, in a file, or nowhere. */
export interface ChosenModel {
  readonly source: string
  /** `--model`, `LEGIBLE_MODEL`, the name of the configuration file, or `default`. */
  readonly from: string
}

/** What is nearer to the person who asks counts more. */
export function chooseModel(
  flag: string | undefined,
  env: Readonly<Record<string, string | undefined>>,
  config: Config & { readonly file?: string },
): ChosenModel {
  if (flag !== undefined) return { source: flag, from: '--model' }
  const variable = env.LEGIBLE_MODEL?.trim()
  if (variable) return { source: variable, from: 'LEGIBLE_MODEL' }
  if (config.model !== undefined) return { source: config.model, from: config.file ?? 'default' }
  return { source: 'rehearsal', from: 'default' }
}

/** Throws a UsageError when there is no such model. */
export async function openModel({ source, from }: ChosenModel): Promise<Model> {
  try {
    return await loadModel(source)
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    const where = from === '--model' ? '' : ` (the model is that of ${from})`
    throw new UsageError('cli.invalid_model', `${error.message}${where}`, { cause: error })
  }
}
