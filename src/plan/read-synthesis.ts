import { checkText } from '../core/check-text.ts'

export interface SynthesisOptions {
  /** Takes the text out of a code fence that is around all of it. */
  readonly unwrapFence?: boolean
  /** Drops a label such as `Final answer:` at the beginning; a text: that label. */
  readonly dropLabel?: boolean | string
}

const labels = ['final answer', 'final response', 'answer', 'response', 'synthesis', 'summary']

/** The text of a synthesis, as it is shown to the user: without space around it, and otherwise as it stands. */
export function readSynthesis(text: string, options: SynthesisOptions = {}): string {
  checkText(text, 'readSynthesis')
  const { unwrapFence = false, dropLabel = false } = options
  let synthesis = text.trim()
  if (unwrapFence) synthesis = withoutFence(synthesis)
  if (dropLabel !== false) {
    const shorter = withoutLabel(synthesis, dropLabel === true ? labels : [dropLabel.replace(/[:\s]+$/, '')])
    // A fence may stand around the answer alone.
    synthesis = unwrapFence && shorter !== synthesis ? withoutFence(shorter) : shorter
  }
  return synthesis
}

// ```md
// ^^^^^
function withoutFence(text: string): string {
  const [opening, mark = ''] = /^(`{3,}|~{3,})[^\n`]*\n/.exec(text) ?? []
  if (opening === undefined) return text
  const lines = text.slice(opening.length).split('\n')
  const closes = (line: string) => {
    const trimmed = line.trim()
    return trimmed.length >= mark.length && trimmed === (mark[0] as string).repeat(trimmed.length)
  }
  // A fence that closes before the end is not around all of it.
  return lines.findIndex(closes) === lines.length - 1 ? lines.slice(0, -1).join('\n').trim() : text
}

// **Final answer:** 42
// ^^^^^^^^^^^^^^^^^
function withoutLabel(text: string, names: readonly string[]): string {
  const [lead = ''] = /^(?:#{1,6}[ \t]+)?(?:\*{1,3}|_{1,3})?/.exec(text) ?? []
  const marks = /[*_]*$/.exec(lead)?.[0] ?? ''
  const rest = text.slice(lead.length)
  const folded = rest.slice(0, 100).toLowerCase()
  for (const name of names) {
    if (!folded.startsWith(name.toLowerCase())) continue
    const behind = rest.slice(name.length)
    const [end] = /^[ \t]*[:：]?[ \t]*[*_]{0,3}[ \t]*[:：]?/.exec(behind) ?? []
    if (end === undefined) continue
    const isHeading = lead.startsWith('#') && /^[ \t]*(?:\n|$)/.test(behind.slice(end.length))
    const closed = marks === '' ? !/[*_]/.test(end) : end.includes(marks)
    if ((/[:：]/.test(end) && closed) || (isHeading && closed)) return behind.slice(end.length).trim()
  }
  return text
}
