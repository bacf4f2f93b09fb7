import type { Model } from '../../model/model.ts'
import { createWorkflow, type WorkflowRunner } from './create-workflow.ts'
import type { Program } from './program.ts'
import type { WorkflowOptions } from './workflow-options.ts'

/** With whom a run was carried out, as far as those can know who only look at it. */
export interface SilentOptions
  extends Pick<WorkflowOptions, 'tools' | 'spawn' | 'goalLimits' | 'approval' | 'approve' | 'judge'> {
  /** The names of models. */
  readonly model: string
  readonly profiles: Readonly<Record<string, string>>
}

/** A workflow that asks no model: all that was said is kept, or comes from elsewhere. Without people it waits for them. */
export function silentWorkflow(program: Program, options: SilentOptions): WorkflowRunner {
  const { model, profiles, ...rest } = options
  return createWorkflow(program, {
    approve: () => 'later',
    ...rest,
    model: silentModel(model),
    profiles: Object.fromEntries(Object.entries(profiles).map(([name, one]) => [name, silentModel(one)])),
    retries: 0,
  })
}

/** Says nothing: all that was said is kept. */
function silentModel(name: string): Model {
  const refuse = async (): Promise<never> => {
    throw new Error('this question was not asked when the run was recorded')
  }
  return {
    specificationVersion: 'v4',
    provider: 'recorded',
    modelId: name,
    supportedUrls: {},
    doGenerate: refuse,
    doStream: refuse,
  }
}
