import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'
import { limitWords } from '../ask-output.ts'
import type { RunViewOptions } from './run-view.ts'
import { count, duration, excerpt } from './words.ts'

/** Reasons are read in full, but not without an end. */
const LONGEST_REASON = 2000

/** How a run ended, and what can be done next: `run 7f3a completed in 1.9 s · legible show 7f3a`. */
export function endLines(
  outcome: WorkflowOutcome,
  { runId, typed = runId }: Pick<RunViewOptions, 'runId' | 'typed'>,
  milliseconds: number,
): string[] {
  const time = duration(milliseconds) || '0.0 s'
  const run = `run ${runId}`
  switch (outcome.kind) {
    case 'completed':
      return [`${run} completed in ${time} · legible show ${typed}`]
    case 'not-converged':
      return [
        `${run} ended in ${time}, not converged: ${outcome.unconverged.join(', ')} · legible show ${typed}`,
      ]
    case 'failed': {
      const where = outcome.path === '' ? '' : `${outcome.path}: `
      return [
        `✗ ${where}${excerpt(outcome.reason, LONGEST_REASON)}`,
        `${run} failed after ${time} · legible resume ${typed}`,
      ]
    }
    case 'suspended': {
      const { judgements, approvals } = outcome
      const what = [
        judgements.length > 0 && `${count(judgements.length, 'goal')} to judge`,
        approvals.length > 0 && `${count(approvals.length, 'call')} to permit`,
      ]
      return [`${run} waits for you: ${what.filter(Boolean).join(', ')} · legible approve ${typed}`]
    }
    case 'limit':
      return [`${run} ${limitText(outcome)} · legible resume ${typed}`]
    case 'cancelled':
      return [`${run} cancelled after ${time} · legible resume ${typed}`]
  }
}

function limitText({ limit, most }: Extract<WorkflowOutcome, { kind: 'limit' }>): string {
  if (limit === 'spawns') return `stopped: no more than ${most} agents can be spawned`
  // Turns are not a limit of a single conversation.
  return limit === 'turns' ? `stopped: ${count(most, 'turn')} used up` : limitWords(limit, most)
}
