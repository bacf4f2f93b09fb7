import type { Span } from '../core/span.ts'
import { isLineEnd, type LineMatcher } from './line-matcher.ts'
import { isTagStart } from './tag-scanner.ts'

/**
 * Looks for headers and labels in reasoning. They begin no section there, but it must be said that they do not.
 *
 *     <think>
 *     # Action
 *     ^^^^^^^^
 */
export class EmbeddedLines {
  private readonly line: LineMatcher
  private readonly found: (name: string, span: Span) => void
  /** The line that may be a header: where it begins, or -1. */
  private start = -1
  /** Where its second line begins, if the first may turn out to be underlined. */
  private second = -1

  constructor(line: LineMatcher, found: (name: string, span: Span) => void) {
    this.line = line
    this.found = found
  }

  begin(offset: number): void {
    this.line.begin()
    this.start = offset
    this.second = -1
  }

  /** What follows begins no line. */
  stop(): void {
    this.start = -1
  }

  /** Reads on up to a tag, or to the end of the text, which stands at `base`; gives that place. */
  feed(text: string, from: number, base: number): number {
    for (let i = from; i < text.length; i++) {
      const c = text.charCodeAt(i)
      if (isTagStart(c)) return i
      if (this.start >= 0) this.look(c, base + i)
      else if (isLineEnd(c)) this.begin(base + i + 1)
    }
    return text.length
  }

  private look(c: number, offset: number): void {
    const { line } = this
    const verdict = line.feed(c)
    if (verdict === 'more') {
      if (isLineEnd(c)) this.second = offset + 1
      return
    }
    if (verdict === 'match' && line.target?.kind === 'section' && !line.escaped && !line.near)
      this.found(line.target.name, [this.start + line.indent, offset])
    this.start = -1
    if (isLineEnd(c)) this.begin(offset + 1)
    else if (this.second === offset) {
      // The line before might have been underlined, but this is another line.
      this.begin(offset)
      this.look(c, offset)
    }
  }
}
