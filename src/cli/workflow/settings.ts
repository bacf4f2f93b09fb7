import type { Json } from '../../agent/durable.ts'
import type { Config } from '../load-config.ts'

/** How a run is carried out, as plain data: it is kept with the run, so that it goes on in the same way. */
export interface Settings {
  readonly model: string
  /** Why it is this model. */
  readonly from: string
  readonly profiles: Readonly<Record<string, string>>
  readonly tools: readonly string[]
  readonly spawn: boolean
  readonly limits: NonNullable<Config['limits']>
  readonly goalLimits: NonNullable<Config['goalLimits']>
  readonly prices?: Config['prices']
}

export const settingsToJson = (settings: Settings): Record<string, Json> =>
  JSON.parse(JSON.stringify(settings))

export const settingsFromJson = (kept: Readonly<Record<string, Json>>): Settings =>
  kept as unknown as Settings
