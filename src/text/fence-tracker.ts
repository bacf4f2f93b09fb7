/**
 * Knows whether a text that passes by is within a code fence:
 *
 *     ```js
 *     ^^^^^ opens; closed by a line of at least as many of the same marks, and nothing else
 */
export class FenceTracker {
  /** The fence that is open: its mark, how many of them, and where it began. */
  open: { readonly mark: number; readonly size: number; readonly start: number } | undefined
  /** It may as well be the end of a fence that was never opened: nothing is said about it, and nothing follows. */
  stray = false

  private phase: 'indent' | 'marks' | 'info' | 'rest' = 'indent'
  private indent = 0
  private mark = 0
  private size = 0
  private start = 0
  /** Nothing but space behind the marks. */
  private bare = true

  feed(text: string, offset = 0): void {
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i)
      if (c === 10 || c === 13) this.endLine()
      else if (this.phase === 'rest') continue
      else if (this.phase === 'indent') {
        this.stray &&= c === 32
        if (c === 32 && this.indent < 3) this.indent++
        else if (c === 96 || c === 126) {
          this.phase = 'marks'
          this.mark = c
          this.size = 1
          this.start = offset + i
        } else this.phase = 'rest'
      } else if (this.phase === 'marks' && c === this.mark) this.size++
      else if (this.size < 3) this.phase = 'rest'
      else {
        this.phase = 'info'
        if (c === 96 && this.mark === 96)
          this.phase = 'rest' // ```code``` on one line
        else if (c !== 32 && c !== 9) this.bare = false
      }
    }
  }

  /** No fence can begin on this line any more. */
  get resting(): boolean {
    return this.phase === 'rest'
  }

  skipLine(): void {
    this.phase = 'rest'
  }

  /** The line ends, or the text does. */
  endLine(): void {
    const { open, mark, size } = this
    if (size >= 3 && this.phase !== 'rest') {
      if (!open) {
        this.open = { mark, size, start: this.start }
        this.stray = this.bare
      } else if (mark === open.mark && size >= open.size && this.bare) this.open = undefined
    }
    this.phase = 'indent'
    this.indent = 0
    this.size = 0
    this.bare = true
  }
}
