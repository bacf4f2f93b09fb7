import { type BareValue, bareValue, cutValue, smallInteger } from './bare-value.ts'
import { isDigit, trimSpaceEnd } from './characters.ts'
import { JsonCursor } from './cursor.ts'
import { NextSpecial } from './next-special.ts'
import { afterComma, ELEMENT, END, INNER, KEY, keyAhead, MEMBER, stringEnd, WAIT } from './string-end.ts'
import { blockText, closingQuote, simpleEscapes } from './string-text.ts'

/** Reads strings and bare words: the tokens that have an inside. Where they stand, the machine knows. */
export abstract class JsonTokens extends JsonCursor {
  /** The value was found in prose: text that does not belong into JSON shows that it was none. */
  protected tentative = false
  /** The first quote kept as content of the string being read: it may have been the end after all. */
  protected suspect = -1
  /** A quote that ends its string whatever follows. */
  protected forced = -1
  protected isKey = false
  /** What was added to the string since it was last told of; kept only if somebody listens. */
  protected fresh = ''
  protected listening = false

  private innerQuotes = 0
  private quote = 34
  private escaped = false
  /** What the word up to `bareEnd` means, once that was asked. */
  private bare: BareValue | undefined
  private bareEnd = -1
  private readonly special = new NextSpecial()

  /** Whether the value at hand is an element of an array. */
  protected abstract get inArray(): boolean
  /** Whether a container of this kind is open, at any level. */
  protected abstract encloses(array: boolean): boolean
  protected abstract valueRead(value: unknown, start: number, end: number): void
  protected abstract keyRead(key: string): void
  protected abstract missingValue(): boolean
  /** The comma was read already: the next thing is a key. */
  protected abstract memberFollows(): boolean
  /** The value turned out to be none. */
  protected abstract drop(): boolean

  protected override add(part: string): void {
    this.text = this.text === '' ? part : this.text + part
    if (this.listening) this.fresh += part
  }

  // "abc"  'abc'  """abc"""  \"abc\"
  // ^
  protected openString(c: number, isKey: boolean, before = ''): boolean {
    const { buf } = this
    const escaped = c === 92
    const at = escaped ? this.pos + 1 : this.pos
    const quote = buf.charCodeAt(at)
    let triple = false
    if (quote === 34 || quote === 39 || quote === 96) {
      // "" may be empty, or the beginning of """.
      const second = buf.charCodeAt(at + 1)
      if (second === quote || at + 1 >= buf.length) {
        if (at + 2 >= buf.length && !this.ending) return false
        triple = buf.charCodeAt(at + 2) === quote && second === quote
      }
    }
    const size = triple ? 3 : 1
    this.textStart = this.offset
    if (escaped) this.note('escaped_quotes', {}, this.offset, this.offset + 2)
    else if (c !== 34 || triple)
      this.note('wrong_quotes', { quote: buf.slice(at, at + size) }, this.offset, this.offset + size)
    this.isKey = isKey
    this.escaped = escaped
    this.quote = closingQuote(quote)
    this.text = before
    this.fresh = ''
    this.suspect = -1
    this.innerQuotes = 0
    this.pos = at + size
    this.state = triple ? this.inBlock : this.inString
    return triple || this.inString()
  }

  // "ab\ncd"
  //  ^^^^^^
  protected inString(): boolean {
    const { buf, quote } = this
    const end = buf.length
    let i = this.pos
    // In a long text the engine finds the next quote far faster than we do.
    if (quote < 128 && !this.escaped && end - i > 64) {
      i = this.special.find(buf, this.base, i, quote)
    }
    for (; i < end; i++) {
      const c = buf.charCodeAt(i)
      if (c > 92 && c < 0x2000) {
        if (c !== quote) continue
      } else if (c > 34 && c !== 92 && c !== quote) continue
      if (c === quote || (c === 34 && quote === 0x201d)) {
        if (this.escaped) continue
        this.take(i)
        this.state = this.atQuote
        return this.atQuote()
      }
      if (c === 92) {
        this.take(i)
        return this.escape()
      }
      if (c < 32) this.note('unescaped_control', { code: c }, this.base + i, this.base + i + 1)
    }
    this.take(end)
    return false
  }

