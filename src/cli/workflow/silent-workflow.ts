import { createWorkflow, type WorkflowRunner } from '../../agentfile/run/create-workflow.ts'
import type { Program } from '../../agentfile/run/program.ts'
import type { WorkflowOptions } from '../../agentfile/run/workflow-options.ts'
import type { Model } from '../../model/model.ts'
import type { Tool } from '../../tool/tool.ts'
import type { Settings } from './settings.ts'

interface Silent
  extends Pick<Settings, 'model' | 'profiles'>,
    Pick<WorkflowOptions, 'spawn' | 'goalLimits'> {}

/** A workflow that asks no model: all that was said is kept, or comes from elsewhere. Without people it waits for them. */
export function silentWorkflow(
  program: Program,
  { model, profiles, spawn, goalLimits }: Silent,
  tools: readonly Tool[],
  people: Pick<WorkflowOptions, 'approve' | 'judge'> = {},
): WorkflowRunner {
  return createWorkflow(program, {
    model: silentModel(model),
    profiles: Object.fromEntries(Object.entries(profiles).map(([name, one]) => [name, silentModel(one)])),
    tools,
    spawn,
    goalLimits,
    retries: 0,
    approval: 'ask',
    approve: people.approve ?? (() => 'later'),
    judge: people.judge,
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
