/**
 * Tells whether a place in a line is within quotes, or within inline code: more of them were opened than closed.
 *
 *     The log says "look: <action>…</action>" here.
 *                  ^^^^^^^
 *
 * They end with their line: one that lacks its end hides no more than that.
 */
export class LineQuotes {
  private double = false
  private code = false
  private curly = false
  private before = 0

  get open(): boolean {
    return this.double || this.code || this.curly
  }

  /** A line begins. */
  reset(): void {
    this.double = this.code = this.curly = false
  }

  feed(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i)
      if (c === 10 || c === 13) this.reset()
      // Within a string, a quote behind a backslash is a part of it.
      else if (c === 34) this.double = this.before === 92 && this.double ? true : !this.double
      // Several back quotes in a row are one.
      else if (c === 96 && this.before !== 96) this.code = !this.code
      else if (c === 0x201c || c === 0xab) this.curly = true
      else if (c === 0x201d || c === 0xbb) this.curly = false
      this.before = c
    }
  }
}
