import { Tape } from '../core/tape.ts'

/**
 * A place in a reply that is still arriving. `buf` from `pos` on has not been read yet; it stands at the offset
 * `base + pos` of the reply.
 */
export class TextCursor {
  buf = ''
  pos = 0
  base = 0
  /** No more text will come. */
  ending = false
  /** Characters looked at and regions entered: what the growth tests count. */
  steps = 0
  private readonly tape = new Tape()

  get offset(): number {
    return this.base + this.pos
  }

  get length(): number {
    return this.tape.length
  }

  push(chunk: string): void {
    this.tape.append(chunk)
    const { buf, pos } = this
    this.buf = pos < buf.length ? buf.slice(pos) + chunk : chunk
    this.base += pos
    this.pos = 0
  }

  /** Reads on up to an index of the buffer. */
  skip(end: number): void {
    this.steps += end - this.pos
    this.pos = end
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
