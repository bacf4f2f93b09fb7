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

  private sizes: number[] = []
  private mark = 0
  private marks = 0
  private phase: 'indent' | 'marks' | 'info' | 'rest' = 'indent'
  private bare = true
  private lineStart = 0
  private length = 0

  feed(text: string): void {
    for (let i = 0; i < text.length && !this.refuted; i++) this.next(text.charCodeAt(i))
  }

  private next(c: number): void {
    this.length++
    if (c === 10) {
      this.endLine()
      return
    }
    const space = c === 32 || c === 9 || c === 13
    if (this.close >= 0) {
      // Behind the end of the fence only space may follow.
      this.refuted ||= !space
    } else if (this.phase === 'indent') {
      if (c === 32) return
      if (this.sizes.length === 0) this.mark = c
      this.phase = c === this.mark ? 'marks' : 'rest'
      this.marks = 1
    } else if (this.phase === 'marks' && c === this.mark) this.marks++
    else if (this.phase !== 'rest') {
      this.phase = 'info'
      if (!space) this.bare = false
      if (c === 96 && this.mark === 96) this.phase = 'rest'
    }
  }

  /** Ends the last line too, when the text ends. */
  endLine(): void {
    if (this.close < 0) {
      const { sizes, marks } = this
      const fence = marks >= 3 && this.phase !== 'rest'
      if (sizes.length === 0) {
        if (fence) {
          sizes.push(marks)
          this.inner = this.length
        } else this.refuted = true
      } else if (fence && this.bare) {
        if (marks >= (sizes.at(-1) as number)) sizes.pop()
        if (sizes.length === 0) this.close = this.lineStart
      } else if (fence && sizes.length < DEEPEST) sizes.push(marks)
    }
    this.lineStart = this.length
    this.phase = 'indent'
    this.marks = 0
    this.bare = true
  }
}
