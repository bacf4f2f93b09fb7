/**
 * Tells whether a line opens or closes a code fence, a character at a time: the only place that knows how one is written.
 *
 *     ```js
 *     ^^^^^ marks, perhaps space before them, and what is called the info string behind
 */
export class FenceLine {
  /** The mark that the line begins with, and how many of them. */
  mark = 0
  size = 0
  /** Nothing but space stands behind the marks. */
  bare = true

  private readonly mostIndent: number
  private phase: 'indent' | 'marks' | 'info' | 'rest' = 'indent'
  private indent = 0

  /** `mostIndent`: with more spaces before the marks they are none. */
  constructor(mostIndent: number) {
    this.mostIndent = mostIndent
  }

  begin(): void {
    this.phase = 'indent'
    this.indent = this.size = 0
    this.bare = true
  }

  /** Takes a character that does not end the line. */
  feed(c: number): void {
    if (this.phase === 'rest') return
    if (this.phase === 'indent') {
      if (c === 32 && this.indent < this.mostIndent) this.indent++
      else if (c === 96 || c === 126) {
        this.phase = 'marks'
        this.mark = c
        this.size = 1
      } else this.phase = 'rest'
    } else if (this.phase === 'marks' && c === this.mark) this.size++
    // ```code``` on one line is no fence.
    else if (this.size < 3 || (c === 96 && this.mark === 96)) this.phase = 'rest'
    else {
      this.phase = 'info'
      if (c !== 32 && c !== 9 && c !== 13) this.bare = false
    }
  }

  /** The line is no fence, whatever follows. */
  rest(): void {
    this.phase = 'rest'
  }

  get resting(): boolean {
    return this.phase === 'rest'
  }

  /** Nothing but space so far. */
  get leading(): boolean {
    return this.phase === 'indent'
  }

  /** Whether it is a fence, if it ends here. */
  get isFence(): boolean {
    return this.size >= 3 && this.phase !== 'rest'
  }
}
