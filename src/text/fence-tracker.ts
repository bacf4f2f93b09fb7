import { FenceLine } from './fence-line.ts'

/**
 * Knows whether a text that passes by is within a code fence. A fence is closed by a line of at least as many of the same
 * marks, and nothing else:
 *
 *     ```js
 *     search()
 *     ```
 *     ^^^
 */
export class FenceTracker {
  /** The fence that is open: its mark, how many of them, and where it began. */
  open: { readonly mark: number; readonly size: number; readonly start: number } | undefined
  /** It may as well be the end of a fence that was never opened: nothing is said about it, and nothing follows. */
  stray = false

  private readonly line = new FenceLine(3)
  /** Where the marks of the line begin. */
  private start = 0

  feed(text: string, offset = 0): void {
    const { line } = this
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i)
      if (c === 10 || c === 13) {
        this.endLine()
        continue
      }
      if (line.leading) {
        this.stray &&= c === 32
        this.start = offset + i
      }
      line.feed(c)
    }
  }

  /** No fence can begin on this line any more. */
  get resting(): boolean {
    return this.line.resting
  }

  skipLine(): void {
    this.line.rest()
  }

  /** The line ends, or the text does. */
  endLine(): void {
    const { open, line } = this
    const { mark, size, bare } = line
    if (line.isFence) {
      if (!open) {
        this.open = { mark, size, start: this.start }
        this.stray = bare
      } else if (mark === open.mark && size >= open.size && bare) this.open = undefined
    }
    line.begin()
  }
}
