// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what it looks for
const control = /[\u0000-\u0009\u000b-\u001f]/g

/**
 * Finds the next character that a string may not hold as it is: its quote, a line break, a backslash, a control
 * character. What was found for one string is mostly still ahead for the next, so each kind is looked for only when
 * the last one found has been passed.
 */
export class NextSpecial {
  private base = -1
  private from = 0
  private quote = 0
  private quoteAt = -1
  private lineBreakAt = -1
  private backslashAt = -1
  private controlAt = -1

  /** `base`: where `text` stands in all of the text; it tells whether this is still the same text. */
  find(text: string, base: number, from: number, quote: number): number {
    // What was found behind a place says nothing about the text before it.
    if (this.base !== base || from < this.from) {
      this.base = base
      this.quoteAt = this.lineBreakAt = this.backslashAt = this.controlAt = -1
    }
    this.from = from
    if (this.quote !== quote) {
      this.quote = quote
      this.quoteAt = -1
    }
    if (this.quoteAt < from) this.quoteAt = indexOf(text, String.fromCharCode(quote), from)
    if (this.lineBreakAt < from) this.lineBreakAt = indexOf(text, '\n', from)
    if (this.backslashAt < from) this.backslashAt = indexOf(text, '\\', from)
    if (this.controlAt < from) {
      control.lastIndex = from
      this.controlAt = control.exec(text)?.index ?? text.length
    }
    return Math.min(this.quoteAt, this.lineBreakAt, this.backslashAt, this.controlAt)
  }
}

function indexOf(text: string, mark: string, from: number): number {
  const at = text.indexOf(mark, from)
  return at < 0 ? text.length : at
}
