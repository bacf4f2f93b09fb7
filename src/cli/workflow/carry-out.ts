import type { ApprovalRequest, Verdict } from '../../agent/approval.ts'
import { createWorkflow, type WorkflowRun } from '../../agentfile/run/create-workflow.ts'
import type { Program } from '../../agentfile/run/program.ts'
import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'
import { LegibleError } from '../../core/legible-error.ts'
import type { OpenRun } from '../../durable/run-file.ts'
import { loadModel } from '../../model/load-model.ts'
import type { Tool } from '../../tool/tool.ts'
import { openTools } from '../open-tools.ts'
import { type Guard, openGuard } from '../permission/open-guard.ts'
import { UsageError } from '../usage-error.ts'
import type { Person } from './person.ts'
import type { RunShow } from './run-show.ts'
import { type Settings, workflowLimits } from './settings.ts'

/** All that a run needs besides its file: opened before there is a run, as what is wrong with it is wrong with the command. */
export interface Prepared {
  readonly tools: readonly Tool[]
  readonly guard: Guard
  readonly settings: Settings
  close(): Promise<void>
}

/** Throws a UsageError for models and tools that are not there, and profiles that nobody knows. */
export async function prepare(program: Program, settings: Settings, root: string): Promise<Prepared> {
  const { model, profiles } = settings
  const { tools, close } = await openTools(settings.tools, root)
  try {
    await Promise.all([model, ...Object.values(profiles)].map((name) => loadModel(name)))
    openWorkflow(program, settings)
    const guard = openGuard({ root, isNamed: false, command: 'run', model: () => model })
    return { tools, guard, settings, close }
  } catch (error) {
    await close()
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError('cli.invalid_workflow', error.message, { cause: error })
  }
}

/** Carries out a run, new or taken up again, and keeps how it ended. `person`: who can be asked; without one the run waits. */
export async function carryOut(
  run: OpenRun,
  { tools, guard, settings }: Prepared,
  show: RunShow,
  person: Person | undefined,
): Promise<WorkflowOutcome> {
  const { header } = run.record
  const { permissions, record } = guard
  try {
    const workflow = openWorkflow(header.program, settings, {
      tools,
      permissions,
      record,
      approve: (request: ApprovalRequest, signal: AbortSignal): Promise<Verdict | 'later'> =>
        person ? person.approve(request, tools, permissions, signal) : Promise.resolve('later' as const),
      judge: person && ((request, signal) => person.judge(request, signal)),
    })
    const outcome = await play(
      workflow.start(header.inputs, { journal: run.journal, spent: run.record.spent }),
      run,
      show,
    )
    const { saved: _, ...kept } = outcome
    await run.end(kept.kind === 'cancelled' ? { ...kept, reason: 'interrupted' } : kept)
    await guard.close(outcome.kind)
    return outcome
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await run.end({ kind: 'broken', reason }).catch(() => {})
    throw error
  }
}

type Workflow = ReturnType<typeof createWorkflow>
type More = Omit<NonNullable<Parameters<typeof createWorkflow>[1]>, 'model' | 'profiles'>

function openWorkflow(program: Program, settings: Settings, more: More = {}): Workflow {
  const { model, profiles, spawn, goalLimits, prices } = settings
  return createWorkflow(program, {
    ...more,
    model,
    profiles,
    spawn,
    limits: workflowLimits(settings),
    goalLimits,
    ...(prices && { prices }),
  })
}

/** Until it ends; Ctrl-C ends it, keeps what there is, and a second one does not wait. */
async function play(run: WorkflowRun, file: OpenRun, show: RunShow): Promise<WorkflowOutcome> {
  let interrupts = 0
  const onInterrupt = () => {
    if (++interrupts > 1) process.exit(130)
    run.cancel('interrupted')
  }
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onInterrupt)
  try {
    for await (const event of run) {
      show.show(event)
      if (event.type !== 'worker-event' || event.event.type !== 'turn-retry') continue
      const { turn, error } = event.event
      await file.retry({ path: event.path, turn, reason: error.message, at: new Date().toISOString() })
    }
    return await run.outcome
  } finally {
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

/** See `legible run --help`. */
export function exitCodeOf(outcome: WorkflowOutcome): number {
  switch (outcome.kind) {
    case 'completed':
      return 0
    case 'failed':
      return outcome.provider ? 3 : 1
    case 'not-converged':
      return 4
    case 'limit':
      return 5
    case 'suspended':
      return 6
    case 'cancelled':
      return 130
  }
}
