import { type CallOutcome, errorOf, type ToolCallError } from './call-outcome.ts'
import { toolRunIssues } from './issues.ts'
import { problemText } from './problem-text.ts'
import type { RunOptions } from './run-options.ts'
import type { RequestedCall } from './tool.ts'

type Recorder = RunOptions['record']

/** A call that does not run is recorded too: what was asked for, and why it was not done. */
export async function recordRefusal(
  record: Recorder,
  call: RequestedCall,
  error: ToolCallError,
): Promise<CallOutcome> {
  const outcome: CallOutcome = { ok: false, call, error }
  return record
    ? unlessUnrecorded(outcome, false, () => record({ type: 'call-refused', call, error }))
    : outcome
}

export async function recordEnd(
  record: Recorder,
  outcome: CallOutcome,
  milliseconds: number,
): Promise<CallOutcome> {
  return record
    ? unlessUnrecorded(outcome, true, () => record({ type: 'call-end', outcome, milliseconds }))
    : outcome
}

/** What cannot be recorded is a failure of its own, and takes nothing away from what else is known. */
async function unlessUnrecorded(
  outcome: CallOutcome,
  ran: boolean,
  write: () => void | Promise<void>,
): Promise<CallOutcome> {
  try {
    await write()
    return outcome
  } catch (cause) {
    const { call } = outcome
    const problem = problemText(cause, 'it threw')
    const issue = toolRunIssues.issue('unrecorded', { name: call.name, ran, problem })
    const before = outcome.ok ? [] : outcome.error.issues
    const error = errorOf([...before, issue], call, outcome.ok ? cause : (outcome.error.cause ?? cause))
    return { ok: false, call, error, ...(outcome.result && { result: outcome.result }) }
  }
}
