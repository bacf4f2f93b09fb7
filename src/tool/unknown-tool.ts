import type { Issue } from '../core/issue.ts'
import type { Span } from '../core/span.ts'
import { fold } from '../json/coerce/fold.ts'
import { toolIssues } from './issues.ts'

/** There is no tool of this name among `names`, or the call names none. */
export function unknownTool(name: string, names: readonly string[], span: Span | undefined): Issue {
  return name === ''
    ? toolIssues.issue('missing_name', { field: 'tool', tools: names }, { span })
    : toolIssues.issue('unknown', { name, tools: names, closest: closest(name, names) }, { span })
}

/** The tool whose name is nearly this one. It is only suggested: what runs is called by its name. */
function closest(name: string, names: readonly string[]): string {
  const folded = fold(name)
  const same = names.find((one) => fold(one) === folded)
  if (same !== undefined) return same
  return (
    names.find((one) => folded.length > 3 && (folded.endsWith(fold(one)) || fold(one).includes(folded))) ?? ''
  )
}
