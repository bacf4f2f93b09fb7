import type { Issue } from './issue.ts'

/**
 * What to say to the model so that its next reply reads well: the hints of the issues and nothing else, so no
 * path, source text or stack of the program can leak into it. Empty when there is nothing to say.
 */
export function suggestRetry(issues: readonly Issue[]): string {
  const hints = new Set<string>()
  // Repairs were read all the same: they are worth a word only beside an error.
  for (const severity of ['error', 'warning'] as const)
    for (const issue of issues) if (issue.severity === severity && issue.hint) hints.add(issue.hint)
  const failed = issues.some((issue) => issue.severity === 'error')
  for (const issue of issues) if (failed && issue.severity === 'repair' && issue.hint) hints.add(issue.hint)
  const most = 12
  const lines = [...hints].slice(0, most)
  const more = hints.size - lines.length
  if (more > 0) lines.push(`And ${more} more problems of this kind.`)
  if (lines.length === 0) return ''
  return lines.length === 1 ? (lines[0] as string) : lines.map((line) => `- ${line}`).join('\n')
}
