import { FenceLine } from './fence-line.ts'

/** Fences within a fence, as models nest them: this many at the most. */
const DEEPEST = 100

/**
 * Follows a text that begins with a code fence, to tell whether the fence encloses all of it. Fences within it that
 * have an info string are taken as nested, as models forget to make the outer one longer.
 *
 *     ```markdown
 *     # Answer
 *     ```js
 *     ```
 *     ```
 */
export class WholeFence {
  /** Where the first line ends, and where the closing line begins; -1 as long as it is open. */
  inner = -1
  close = -1
  /** Text follows, or the first line opens no fence: the fence does not enclose the text. */
  refuted = false

  /** How many marks the fences have that are open, and which mark. */
  private sizes: number[] = []
  private mark = 0
  /** However far it is indented: models indent whole replies. */
  private readonly line = new FenceLine(Number.POSITIVE_INFINITY)
  private lineStart = 0
  private length = 0

  feed(text: string): void {
    for (let i = 0; i < text.length && !this.refuted; i++) {
      const c = text.charCodeAt(i)
      this.length++
      if (c === 10) this.endLine()
      else if (this.close < 0) this.line.feed(c)
      // Behind the end of the fence only space may follow.
      else if (c !== 32 && c !== 9 && c !== 13) this.refuted = true
    }
  }

  /** Ends the last line too, when the text ends. */
  endLine(): void {
    if (this.close < 0) this.take()
    this.lineStart = this.length
    this.line.begin()
  }

  private take(): void {
    const { sizes, line } = this
    const { mark, size, bare } = line
    if (sizes.length === 0) {
      if (line.isFence) {
        sizes.push(size)
        this.mark = mark
        this.inner = this.length
      } else this.refuted = true
    } else if (!line.isFence || mark !== this.mark) return
    else if (!bare) {
      if (sizes.length < DEEPEST) sizes.push(size)
    } else {
      if (size >= (sizes.at(-1) as number)) sizes.pop()
      if (sizes.length === 0) this.close = this.lineStart
    }
  }
}
