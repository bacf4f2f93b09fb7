import { Tape } from './tape.ts'

/**
 * A place in text that is still arriving. What was understood is consumed, so that the text waiting in `buf` stays
 * short however the chunks fall; all of it stays on the tape.
 */
export class TextCursor {
  readonly tape = new Tape()
  /** Characters looked at, and whatever else a reader does for them: what the growth tests count. */
  steps = 0
  /** No more text will come. */
  ending = false
  /** The text not yet read: `buf` from `pos` on, which stands at the offset `base + pos`. */
  buf = ''
  pos = 0
  base = 0

  push(chunk: string): void {
    this.tape.append(chunk)
    const { buf, pos } = this
    this.buf = pos < buf.length ? buf.slice(pos) + chunk : chunk
    this.base += pos
    this.pos = 0
  }

  get offset(): number {
    return this.base + this.pos
  }

  get length(): number {
    return this.tape.length
  }

  get atEnd(): boolean {
    return this.pos >= this.buf.length
  }

  /** Reads on up to an index of the buffer. */
  moveTo(pos: number): void {
    this.steps += Math.max(0, pos - this.pos)
    this.pos = pos
  }

  /** Reads on from an offset, which may be an earlier one. */
  goTo(offset: number): void {
    if (offset < this.base) {
      this.buf = this.tape.slice(offset, this.base + this.buf.length)
      this.base = offset
    }
    this.pos = offset - this.base
  }

  slice(from: number, to: number): string {
    if (from >= this.base) return this.buf.slice(from - this.base, to - this.base)
    return from === 0 && to === this.length ? this.tape.text() : this.tape.slice(from, to)
  }
}
