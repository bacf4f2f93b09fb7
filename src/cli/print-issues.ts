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

/** Issues as code frames, in the order of the text. Of too many, errors come before warnings, and repairs last. */
export function formatIssues(text: string, file: string, issues: readonly Issue[], color: boolean): string {
  const weights: Record<Severity, number> = { error: 0, warning: 1, repair: 2 }
  const weightiest = [...issues].sort((a, b) => weights[a.severity] - weights[b.severity])
  const shown = new Set(weightiest.slice(0, MOST_FRAMES))
  const frames = issues
    .filter((issue) => shown.has(issue))
    .map((issue) => formatCodeFrame(text, issue, { file, color }))
  const more = issues.length - shown.size
  if (more > 0) frames.push(`… and ${more} more; --json lists them all`)
  return frames.map((frame) => `${frame}\n`).join('')
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
