import type { Json } from '../../agent/durable.ts'
import type { WorkflowLimits } from '../../agentfile/run/workflow-options.ts'
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

/** As a workflow takes them: people say seconds. */
export function workflowLimits({
  limits: { time, ...rest },
}: Pick<Settings, 'limits'>): Partial<WorkflowLimits> {
  return { ...rest, ...(time !== undefined && { time: Math.round(time * 1000) }) }
}

export const settingsToJson = (settings: Settings): Record<string, Json> =>
  JSON.parse(JSON.stringify(settings))

export const settingsFromJson = (kept: Readonly<Record<string, Json>>): Settings =>
  kept as unknown as Settings
