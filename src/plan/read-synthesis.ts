import { checkText } from '../core/check-text.ts'
import type { Issue } from '../core/issue.ts'
import type { Read } from '../core/read.ts'
import type { Span } from '../core/span.ts'
import { WholeFence } from '../text/whole-fence.ts'
import { planIssues } from './issues.ts'

export interface SynthesisOptions {
  /** Takes the text out of a code fence that is around all of it. */
  readonly unwrapFence?: boolean
  /** Drops a label such as `Final answer:` at the beginning; a text: that label. */
  readonly dropLabel?: boolean | string
}

const labels = ['final answer', 'final response', 'answer', 'response', 'synthesis', 'summary']

/** The text of a synthesis, as it is shown to the user: without space around it, and otherwise as it stands. */
export function readSynthesis(
  text: string,
  options: SynthesisOptions = {},
): Read<string> & { readonly value: string } {
  checkText(text, 'readSynthesis')
  const { unwrapFence = false, dropLabel = false } = options
  const issues: Issue[] = []
  let rest = trimmed(text, [0, text.length])
  const unwrap = () => {
    const inner = unwrapFence ? innerOfFence(text, rest) : undefined
    if (!inner) return
    issues.push(planIssues.issue('unwrapped_fence', {}, { span: rest }))
    rest = inner
  }
  unwrap()
  const names = dropLabel === true ? labels : dropLabel === false ? [] : [dropLabel.replace(/[:\s]+$/, '')]
  const size = labelSize(text.slice(...rest), names)
  if (size > 0) {
    const span = trimmed(text, [rest[0], rest[0] + size])
    issues.push(planIssues.issue('dropped_label', { label: text.slice(...span) }, { span }))
    rest = trimmed(text, [rest[0] + size, rest[1]])
    // A fence may stand around the answer alone.
    unwrap()
  }
  if (rest[0] === rest[1]) issues.push(planIssues.issue('empty_synthesis', {}, { span: [0, text.length] }))
  return { ok: true, value: text.slice(...rest), complete: true, issues }
}

/** A stretch of a text, without the space around it. */
function trimmed(text: string, [start, end]: Span): Span {
  const piece = text.slice(start, end)
  const from = start + (piece.length - piece.trimStart().length)
  return [from, Math.max(from, start + piece.trimEnd().length)]
}

// ```md
// ^^^^^
function innerOfFence(text: string, [start, end]: Span): Span | undefined {
  const fence = new WholeFence()
  fence.feed(text.slice(start, end))
  fence.endLine()
  // A fence that closes before the end is not around all of it.
  if (fence.refuted || fence.close < 0) return undefined
  return trimmed(text, [start + fence.inner, start + fence.close])
}

/** How long the label is with which a text begins. */
// **Final answer:** 42
// ^^^^^^^^^^^^^^^^^
function labelSize(text: string, names: readonly string[]): number {
  const [lead = ''] = /^(?:#{1,6}[ \t]+)?(?:\*{1,3}|_{1,3})?/.exec(text) ?? []
  const marks = /[*_]*$/.exec(lead)?.[0] ?? ''
  const rest = text.slice(lead.length)
  const folded = rest.slice(0, 100).toLowerCase()
  for (const name of names) {
    if (!folded.startsWith(name.toLowerCase())) continue
    const behind = rest.slice(name.length)
    const [end = ''] = /^[ \t]*[:：]?[ \t]*[*_]{0,3}[ \t]*[:：]?/.exec(behind) ?? []
    const isHeading = lead.startsWith('#') && /^[ \t]*(?:\n|$)/.test(behind.slice(end.length))
    const closed = marks === '' ? !/[*_]/.test(end) : end.includes(marks)
    if (closed && (isHeading || /[:：]/.test(end))) return lead.length + name.length + end.length
  }
  return 0
}
