import { isDigit, isQuote, isSpace } from '../../json/characters.ts'
import type { Literal, LiteralKind, LiteralOptions } from './literal.ts'
import { closers, delimiterAt, isWordPart, keyEnd, prefixLength, skipSpace } from './literal-text.ts'
import { arithmeticOf, numberOf } from './number-literal.ts'
import { StringEnds, unescapeText } from './string-literal.ts'

const words: ReadonlyMap<string, boolean | null> = new Map([
  ['True', true],
  ['true', true],
  ['TRUE', true],
  ['False', false],
  ['false', false],
  ['FALSE', false],
  ['None', null],
  ['null', null],
  ['NULL', null],
  ['undefined', null],
])

/** Strings, numbers, words, and whatever else stands where a value belongs. */
export class LiteralScalars {
  readonly text: string
  private readonly quotes: readonly string[]
  private readonly markdown: boolean
  private readonly ends: StringEnds
  /** The brackets that will close what is open, innermost last. */
  protected readonly open: string[] = []
  at = 0
  /** Everything so far closed by itself. */
  complete = true

  constructor(text: string, options: LiteralOptions) {
    this.text = text
    this.quotes = options.quotes ?? []
    this.markdown = options.markdown ?? false
    this.ends = new StringEnds(text)
  }

  protected skip(): void {
    this.at = skipSpace(this.text, this.at)
  }

  protected read(value: unknown, kind: LiteralKind, complete = true): Literal {
    if (!complete) this.complete = false
    return { value, end: this.at, complete, kind }
  }

  /** Whether a value can end here. */
  protected stopsAt(at: number, kind: LiteralKind): boolean {
    const { text } = this
    const next = skipSpace(text, at)
    if (next >= text.length || ',)]}'.includes(text.charAt(next))) return true
    const scalar = kind !== 'array' && kind !== 'object' && kind !== 'string'
    const line = next > at && text.slice(at, next).includes('\n')
    if (this.open.length === 0) return !scalar || line
    // A comma is missing: a="b" c="d", or a line ends.
    if (next === at) return false
    if (keyEnd(text, next, '=') > 0 || isQuote(text.charCodeAt(next))) return true
    return kind !== 'text' && line && isWordPart(text.charCodeAt(next))
  }

  // 'text', r"text", """text"""
  // ^
  protected string(isKey: boolean): Literal | undefined {
    const { text } = this
    const prefix = prefixLength(text, this.at)
    const raw = prefix > 0 && /r/i.test(text.slice(this.at, this.at + prefix))
    const delimiter = delimiterAt(text, this.at + prefix, this.quotes)
    if (!delimiter) return undefined
    const from = this.at + prefix + delimiter.open.length
    const end = this.ends.find(from, delimiter, isKey)
    const body = text.slice(from, end < 0 ? text.length : end)
    this.at = end < 0 ? text.length : end + delimiter.close.length
    const read = this.read(delimiter.plain && !raw ? this.said(body) : body, 'string', end >= 0)
    return isKey ? read : this.joined(read)
  }

  // 'one '
  // 'two'
  // ^
  private joined(first: Literal): Literal {
    let value = first.value as string
    let complete = first.complete
    while (this.open.length > 0) {
      const next = skipSpace(this.text, this.at)
      const c = this.text.charCodeAt(next)
      if ((c !== 34 && c !== 39) || !this.text.slice(this.at, next).includes('\n')) break
      const start = this.at
      this.at = next
      const more = this.string(true)
      if (!more || this.text[skipSpace(this.text, this.at)] === ':') {
        this.at = start
        break
      }
      value += more.value
      complete = more.complete
    }
    return value === first.value ? first : this.read(value, 'string', complete)
  }

  private said(body: string): string {
    return unescapeText(this.markdown ? body.replaceAll('\\_', '_') : body)
  }

  // True, 1_000, -3, New York, 2*3, x[1], datetime(2020, 1, 1)
  // ^
  protected word(): Literal | undefined {
    const { text, at: start } = this
    let end = start
    const first = text.charCodeAt(start)
    if (first === 43 || first === 45) end++
    while (end < text.length) {
      const c = text.charCodeAt(end)
      const sign = (c === 43 || c === 45) && /[\d.][eE]$/.test(text.slice(end - 2, end))
      if (!isWordPart(c) && c !== 46 && !sign) break
      end++
    }
    const word = text.slice(start, end)
    const known = words.get(word)
    const value = known !== undefined ? known : numberOf(word)
    if (value === undefined) return this.bare(start, start)
    this.at = end
    return this.read(value, value === null ? 'null' : typeof value === 'number' ? 'number' : 'boolean')
  }

  /** The text up to what ends a value, with all that is bracketed or quoted in it. */
  protected bare(start: number, from: number): Literal | undefined {
    const { text } = this
    const inner: string[] = []
    let at = from
    for (; at < text.length; at++) {
      const c = text.charAt(at)
      const close = closers.get(c)
      if (close !== undefined) inner.push(close)
      else if (c === ')' || c === ']' || c === '}') {
        if (inner.length === 0) break
        while (inner.length > 0 && inner.pop() !== c);
      } else if (inner.length === 0 && (c === ',' || (c === '\n' && this.endsLine(at)))) break
      else if ((c === '"' || c === "'") && !isWordPart(text.charCodeAt(at - 1))) {
        const quote = text.indexOf(c, at + 1)
        const line = quote < 0 ? -1 : text.slice(at, quote).indexOf('\n')
        if (quote > 0 && line < 0) at = quote
      }
    }
    let end = at
    while (end > start && isSpace(text.charCodeAt(end - 1))) end--
    this.at = end
    if (end === start) return undefined
    const raw = text.slice(start, end)
    const folded =
      isDigit(raw.charCodeAt(raw.length - 1)) || raw.endsWith(')') ? arithmeticOf(raw) : undefined
    if (folded !== undefined) return this.read(folded, 'number')
    return this.read(this.markdown ? raw.replaceAll('\\_', '_') : raw, 'text', inner.length === 0)
  }

  /** Whether a line break ends bare text: where nothing is open, and where a new member stands behind it. */
  private endsLine(at: number): boolean {
    if (this.open.length === 0) return true
    const next = skipSpace(this.text, at)
    return keyEnd(this.text, next, '=') > 0 || isQuote(this.text.charCodeAt(next))
  }
}
