import type { WorkflowContext } from '@restatedev/restate-sdk'
import { TerminalError } from '@restatedev/restate-sdk'
import { scopeJournal } from '../../agent/memory-journal.ts'
import { Halt } from '../../agentfile/run/halt.ts'
import { runBranch } from '../../agentfile/run/run-branch.ts'
import { noUsage } from '../../model/usage.ts'
import { openPart, type WorkerSetup } from './open-part.ts'
import type { BranchReply, BranchRequest } from './run-request.ts'

const nothing = { turns: 0, calls: 0, spawned: 0, usage: noUsage }

/** Carries out one branch of a run: an agent of a goal, or one that was spawned. */
export async function carryOutBranch(
  ctx: WorkflowContext,
  request: BranchRequest,
  setup: WorkerSetup,
): Promise<BranchReply> {
  const { path, task, runId: run, security } = request
  const part = openPart(ctx, setup, request)
  setup.onRun?.({ type: 'begun', run, path })
  const end = async (): Promise<BranchReply> => {
    const { signal, options } = part
    try {
      const { ended, used } = await runBranch(
        { task, path, security, signal, journal: (count) => scopeJournal(part.journal(count), path) },
        options,
      )
      return ended instanceof Halt ? { halt: ended.why, used } : { work: ended, used }
    } catch (error) {
      await part.stayIfOver()
      if (signal.aborted) throw new TerminalError('The run was cancelled.', { errorCode: 409 })
      return { broken: error instanceof Error ? error.message : String(error), used: nothing }
    }
  }
  const reply = await end()
  await part.stayIfOver()
  part.ledger.settle()
  const outcome = 'work' in reply ? 'done' : 'halt' in reply ? reply.halt.kind : 'broken'
  setup.onRun?.({ type: 'ended', run, path, outcome })
  return reply
}
