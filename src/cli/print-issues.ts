import { formatCodeFrame } from '../core/code-frame.ts'
import type { Issue, Severity } from '../core/issue.ts'
import type { Read } from '../core/read.ts'

/** More than this is no help to anybody. */
const MOST_FRAMES = 50

/** Whether to write colours to a stream, as is the custom: FORCE_COLOR, then NO_COLOR, then whether a person reads. */
export function wantsColor(isTerminal: boolean, env: NodeJS.ProcessEnv): boolean {
  if (env.FORCE_COLOR) return env.FORCE_COLOR !== '0' && env.FORCE_COLOR !== 'false'
  return isTerminal && !env.NO_COLOR && env.TERM !== 'dumb'
}

const weights: Record<Severity, number> = { error: 0, warning: 1, repair: 2 }

/**
 * Issues as code frames, in the order of the text; one for all of a kind that follow each other on a line. A limit
 * that was met comes first, as it may explain the others. Of too many, errors come before warnings, and repairs last.
 */
export function formatIssues(text: string, file: string, issues: readonly Issue[], color: boolean): string {
  const groups = grouped(text, issues.map(withOption))
  const weightiest = [...groups].sort((a, b) => weights[a.issue.severity] - weights[b.issue.severity])
  const shown = new Set(weightiest.slice(0, MOST_FRAMES))
  const inOrder = groups.filter((group) => shown.has(group))
  const limits = inOrder.filter(({ issue }) => isLimit(issue))
  const frames = [...limits, ...inOrder.filter(({ issue }) => !isLimit(issue))].map(({ issue, more }) => {
    const [head = '', ...rows] = formatCodeFrame(text, issue, { file, color }).split('\n')
    return [more === 0 ? head : `${head} (+${more} more)`, ...rows].join('\n')
  })
  const left = groups.filter((group) => !shown.has(group)).reduce((sum, { more }) => sum + 1 + more, 0)
  if (left > 0) frames.push(`… and ${left} more; --json lists them all`)
  return frames.map((frame) => `${frame}\n`).join('')
}

interface Group {
  readonly issue: Issue
  /** Others of the same code, behind it on the same line. */
  more: number
}

function grouped(text: string, issues: readonly Issue[]): Group[] {
  const groups: Group[] = []
  let before: Issue | undefined
  for (const issue of issues) {
    const last = groups.at(-1)
    if (last && before?.code === issue.code && onOneLine(text, before, issue)) last.more++
    else groups.push({ issue, more: 0 })
    before = issue
  }
  return groups
}

function onOneLine(text: string, { span: a }: Issue, { span: b }: Issue): boolean {
  return a !== undefined && b !== undefined && a[0] <= b[0] && !text.slice(a[0], b[0]).includes('\n')
}

const options: Readonly<Record<string, string>> = { too_long: '--max-length', too_deep: '--max-depth' }
// Commands for Agentfiles have no such options.
const optionOf = ({ code }: Issue) =>
  code.startsWith('agentfile.') ? undefined : options[code.slice(code.indexOf('.') + 1)]
const isLimit = (issue: Issue) => issue.code.endsWith('.too_long')

/** Says which option moves the limit. */
function withOption(issue: Issue): Issue {
  const option = optionOf(issue)
  return option ? { ...issue, message: `${issue.message} (${option} sets the limit)` } : issue
}

/** How the reading went, in a line. */
export function summarize({ ok, complete, issues }: Read<unknown>): string {
  const counts = (['error', 'warning', 'repair'] as const).flatMap((severity) => {
    const count = issues.filter((issue) => issue.severity === severity).length
    return count === 0 ? [] : `${count} ${severity}${count === 1 ? '' : 's'}`
  })
  const end = complete ? '' : '; the text was cut off'
  return `${ok ? '✓' : '✗'} ${counts.join(', ') || 'read without issues'}${end}`
}
