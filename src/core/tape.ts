/** Chunks are gathered until they are this long: seldom enough to be cheap, short enough to be copied at once. */
const BLOCK = 2048

/**
 * The text seen so far. Chunks are gathered in blocks, because one string that grows by four
 * characters at a time is copied again whenever somebody looks into it.
 */
export class Tape {
  length = 0
  private blocks: string[] = []
  private starts: number[] = []
  private tail = ''
  looked = 0

  append(chunk: string): void {
    this.tail += chunk
    this.length += chunk.length
    if (this.tail.length >= BLOCK) this.seal()
  }

  slice(from: number, to: number): string {
    if (this.tail !== '') this.seal()
    let text = ''
    for (let i = this.blockAt(from); i < this.blocks.length; i++) {
      const start = this.starts[i] as number
      if (start >= to) break
      text += (this.blocks[i] as string).slice(Math.max(0, from - start), to - start)
    }
    return text
  }

  text(): string {
    if (this.tail !== '') this.seal()
    if (this.blocks.length > 1) {
      this.blocks = [this.blocks.join('')]
      this.starts = [0]
    }
    return this.blocks[0] ?? ''
  }

  private seal(): void {
    // Looking into a concatenation makes the engine lay it out as one string; kept, or it would not look.
    this.looked = this.tail.charCodeAt(0)
    this.starts.push(this.length - this.tail.length)
    this.blocks.push(this.tail)
    this.tail = ''
  }

  private blockAt(offset: number): number {
    let low = 0
    let high = this.starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((this.starts[middle] as number) <= offset) low = middle
      else high = middle - 1
    }
    return low
  }
}
