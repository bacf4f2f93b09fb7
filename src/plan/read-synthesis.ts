import { checkText } from '../core/check-text.ts'
import type { Issue } from '../core/issue.ts'
import type { Read } from '../core/read.ts'
import type { Span } from '../core/span.ts'
import type { TextReaderOptions } from '../text/format.ts'
import { splitTags } from '../text/tag-splitter.ts'
import { WholeFence } from '../text/whole-fence.ts'
import { planIssues } from './issues.ts'

export interface SynthesisOptions {
  /** Takes the text out of a code fence that is around all of it. */
  readonly unwrapFence?: boolean
  /** Drops a label such as `Final answer:` at the beginning; a text: that label. */
  readonly dropLabel?: boolean | string
  /** `auto` (the default): tags decide; `open`: the prompt has opened reasoning; `none`: tags are plain text. */
  readonly reasoning?: TextReaderOptions['reasoning']
}

const labels = ['final answer', 'final response', 'answer', 'response', 'synthesis', 'summary']

/** The text of a synthesis, as it is shown to the user: without reasoning and the space around it, and otherwise as it stands. */
export function readSynthesis(
  source: string,
  options: SynthesisOptions = {},
): Read<string> & { readonly value: string } {
  checkText(source, 'readSynthesis')
  const { unwrapFence = false, dropLabel = false, reasoning = 'auto' } = options
  const issues: Issue[] = []
  const { text, complete, dropped, placeOf } = withoutReasoning(source, reasoning)
  const [first] = dropped
  if (first) issues.push(planIssues.issue('dropped_reasoning', { count: dropped.length }, { span: first }))
  let rest = trimmed(text, [0, text.length])
  const unwrap = () => {
    const inner = unwrapFence ? innerOfFence(text, rest) : undefined
    if (!inner) return
    issues.push(planIssues.issue('unwrapped_fence', {}, { span: placeOf(rest) }))
    rest = inner
  }
  unwrap()
  const names = dropLabel === true ? labels : dropLabel === false ? [] : [dropLabel.replace(/[:\s]+$/, '')]
  const size = labelSize(text.slice(...rest), names)
  if (size > 0) {
    const span = trimmed(text, [rest[0], rest[0] + size])
    issues.push(planIssues.issue('dropped_label', { label: text.slice(...span) }, { span: placeOf(span) }))
    rest = trimmed(text, [rest[0] + size, rest[1]])
    // A fence may stand around the answer alone.
    unwrap()
  }
  if (rest[0] === rest[1]) issues.push(planIssues.issue('empty_synthesis', {}, { span: [0, source.length] }))
  return { ok: true, value: text.slice(...rest), complete, issues }
}

interface Shown {
  readonly text: string
  readonly complete: boolean
  /** Where reasoning stood. */
  readonly dropped: readonly Span[]
  /** Where a stretch of the text that is left stands in the whole. */
  readonly placeOf: (span: Span) => Span
}

// <think>Which one?</think>Hello
// ^^^^^^^^^^^^^^^^^^^^^^^^^
function withoutReasoning(source: string, reasoning: 'auto' | 'open' | 'none'): Shown {
  const whole: Shown = { text: source, complete: true, dropped: [], placeOf: (span) => span }
  if (reasoning === 'none') return whole
  const split = splitTags(source, {
    start: reasoning === 'open' ? 'inside' : 'auto',
    // What lies beyond a limit would be lost, or shown with its reasoning.
    limits: { maxLength: Number.POSITIVE_INFINITY, maxParts: Number.POSITIVE_INFINITY },
  })
  if (!split.ok) return whole
  const { pieces } = split.value
  const dropped = pieces.filter(({ tag }) => tag !== undefined).map(({ span }) => span)
  if (dropped.length === 0) return whole
  const kept = pieces.filter(({ tag }) => tag === undefined).map(({ span }) => span)
  const offsetOf = (character: number): number => {
    let at = character
    for (const [start, end] of kept) {
      if (at < end - start) return start + at
      at -= end - start
    }
    return source.length
  }
  return {
    text: kept.map((span) => source.slice(...span)).join(''),
    complete: split.complete,
    dropped,
    placeOf: ([start, end]) => {
      const from = offsetOf(start)
      return [from, end > start ? offsetOf(end - 1) + 1 : from]
    },
  }
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
