import type { WorkflowContext } from '@restatedev/restate-sdk'
import { createWorkflow } from '../../agentfile/run/create-workflow.ts'
import { addSpent } from '../../agentfile/run/to-resume.ts'
import type { WorkflowOptions } from '../../agentfile/run/workflow-options.ts'
import { noUsage } from '../../model/usage.ts'
import { allowanceOf } from './allowance.ts'
import { stateNames } from './names.ts'
import { NotHere, openPart, type WorkerSetup } from './open-part.ts'
import {
  problemWith,
  type RunAbout,
  type RunEnd,
  type RunOutcome,
  type RunRequest,
  type ToolSignature,
} from './run-request.ts'

/** Carries out a run: the same program as in one process. However it ends, that is kept for those who look on. */
export async function carryOutRun(
  ctx: WorkflowContext,
  request: RunRequest,
  setup: WorkerSetup,
  signatures: readonly ToolSignature[],
): Promise<RunOutcome> {
  const problem = problemWith(request, ctx.key)
  const outcome: RunOutcome = problem
    ? { kind: 'broken', reason: `The request cannot be carried out: ${problem}.` }
    : await endOf(ctx, request, setup, signatures)
  const end: RunEnd = { at: new Date().toISOString(), outcome }
  ctx.set(stateNames.end, end)
  return outcome
}

async function endOf(
  ctx: WorkflowContext,
  request: RunRequest,
  setup: WorkerSetup,
  signatures: readonly ToolSignature[],
): Promise<RunOutcome> {
  const { id, program, inputs, entries = [], spent } = request
  try {
    const about = await aboutOf(ctx, request, setup, signatures)
    ctx.set(stateNames.about, about)
    ctx.set(stateNames.program, program)
    const { allowance, began } = about
    const { time } = allowance.limits
    const part = openPart(ctx, setup, {
      runId: id,
      allowance,
      tools: about.tools.map(({ name }) => name),
      entries,
      ...(program.security && { security: program.security }),
      ...(time !== undefined && { deadline: began + time }),
    })
    part.ledger.begin(addSpent(spent ?? { turns: 0, usage: noUsage }, entries))
    setup.onRun?.({ type: 'begun', run: id })
    const outcome = await ended(async () => {
      const workflow = createWorkflow(program, { ...part.options, prices: allowance.prices })
      const run = workflow.start(inputs, {
        signal: part.signal,
        spent,
        journal: (_, count) => part.journal(count),
      })
      const { saved: __, ...end } = await run.outcome
      return end.kind === 'cancelled' ? { ...end, reason: 'cancelled' } : end
    })
    await part.stayIfOver()
    part.ledger.close()
    setup.onRun?.({ type: 'ended', run: id, outcome: outcome.kind })
    return outcome
  } catch (error) {
    if (error instanceof NotHere) throw error
    // Before it had begun.
    if ((error as Error)?.name === 'CancelledError') return cancelled
    return brokenBy(error)
  }
}

const cancelled: RunOutcome = {
  kind: 'cancelled',
  reason: 'cancelled',
  variables: {},
  goals: {},
  usage: noUsage,
  cost: 0,
  turns: 0,
  calls: 0,
}

const brokenBy = (error: unknown): RunOutcome => ({
  kind: 'broken',
  reason: error instanceof Error ? error.message : String(error),
})

async function ended(work: () => Promise<RunOutcome>): Promise<RunOutcome> {
  try {
    return await work()
  } catch (error) {
    return brokenBy(error)
  }
}

/** Kept, because another worker may go on with it, that has other tools and allows other things. */
async function aboutOf(
  ctx: WorkflowContext,
  request: RunRequest,
  setup: WorkerSetup,
  tools: readonly ToolSignature[],
): Promise<RunAbout> {
  const kept = await ctx.run('about', (): RunAbout | { problem: string } => {
    const { id, started, file, hash, inputs, program, spent } = request
    const { model, profiles = {} } = setup
    const names = Object.entries(profiles).map(([name, source]) => [name, nameOf(source)])
    try {
      return {
        ...{ id, started, file, hash, inputs, tools, ...(spent && { spent }) },
        workflow: program.name,
        model: nameOf(model),
        profiles: Object.fromEntries(names) as Record<string, string>,
        allowance: allowanceOf(request, setup),
        began: Date.now(),
      }
    } catch (error) {
      // It would be tried again and again.
      return { problem: (error as Error).message }
    }
  })
  if ('problem' in kept) throw new Error(kept.problem)
  return kept
}

const nameOf = (source: WorkflowOptions['model']): string =>
  typeof source === 'string' ? source : ((source as { modelId?: string } | undefined)?.modelId ?? 'default')
