import type { Issue } from '../core/issue.ts'
import type { Read } from '../core/read.ts'
import { type DecideOptions, decideReply, type Verdict } from './decide-reply.ts'
import { replyIssues } from './issues.ts'
import type { Reply } from './reply.ts'
import type { ReplyFacts } from './reply-facts.ts'
import type { ShownText } from './shown-text.ts'

/** Makes the reading of a reply, once all of it was seen; what is text of what was held back is shown. */
export function finishReply(facts: ReplyFacts, shown: ShownText, options: DecideOptions): Read<Reply> {
  const { verdict, rest, complete, issues: all } = decideReply(facts, options)
  shown.add(rest)
  const issues = listed(all, options.limits.maxIssues, facts.unlistedEmbedded)
  // What was rejected shows what can be shown: never a call.
  if (!verdict || issues.some(isError))
    return { ok: false, value: replyOf({ type: 'text' }, shown), complete, issues }
  return { ok: true, value: replyOf(verdict, shown), complete, issues }
}

function replyOf(verdict: Verdict, { text, reasoning }: ShownText): Reply {
  const { type } = verdict
  const reply =
    type === 'action' ? { type, text, call: verdict.call, span: verdict.span } : { ...verdict, text }
  return reasoning === '' ? reply : { ...reply, reasoning }
}

/** The issues in the order of the text, no more of them than may be listed. Errors are never left out. */
function listed(all: readonly Issue[], most: number, unlisted: number): Issue[] {
  const more = all.length - most + unlisted
  if (more <= 0) return [...all].sort(byPlace)
  const errors = all.filter(isError)
  const others = all.filter((issue) => !isError(issue)).sort(byPlace)
  const kept = [...errors, ...others.slice(0, Math.max(0, most - errors.length))].sort(byPlace)
  return [...kept, replyIssues.issue('more_issues', { count: more })]
}

const isError = ({ severity }: Issue) => severity === 'error'

const byPlace = (a: Issue, b: Issue) => (a.span?.[0] ?? 0) - (b.span?.[0] ?? 0)
