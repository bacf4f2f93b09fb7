import type { JournalEntry } from '../../agent/memory-journal.ts'
import { withoutOldYes } from '../../agent/without-old-yes.ts'
import type { WorkflowOutcome } from './workflow-outcome.ts'

/** The parts of a run that are done anew when it is taken up again: those that failed by what models said. */
export function pathsToForget(outcome: Pick<WorkflowOutcome, 'kind'>): readonly string[] {
  const { kind, provider, paths } = outcome as Extract<WorkflowOutcome, { kind: 'failed' }>
  return kind === 'failed' && !provider ? paths : []
}

/** What is kept of a run, without those parts, and without a yes to calls that did not come to their end. */
export function entriesToResume<E extends JournalEntry>(
  entries: readonly E[],
  forgotten: readonly string[],
): E[] {
  const isWithin = (key: string, path: string) => key === path || key.startsWith(`${path}/`)
  const left = entries.filter(
    ({ key }) => !forgotten.some((path) => isWithin(key.replace(/^signal:/, ''), path)),
  )
  return withoutOldYes(left)
}
