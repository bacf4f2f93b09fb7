import type { Span } from '../../core/span.ts'
import type { EmbeddedZone } from '../embedded-place.ts'
import { fill } from '../embedded-zones.ts'
import { Thoughts } from '../thoughts.ts'
import { type KnownKey, linesOf, nextLine, noKey, startsYaml } from './yaml-body.ts'

export interface BlankedText {
  /** As long as it was: spaces stand where the model thought, and where comments stood. */
  readonly text: string
  /** Lines of YAML in the reasoning. */
  readonly hidden: readonly Span[]
  /** Lines of YAML in comments. */
  readonly embedded: readonly EmbeddedZone[]
}

/**
 * Takes the model's reasoning, and comments as HTML has them, out of a text, so that nothing in them is taken for
 * YAML. Within YAML and fences, tags are part of a value, as they are in the strings of JSON.
 */
export function blankReasoning(text: string, known: KnownKey | undefined): BlankedText {
  if (known === noKey || !/[<◁]\/?[a-z]|<!--/i.test(text)) return { text, hidden: [], embedded: [] }
  const lines = linesOf(text)
  const thoughts = new Thoughts()
  const comments: Span[] = []
  for (let i = 0; i < lines.length; ) {
    const line = lines[i]
    if (!line) break
    const next = thoughts.open >= 0 ? i + 1 : nextLine(lines, i, known)
    if (next > i + 1 || (thoughts.open < 0 && startsYaml(line, known))) {
      i = next
      continue
    }
    i++
    const at = line.text.indexOf('<!--')
    if (at < 0 || thoughts.open >= 0) {
      thoughts.look(text, line.start, line.end)
      continue
    }
    thoughts.look(text, line.start, line.start + at)
    const close = text.indexOf('-->', line.start + at)
    const end = close < 0 ? text.length : close + 3
    comments.push([line.start + at, end])
    while (i < lines.length && (lines[i] as { end: number }).end <= end) i++
  }
  const spans = thoughts.end(text.length)
  if (spans.length === 0 && comments.length === 0) return { text, hidden: [], embedded: [] }
  return {
    text: fill(fill(text, comments), spans),
    hidden: hiddenLines(text, spans, known),
    embedded: hiddenLines(text, comments.map(insideMarks), known).map((span) => ({ span, where: 'comment' })),
  }
}

// <!-- tool: search -->
//     ^^^^^^^^^^^^^^
const insideMarks = ([start, end]: Span): Span => [start + '<!--'.length, end]

/** What would have been a value: the model should know that it was not taken. */
function hiddenLines(text: string, places: readonly Span[], known: KnownKey | undefined): Span[] {
  const found: Span[] = []
  for (const [start, end] of places) {
    const line = linesOf(text.slice(start, end)).find((one) => startsYaml(one, known))
    if (line) found.push([start + line.start + line.indent, start + line.end])
  }
  return found.slice(0, 8)
}
