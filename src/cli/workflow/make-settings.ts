import { chooseModel } from '../choose-model.ts'
import { loadConfig } from '../load-config.ts'
import type { Settings } from './settings.ts'

/** What the commands that run workflows can be told. */
export interface SettingOptions {
  readonly model?: string
  readonly profile: Readonly<Record<string, string>>
  readonly tools: readonly string[]
  readonly spawn?: true
  readonly maxTurns?: number
  readonly maxTokens?: number
  readonly maxCost?: number
  readonly maxTime?: number
  readonly concurrency?: number
}

/** What the command was told counts more than what the file says; a run that is taken up again goes on as it was. */
export function makeSettings(options: SettingOptions, before?: Settings): Settings {
  const config = loadConfig({ cwd: process.cwd() })
  const chosen = before && options.model === undefined ? before : named(options, config)
  const { maxTurns, maxTokens, maxCost, maxTime, concurrency } = options
  const prices = before?.prices ?? config.prices
  return {
    model: chosen.model,
    from: chosen.from,
    profiles: { ...(before?.profiles ?? config.profiles), ...options.profile },
    tools: options.tools.length > 0 ? options.tools : (before?.tools ?? config.tools ?? []),
    spawn: options.spawn ?? before?.spawn ?? config.spawn ?? false,
    limits: {
      // A run that came to a limit goes on with what is allowed now.
      ...before?.limits,
      ...config.limits,
      ...(maxTurns && { turns: maxTurns }),
      ...(maxTokens && { tokens: maxTokens }),
      ...(maxCost && { cost: maxCost }),
      ...(maxTime && { time: maxTime }),
      ...(concurrency && { concurrency }),
    },
    goalLimits: { ...before?.goalLimits, ...config.goalLimits },
    ...(prices && { prices }),
  }
}

function named({ model }: SettingOptions, config: ReturnType<typeof loadConfig>) {
  const { source, from } = chooseModel(model, process.env, config)
  return { model: String(source), from }
}
