import type { WorkflowContext, WorkflowSharedContext } from '@restatedev/restate-sdk'
import { handlers, TerminalError, workflow } from '@restatedev/restate-sdk'
import type { Json } from '../../agent/durable.ts'
import { checkAnswer } from '../../agentfile/run/judge-goal.ts'
import { isRecord } from '../../core/is-record.ts'
import { carryOutBranch } from './branch-service.ts'
import { budgetObject } from './ledger.ts'
import { branchService, runService } from './names.ts'
import type { WorkerSetup } from './open-part.ts'
import type { BranchRequest, RunRequest, ToolSignature } from './run-request.ts'
import { carryOutRun } from './run-service.ts'

const DAY = 24 * 60 * 60 * 1000
/** A step lasts as long as a model takes for a reply, and the tries that follow. */
const LONGEST_STEP = 60 * 60 * 1000
const shared = {
  workflowRetention: 30 * DAY,
  journalRetention: DAY,
  abortTimeout: LONGEST_STEP,
  // All that is kept is in the journal: a run need not read its state.
  enableLazyState: true,
  // A worker that is not there comes back, or another one does.
  retryPolicy: { initialInterval: 100, maxInterval: 30_000, exponentiationFactor: 2, maxAttempts: 1_000_000 },
}

/**
 * A run that waits for its agents gives its place at the engine to others: where all places are taken by runs that wait, no agent could
 * begin. Each time it goes on it is replayed, so this is not too soon.
 */
const LONGEST_WAIT = 10_000

/** The services by which a worker carries out runs. `signatures`: of its tools. */
export function createServices(setup: WorkerSetup, signatures: readonly ToolSignature[]) {
  const run = workflow({
    name: runService,
    description: 'Runs of Agentfile workflows.',
    handlers: {
      run: (ctx: WorkflowContext, request: RunRequest) => carryOutRun(ctx, request, setup, signatures),
      answer,
    },
    options: { ...shared, inactivityTimeout: LONGEST_WAIT },
  })
  const branch = workflow({
    name: branchService,
    description: 'Agents of runs: each works on its own.',
    handlers: {
      // Whoever could call it from outside would say himself what it may use.
      run: handlers.workflow.workflow(
        { ingressPrivate: true },
        (ctx: WorkflowContext, request: BranchRequest) => carryOutBranch(ctx, request, setup),
      ),
      answer,
    },
    options: shared,
  })
  return [run, branch, budgetObject]
}

/** What a person says to what waits. */
async function answer(ctx: WorkflowSharedContext, given: unknown): Promise<void> {
  const { name, value } = isRecord(given) ? given : {}
  if (typeof name !== 'string') throw new TerminalError('An answer has a name.', { errorCode: 400 })
  let said: Json
  try {
    said = checkAnswer(name, value)
  } catch (error) {
    throw new TerminalError((error as Error).message, { errorCode: 400 })
  }
  await ctx.promise<Json>(name).resolve(said)
}
