import type { Issue } from '../core/issue.ts'
import { jsonIssues } from './issues.ts'

/**
 * The issues in the order of the text. If they are too many, the worst are listed and the rest counted, together
 * with those that were not even kept.
 */
export function listIssues(issues: readonly Issue[], maxIssues: number, unlisted = 0): Issue[] {
  const listed = issues.length > maxIssues ? [...issues].sort(byWeight).slice(0, maxIssues) : [...issues]
  listed.sort(byPlace)
  const more = unlisted + issues.length - listed.length
  if (more > 0) listed.push(jsonIssues.issue('more_issues', { count: more }))
  return listed
}

const weights = { error: 0, warning: 1, repair: 2 }
const byWeight = (a: Issue, b: Issue) => weights[a.severity] - weights[b.severity]
const byPlace = (a: Issue, b: Issue) => (a.span?.[0] ?? 0) - (b.span?.[0] ?? 0)
