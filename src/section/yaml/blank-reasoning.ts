import { opensTag, reasoningTag } from '../../core/reasoning-tag.ts'
import type { Span } from '../../core/span.ts'
import { type KnownKey, linesOf, nextLine, noKey, startsYaml } from './yaml-body.ts'

export interface BlankedText {
  /** As long as it was: spaces stand where the model thought. */
  readonly text: string
  /** Lines of YAML in the reasoning. */
  readonly hidden: readonly Span[]
}

/**
 * Takes the model's reasoning out of a text, so that nothing in it is taken for YAML. Within YAML and fences, tags are
 * part of a value, as they are in the strings of JSON.
 */
export function blankReasoning(text: string, known: KnownKey | undefined): BlankedText {
  if (known === noKey || !/[<◁]\/?[a-z]/i.test(text)) return { text, hidden: [] }
  const lines = linesOf(text)
  const thoughts: Span[] = []
  /** Where the reasoning began that has not ended. */
  let open = -1
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]
    if (!line) break
    const next = open >= 0 ? i + 1 : nextLine(lines, i, known)
    if (next > i + 1 || (open < 0 && startsYaml(line, known))) {
      i = next
      continue
    }
    for (let at = line.start; at < line.end; ) {
      const tag = opensTag(text.charCodeAt(at)) ? reasoningTag(text, at, true) : undefined
      if (tag === undefined || tag === 'wait') {
        at++
        continue
      }
      const end = at + tag.size
      if (!tag.closes) {
        if (open < 0) open = at
      } else {
        // Only the closing tag stands here: all before it was reasoning.
        if (open < 0) thoughts.length = 0
        thoughts.push([Math.max(0, open), end])
        open = -1
      }
      at = end
    }
    i++
  }
  if (open >= 0) thoughts.push([open, text.length])
  if (thoughts.length === 0) return { text, hidden: [] }
  return { text: blank(text, thoughts), hidden: hiddenLines(text, thoughts, known) }
}

function blank(text: string, thoughts: readonly Span[]): string {
  const pieces: string[] = []
  let at = 0
  for (const [start, end] of thoughts) {
    pieces.push(text.slice(at, start), text.slice(start, end).replace(/[^\r\n]/g, ' '))
    at = end
  }
  pieces.push(text.slice(at))
  return pieces.join('')
}

/** What would have been a value: the model should know that it was not taken. */
function hiddenLines(text: string, thoughts: readonly Span[], known: KnownKey | undefined): Span[] {
  const found: Span[] = []
  for (const [start, end] of thoughts) {
    const line = linesOf(text.slice(start, end)).find((one) => startsYaml(one, known))
    if (line) found.push([start + line.start + line.indent, start + line.end])
  }
  return found.slice(0, 8)
}
