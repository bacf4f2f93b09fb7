import { gatherTools } from '../../agent/tools/gather-tools.ts'
import { loadModel, type ModelSource } from '../../model/load-model.ts'
import type { Budget } from './budget.ts'
import { type Crew, defaultSpawn } from './crew.ts'
import type { Program } from './program.ts'
import type { WorkflowEvent } from './workflow-event.ts'
import type { WorkflowOptions } from './workflow-options.ts'

/** SECURITY paranoid: a person sees every call, and nobody is spawned. */
function guarded(security: Program['security'], options: WorkflowOptions): WorkflowOptions {
  if (security?.mode !== 'paranoid') return options
  return { ...options, approval: options.approval === 'deny' ? 'deny' : 'ask', spawn: false }
}

/** Opens the models and tools of a run, or of a part of it. */
export async function makeCrew(
  given: WorkflowOptions,
  security: Program['security'],
  budget: Budget,
  signal: AbortSignal,
  emit: (event: WorkflowEvent) => void,
): Promise<Crew> {
  const {
    profiles = {},
    goalLimits,
    reasks = 2,
    spawn = false,
    judge,
    model,
    tools,
    limits: _,
    ...agent
  } = guarded(security, given)
  const models = new Map<string, ReturnType<Crew['modelFor']>>()
  const open = async (source: ModelSource | undefined) => {
    const loaded = await loadModel(source)
    return { name: typeof source === 'string' ? source : loaded.modelId, model: loaded }
  }
  return {
    modelFor(profile = '') {
      const source = profile === '' ? model : profiles[profile]
      const known = models.get(profile) ?? open(source)
      models.set(profile, known)
      return known
    },
    tools: tools === undefined ? [] : await gatherTools(tools),
    agent: { ...agent, limits: goalLimits },
    reasks,
    spawn: spawn === false ? undefined : { ...defaultSpawn, ...(spawn === true ? {} : spawn) },
    judge,
    budget,
    signal,
    emit,
  }
}
