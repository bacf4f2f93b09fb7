import type { Tape } from '../core/tape.ts'

/** A content, as the places in the text that it is made of: so no text is kept twice. */
export class Excerpt {
  private readonly ends: number[] = []
  /** The last place, which mostly grows. */
  private start = 0
  private end = 0

  add(start: number, length: number): void {
    if (this.end !== start) {
      if (this.end > this.start) this.ends.push(this.start, this.end)
      this.start = start
    }
    this.end = start + length
  }

  text(tape: Tape): string {
    let text = ''
    for (let i = 0; i < this.ends.length; i += 2)
      text += tape.slice(this.ends[i] as number, this.ends[i + 1] as number)
    return text + tape.slice(this.start, this.end)
  }
}