  // "ab" cd"
  //    ^
  protected atQuote(): boolean {
    const place = this.isKey ? KEY : this.inArray ? ELEMENT : MEMBER
    const size = this.escaped ? 2 : 1
    const verdict =
      this.offset === this.forced
        ? END
        : stringEnd(
            this.buf,
            this.pos + size,
            place,
            this.encloses(true),
            this.encloses(false),
            this.ending,
            this.suspect >= 0,
          )
    if (verdict === WAIT) return false
    if (verdict === INNER) {
      // {"a": "b, "c": 1}
      //           ^  the string ended before the comma, where its quote is missing
      if (place === MEMBER && /,\s*$/.test(this.tape.slice(this.offset - 200, this.offset))) {
        const next = keyAhead(this.buf, this.pos, this.ending)
        if (next === WAIT) return false
        if (next === END) return this.endBeforeComma()
      }
      this.note('unescaped_quote', {}, this.offset, this.offset + size)
      if (this.suspect < 0) this.suspect = this.offset
      this.innerQuotes++
      this.take(this.pos + size)
      this.state = this.inString
      return true
    }
    this.pos += size
    this.endString()
    return true
  }

  private endBeforeComma(): boolean {
    let text = this.text.replace(/,\s*$/, '')
    const end = this.offset - (this.text.length - text.length)
    if (this.innerQuotes === 1) {
      // {"a": "b" junk, "c": 1}: the one quote within it was the end.
      const junk = end - this.suspect - 1
      text = text.slice(0, -junk - 1)
      this.takeBackNotes(this.suspect)
      this.noteJunk(this.tape.slice(this.suspect + 1, end), this.suspect + 1)
    } else {
      this.takeBackNotes(end)
      this.note('unclosed_string', {}, this.textStart, end)
    }
    this.text = ''
    this.fresh = ''
    this.valueRead(text, this.textStart, end)
    return this.memberFollows()
  }

  private endString(): void {
    const { text } = this
    this.text = ''
    if (this.isKey) {
      this.fresh = ''
      this.isKey = false
      this.keyRead(text)
    } else this.valueRead(text, this.textStart, this.offset)
  }

  // "a\n\u00e9"
  //   ^ ^
  private escape(): boolean {
    const { buf, pos, escaped } = this
    if (escaped && buf.charCodeAt(pos + 1) === this.quote) {
      this.state = this.atQuote
      return true
    }
    // Within escaped quotes, escapes are escaped once more: \\\" is \" is ".
    const lead = escaped && buf.charCodeAt(pos + 1) === 92 ? 1 : 0
    const again = lead === 1 && buf.charCodeAt(pos + 2) === 92 ? 1 : 0
    const at = pos + 1 + lead + again
    if (at + 1 > buf.length) {
      if (this.ending) this.pos = buf.length
      return false
    }
    const c = buf[at] as string
    let size = at + 1 - pos
    let text = simpleEscapes.get(c)
    if (c === 'u' || c === 'x') {
      const digits = buf.slice(at + 1, at + (c === 'u' ? 5 : 3))
      const hex = /^[0-9a-fA-F]*$/.test(digits)
      if (hex && digits.length === (c === 'u' ? 4 : 2)) {
        text = String.fromCharCode(Number.parseInt(digits, 16))
        size += digits.length
      } else if (hex && at + 1 + digits.length >= buf.length) {
        // The text may have been cut within the escape: half of it means nothing.
        if (this.ending) this.pos = buf.length
        return false
      }
    }
    if (text === undefined || c === "'" || c === 'x' || c === '\n')
      this.note('invalid_escape', { text: buf.slice(pos, pos + size) }, this.offset, this.offset + size)
    this.add(text ?? buf.slice(pos, pos + size))
    this.pos += size
    return true
  }

  // """ab"""
  //    ^^
  protected inBlock(): boolean {
    const { buf } = this
    const mark = String.fromCharCode(this.quote).repeat(3)
    const end = buf.indexOf(mark, this.pos)
    if (end < 0 && !this.ending) {
      this.take(buf.length - 2)
      return false
    }
    this.take(end < 0 ? buf.length : end)
    if (end < 0) this.note('unclosed_string', {}, this.textStart, this.offset)
    else this.pos += 3
    this.text = blockText(this.text, this.quote === 96)
    this.endString()
    return true
  }

  // 12,   true}   null]
  // ^
  /** Reads a scalar of plain JSON that ends in sight; false if it is anything else. */
  protected readPlain(c: number): boolean {
    const { buf, pos } = this
    let end = pos + 1
    while (end < buf.length && isPlain(buf.charCodeAt(end))) end++
    const next = buf.charCodeAt(end)
    if (next === 44) {
      // 1,000 is one number.
      if (!this.inArray && (end + 1 >= buf.length || isDigit(buf.charCodeAt(end + 1)))) return false
    } else if (next === 125 ? !this.encloses(false) : next !== 93 || !this.encloses(true)) return false
    const text = buf.slice(pos, end)
    let value: unknown
    if (c > 57) {
      if (text === 'true') value = true
      else if (text === 'false') value = false
      else if (text === 'null') value = null
      else return false
    } else {
      const small = smallInteger(text)
      const bare = small < 0 ? bareValue(text) : undefined
      if (bare?.code) return false
      value = bare ? bare.value : small
    }
    const start = this.offset
    this.pos = end
    this.valueRead(value, start, this.offset)
    return true
  }

