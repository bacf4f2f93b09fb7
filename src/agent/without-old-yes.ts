import type { JournalEntry } from './memory-journal.ts'

/**
 * What is kept of a run, for taking it up again: a person's yes, or a rule's, was said to one run of a call. A call that was stopped
 * before its end is ruled on again, and asked about again.
 */
export function withoutOldYes<E extends JournalEntry>(entries: readonly E[]): E[] {
  const kept = new Set(entries.map(({ key }) => key))
  return entries.filter(({ key }) => {
    // What was said from outside is a word of its own.
    if (key.startsWith('signal:')) return true
    const [, path, id] = /^(.*\/)?(?:rule|approval):(.*)$/s.exec(key) ?? []
    return id === undefined || kept.has(`${path ?? ''}call:${id}`)
  })
}
