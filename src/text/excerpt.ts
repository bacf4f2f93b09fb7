import type { Tape } from '../core/tape.ts'

/** A content, as the places in the text that it is made of: so no text is kept twice. */
export class Excerpt {
  private readonly ends: number[] = []

  add(start: number, length: number): void {
    const { ends } = this
    const last = ends.length - 1
    if (ends[last] === start) ends[last] = start + length
    else ends.push(start, start + length)
  }

  text(tape: Tape): string {
    let text = ''
    for (let i = 0; i < this.ends.length; i += 2)
      text += tape.slice(this.ends[i] as number, this.ends[i + 1] as number)
    return text
  }
}