  protected startBare(): boolean {
    this.text = ''
    this.textStart = this.offset
    this.state = this.inBare
    return this.inBare()
  }

  // {"a": 12, "b": hello world}
  //       ^        ^
  protected inBare(): boolean {
    const { buf } = this
    const array = this.inArray
    let i = this.pos
    for (; i < buf.length; i++) {
      const c = buf.charCodeAt(i)
      if (c > 93 ? c !== 125 : c > 59 && c < 92) continue
      if (c === 10 || c === 13) return this.endBare(i, false)
      // {"a": 1 "b": 2}
      //         ^
      if (c === 34 && this.bareSoFar(i) !== 'unquoted_text') return this.endBare(i, false)
      if ((c === 125 || c === 93) && (this.encloses(c === 93) || this.bareSoFar(i) !== 'unquoted_text'))
        return this.endBare(i, false)
      if (c === 92) {
        // \n between the tokens of escaped JSON
        if (i + 1 >= buf.length && !this.ending) return this.keepBare(i)
        if (/[nrt]/.test(buf[i + 1] ?? '')) return this.endBare(i, false)
      }
      if (c === 44 || c === 59) {
        const verdict = array ? END : this.memberComma(i)
        if (verdict === END) return this.endBare(i, false)
        if (verdict === WAIT) return this.keepBare(i)
      } else if ((c === 47 || c === 35) && i + this.base > this.textStart && this.spaceBefore(i)) {
        const second = buf.charCodeAt(i + 1)
        if (i + 1 >= buf.length && !this.ending) return this.keepBare(i)
        if (c === 35 || second === 47 || second === 42) return this.endBare(i, false)
      }
    }
    return this.ending ? this.endBare(i, true) : this.keepBare(i)
  }

  /** What follows `end` can't be told yet. */
  private keepBare(end: number): boolean {
    this.take(end)
    return false
  }

  private spaceBefore(at: number): boolean {
    const before = at > this.pos ? this.buf.charCodeAt(at - 1) : this.lastTaken
    return before === 32 || before === 9
  }

  // A comma within 1,000, or between words, belongs to the value.
  private memberComma(at: number): number {
    const { buf } = this
    const c = buf.charCodeAt(at + 1)
    if (Number.isNaN(c) && !this.ending) return WAIT
    if (isDigit(c) && /^[+-]?\d{1,3}(?:,\d{3})*$/.test(this.soFar(at) ?? '')) {
      const digits = /^\d{0,4}/.exec(buf.slice(at + 1, at + 5))?.[0] as string
      if (at + 1 + digits.length >= buf.length && digits.length < 4 && !this.ending) return WAIT
      return digits.length === 3 ? INNER : END
    }
    return this.bareSoFar(at) === 'unquoted_text' ? afterComma(buf, at + 1, MEMBER, this.ending) : END
  }

  private bareSoFar(end: number): BareValue['code'] {
    const text = this.soFar(end)
    if (text === undefined) return 'unquoted_text'
    this.bare = bareValue(text)
    this.bareEnd = this.base + end
    return this.bare.code
  }

  /** The word up to `end`; a long one is none that means anything. */
  private soFar(end: number): string | undefined {
    return this.text.length + end - this.pos > 40
      ? undefined
      : (this.text + this.buf.slice(this.pos, end)).trim()
  }

  private endBare(end: number, cut: boolean): boolean {
    this.take(end)
    const start = this.textStart
    const text = trimSpaceEnd(this.text)
    const stop = start + text.length
    this.text = ''
    if (/^[^"]+"$/.test(text)) {
      // {"a": b", "c": 1}: the first quote is missing.
      this.note('unquoted_text', { text }, start, stop)
      this.valueRead(text.slice(0, -1), start, stop)
      return true
    }
    const bare = this.bareEnd === this.offset && this.bare ? this.bare : bareValue(text)
    const part = !cut ? undefined : bare.code === 'unquoted_text' ? cutValue(text) : bare
    if (part) this.note('cut_off', { text }, start, stop)
    else if (cut && (text === '-' || text === '+')) return this.missingValue()
    else if (bare.code === 'unquoted_text' && this.tentative && /[{}[\]()"]/.test(text)) return this.drop()
    else if (bare.code) this.note(bare.code, { text }, start, stop)
    this.valueRead((part ?? bare).value, start, stop)
    return true
  }
}

/** Characters of numbers and of lower-case words. */
function isPlain(c: number): boolean {
  return (c >= 48 && c <= 57) || c === 46 || c === 43 || c === 45 || c === 69 || (c >= 97 && c <= 122)
}
