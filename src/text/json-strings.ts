import { isBlank, isLineEnd } from './line-matcher.ts'

const codesOf = (text: string) => new Set(Array.from(text, (character) => character.charCodeAt(0)))
const OPENING = codesOf('[{')
const CLOSING = codesOf(']}')
const QUOTES = codesOf('"\'')
/** What a string stands behind. */
const BEFORE_STRING = codesOf('[{:,')
/** What stands behind the first bracket of a value. In prose it is a word. */
const BEHIND_BRACKET = codesOf('[{]}"\'')

/**
 * Tells whether a place in a text is within a string of JSON. What stands there belongs to the value.
 *
 *     Tool Calls: [{"text": "the <think> tag"}]
 *                            ^^^^^^^^^^^^^^^
 *
 * A string ends with its line, as in JSON: one that lacks its end hides no more than that.
 */
export class JsonStrings {
  private quote = 0
  private escaped = false
  private depth = 0
  /** A bracket that may begin a value. */
  private bracket = false
  /** The last character that is no space, outside of strings. */
  private last = 0

  get inside(): boolean {
    return this.quote !== 0
  }

  /** Something else begins: a value does not go on there. */
  reset(): void {
    this.quote = this.depth = this.last = 0
    this.escaped = this.bracket = false
  }

  feed(text: string): void {
    for (let i = 0; i < text.length; i++) this.see(text.charCodeAt(i))
  }

  private see(c: number): void {
    if (this.quote !== 0) this.seeInside(c)
    else if (!isBlank(c) && !isLineEnd(c)) this.seeOutside(c)
  }

  private seeInside(c: number): void {
    const ends = isLineEnd(c) || (c === this.quote && !this.escaped)
    this.escaped = c === 92 && !this.escaped
    if (!ends) return
    this.quote = 0
    this.last = c
  }

  private seeOutside(c: number): void {
    if (this.bracket) {
      this.bracket = false
      if (BEHIND_BRACKET.has(c)) this.depth = 1
    }
    if (this.depth === 0) this.bracket = OPENING.has(c)
    else if (OPENING.has(c)) this.depth++
    else if (CLOSING.has(c)) this.depth--
    else if (QUOTES.has(c) && BEFORE_STRING.has(this.last)) {
      this.quote = c
      this.escaped = false
    }
    this.last = c
  }
}
