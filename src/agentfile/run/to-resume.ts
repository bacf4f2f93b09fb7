import type { JournalEntry } from '../../agent/memory-journal.ts'
import { withoutOldYes } from '../../agent/without-old-yes.ts'
import { isRecord } from '../../core/is-record.ts'
import { addUsage, noUsage, type Usage } from '../../model/usage.ts'
import type { Spent } from './budget.ts'
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
  const left = entries.filter(
    ({ key }) => !forgotten.some((path) => isWithin(key.replace(/^signal:/, ''), path)),
  )
  return withoutOldYes(left)
}

const isWithin = (key: string, path: string) => key === path || key.startsWith(`${path}/`)

/** What is kept of a part of a run, and what people said to it. */
export const entriesWithin = <E extends JournalEntry>(entries: readonly E[], path: string): E[] =>
  entries.filter(({ key }) => isWithin(key.replace(/^signal:/, ''), path))

/** Questions were paid for, also those of parts that are forgotten. */
export function addSpent(spent: Spent, entries: readonly JournalEntry[]): Spent {
  const turns = entries.filter(({ key }) => isTurn(key))
  const usages = turns.map(({ value }) => (isRecord(value) ? (value.usage as Usage) : noUsage))
  return { turns: spent.turns + turns.length, usage: usages.reduce(addUsage, spent.usage) }
}

/** Whether a step asks a model. */
export const isTurn = (key: string): boolean => /(^|\/)turn:\d+$/.test(key)
