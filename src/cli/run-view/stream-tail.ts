/** More than fits into a window. */
const LONGEST = 400

/** The last line of a text that arrives in pieces; the rest of it is not kept. */
export class StreamTail {
  private line = ''
  /** It is shown until something stands on the next line. */
  private before = ''

  push(text: string): void {
    // Of what is longer, the start is not seen.
    const [first = '', ...rest] = text.slice(-2 * LONGEST).split(/[\r\n]/)
    this.add(first)
    for (const line of rest) {
      if (this.line.trim() !== '') this.before = this.line
      this.line = ''
      this.add(line)
    }
  }

  get text(): string {
    return this.line.trim() === '' ? this.before.trim() : this.line.trim()
  }

  private add(text: string): void {
    this.line = (this.line + text).slice(-LONGEST)
  }
}
