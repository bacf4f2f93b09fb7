import type { ApprovalRequest, Verdict } from '../../agent/approval.ts'
import type { Program } from '../../agentfile/run/program.ts'
import { createWorkflow, type WorkflowRun } from '../../agentfile/run/run-workflow.ts'
import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'
import { LegibleError } from '../../core/legible-error.ts'
import { recordCalls } from '../../durable/audit/record-calls.ts'
import type { OpenRun } from '../../durable/run-file.ts'
import { loadModel } from '../../model/load-model.ts'
import { ChatPermissions } from '../chat/chat-permissions.ts'
import { LazyAudit } from '../lazy-audit.ts'
import { openTools } from '../open-tools.ts'
import { auditFile, permissionsFile } from '../state-folder.ts'
import { UsageError } from '../usage-error.ts'
import type { Person } from './person.ts'
import type { RunShow } from './run-show.ts'
import type { Settings } from './settings.ts'

export interface CarryOutOptions {
  readonly root: string
  readonly settings: Settings
  readonly show: RunShow
  /** Who can be asked; nobody without a terminal, and then the run waits. */
  readonly person: Person | undefined
}

/** Carries out a run, new or taken up again, and keeps how it ended. */
export async function carryOut(run: OpenRun, options: CarryOutOptions): Promise<WorkflowOutcome> {
  const { root, settings, show, person } = options
  const { header } = run.record
  const { tools, close } = await openTools(settings.tools, root)
  const audit = new LazyAudit(auditFile(root), () => ({
    type: 'session-start',
    command: `run ${header.id}`,
    model: settings.model,
    root,
  }))
  try {
    const permissions = new ChatPermissions({
      file: permissionsFile(root),
      allow: [{ capability: 'fs.read' }],
      deny: [],
      record: (entry) => audit.record(entry),
    })
    const workflow = await openWorkflow(header.program, settings, {
      tools,
      permissions,
      record: recordCalls(audit),
      approve: (request: ApprovalRequest, signal: AbortSignal): Promise<Verdict | 'later'> =>
        person ? person.approve(request, tools, permissions, signal) : Promise.resolve('later' as const),
      judge: person && ((request, signal) => person.judge(request, signal)),
    })
    const outcome = await play(workflow.start(header.inputs, { journal: run.journal }), run, show)
    const { saved: _, ...kept } = outcome
    await run.end(kept.kind === 'cancelled' ? { ...kept, reason: 'interrupted' } : kept)
    await audit.close(outcome.kind)
    return outcome
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    await run.end({ kind: 'broken', reason }).catch(() => {})
    throw error
  } finally {
    await close()
  }
}

/** Throws a UsageError for models that are not there, and profiles that nobody knows. */
async function openWorkflow(
  program: Program,
  settings: Settings,
  more: Omit<NonNullable<Parameters<typeof createWorkflow>[1]>, 'model' | 'profiles'> = {},
) {
  const { model, profiles, spawn, limits, goalLimits, prices } = settings
  try {
    // A name that means nothing is told now, and not by the goal that comes to it.
    await Promise.all([model, ...Object.values(profiles)].map((name) => loadModel(name)))
    const { time, ...rest } = limits
    return createWorkflow(program, {
      ...more,
      model,
      profiles,
      spawn,
      limits: { ...rest, ...(time !== undefined && { time: Math.round(time * 1000) }) },
      goalLimits,
      ...(prices && { prices }),
    })
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError('cli.invalid_workflow', error.message, { cause: error })
  }
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
      show.event(event)
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
