import type { Issue } from '../core/issue.ts'

/** Issues about a part of a text, as issues about the text: `offset` is where the part begins. */
export function shiftIssues(issues: readonly Issue[], offset: number): Issue[] {
  if (offset === 0) return [...issues]
  return issues.map((issue) =>
    issue.span ? { ...issue, span: [issue.span[0] + offset, issue.span[1] + offset] } : issue,
  )
}
