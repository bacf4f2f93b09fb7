import type { Issue } from '../core/issue.ts'
import type { Read } from '../core/read.ts'
import type { Span } from '../core/span.ts'
import type { Parts } from '../text/format.ts'

interface Thought {
  readonly at: number
  readonly text: string
}

export interface WithoutThoughts {
  readonly read: Read<Parts>
  readonly inline: readonly Thought[]
  /** The text with blanks in the place of thoughts: its offsets are the same. */
  readonly text: string
  /** What stands in the place of thoughts in the parts that were read. */
  readonly blot: string
}

/** How often a text is read again. Each time at least one more thought is found, or nothing changes. */
const MOST = 3

/**
 * Formats take reasoning that begins at the beginning of a line. A plan has none of a thought, wherever it stands:
 * `Intent: find <think>which?</think> the file`. Its closing tag has been seen as one that closes nothing; if it closes
 * a tag within its line after all, the text is read again with the thought blotted out.
 */
export function withoutInlineThoughts(
  source: string,
  first: Read<Parts>,
  again: (text: string) => Read<Parts>,
): WithoutThoughts {
  const blot = unusedIn(source)
  const inline: Thought[] = []
  let text = source
  let read = first
  for (let i = 0; i < MOST; i++) {
    const blocks = blocksIn(text, read.issues)
    if (blocks.length === 0) break
    const pieces: string[] = []
    let at = 0
    for (const { span, inner } of blocks) {
      inline.push({ at: span[0], text: text.slice(...inner) })
      pieces.push(text.slice(at, span[0]), blot.repeat(span[1] - span[0]))
      at = span[1]
    }
    text = pieces.join('') + text.slice(at)
    read = again(text)
  }
  return { read, inline, text: inline.length > 0 ? text.replaceAll(blot, ' ') : source, blot }
}

/** A character that stands nowhere in the text. */
function unusedIn(text: string): string {
  for (let c = 0xe000; c < 0xe100; c++) {
    const character = String.fromCharCode(c)
    if (!text.includes(character)) return character
  }
  return ' '
}

interface Block {
  readonly span: Span
  readonly inner: Span
}

function blocksIn(text: string, issues: readonly Issue[]): Block[] {
  const blocks: Block[] = []
  let from = 0
  for (const { code, span } of issues) {
    if (!span || span[0] < from || !/^text\.(?:implied_reasoning|stray_closer)$/.test(code)) continue
    const [, name] = /^<\/([a-z]+)/i.exec(text.slice(...span)) ?? []
    if (!name) continue
    const open = lastOpening(text.slice(from, span[0]), name)
    if (open) blocks.push({ span: [from + open[0], span[1]], inner: [from + open[1], span[0]] })
    from = span[1]
  }
  return blocks
}

// Intent: find <think>which?
//              ^^^^^^^
function lastOpening(text: string, name: string): Span | undefined {
  let found: Span | undefined
  for (const match of text.matchAll(new RegExp(`<${name}(?:\\s[^<>]{0,80})?>`, 'gi')))
    found = [match.index, match.index + match[0].length]
  return found
}
