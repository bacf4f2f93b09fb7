import { isDigit, isIdentifierPart, isIdentifierStart, isQuote } from './characters.ts'
import { type Frame, JsonContainers } from './containers.ts'
import { KEY_WORDS, keyColon } from './key-words.ts'
import { afterComma, END, INNER, keyAhead, MEMBER, WAIT } from './string-end.ts'

/** Reads one JSON value, tolerantly, as its characters arrive: one state for each place in its grammar. */
export abstract class JsonMachine extends JsonContainers {
  // {"a": [1, 2}
  //            ^  closes the array as well
  private closer(c: number): boolean {
    const array = c === 93
    if (!this.encloses(array)) {
      if (this.tentative) this.abandon()
      else {
        this.note('stray_closer', { text: array ? ']' : '}' }, this.offset, this.offset + 1)
        this.pos++
        this.state = this.afterValue
      }
      return true
    }
    const mixed = this.inArray !== array
    const closesRoot = this.frames.findLastIndex((frame) => frame.array === array) === 0
    if (!array && closesRoot && (mixed || this.mixed)) {
      // {"a": [1, 2}, "b": 3}
      //            ^  more members follow, so it can't have closed the object
      const goesOn = this.membersFollow()
      if (goesOn === undefined) return false
      if (goesOn) {
        while (this.inArray) this.closeUnclosed(this.offset, true)
        this.note('stray_closer', { text: '}' }, this.offset, this.offset + 1)
        this.pos++
        return true
      }
    }
    this.mixed ||= mixed
    while ((this.frame as Frame).array !== array) this.closeUnclosed(this.offset, true)
    this.pos++
    this.close(this.offset, true)
    return true
  }

  /** Whether a comma and a key stand behind the bracket at hand. */
  private membersFollow(): boolean | undefined {
    const { buf, ending } = this
    const next = buf.charCodeAt(this.pos + 1)
    if (this.pos + 1 >= buf.length) return ending ? false : undefined
    if (next !== 44) return false
    const verdict = afterComma(buf, this.pos + 2, MEMBER, ending)
    if (verdict === WAIT) return undefined
    return verdict === END && /^,\s*"/.test(buf.slice(this.pos + 1, this.pos + 100))
  }

  protected override memberFollows(): boolean {
    this.state = this.atKey
    return true
  }

  protected override hashIsComment(second: number): boolean {
    return this.state !== this.atValue || second === 32 || second === 10
  }

  // {"a": 1, "b": 2}
  //  ^       ^
  protected override atKey(): boolean {
    const c = this.next()
    if (c < 0) return false
    const frame = this.frame as Frame
    frame.keyStart = this.offset
    if (c === 34 || c === 39) return this.readExpectedKey(c) || this.openString(c, true)
    if (c === 125 || c === 93) return this.closer(c)
    if (c === 44) return this.extraComma()
    if (c === 46 || c === 0x2026) return this.ellipsis()
    if (c === 123 && this.frames.at(-2)?.array) {
      // [{"a": 1, {"a": 2}]
      //           ^
      this.closeUnclosed(this.offset, true)
      this.state = this.atValue
      return true
    }
    if (isQuote(c) || (c === 92 && isQuote(this.buf.charCodeAt(this.pos + 1))))
      return this.openString(c, true)
    if (!isIdentifierStart(c) && !isDigit(c) && c !== 45) return this.junk()
    if (this.readExpectedKey(0)) return true
    this.text = ''
    this.state = this.inBareKey
    return true
  }

  protected override keyRead(key: string): void {
    const frame = this.frame as Frame
    frame.key = key
    frame.keyEnd = this.offset
    this.expectKey(frame, key)
    this.state = this.afterKey
    if (this.pos < this.buf.length) this.afterKey()
  }

  // {a: 1}
  //  ^
  private inBareKey(): boolean {
    const { buf } = this
    let end = this.pos
    while (end < buf.length && isIdentifierPart(buf.charCodeAt(end))) end++
    this.take(end)
    if (end >= buf.length && !this.ending) return false
    if (buf.charCodeAt(end) === 34) {
      // {a": 1}: the first quote is missing.
      this.pos++
    } else if (buf.charCodeAt(end) === 32 && !this.tentative) {
      const colon = keyColon(buf, end)
      if (colon < 0 && buf.length < end + KEY_WORDS && !this.ending) return false
      if (colon >= 0) this.take(buf.charCodeAt(colon - 1) === 32 ? colon - 1 : colon)
    }
    const { keyStart } = this.frame as Frame
    this.note('unquoted_key', { key: this.text }, keyStart, this.offset)
    this.keyRead(this.text)
    return true
  }

  // {"a": 1}
  //     ^
  private afterKey(): boolean {
    const c = this.next()
    if (c < 0) return false
    this.state = this.atValue
    if (c === 58) {
      this.pos++
      return this.pos >= this.buf.length || this.atValue()
    }
    if (this.tentative && c !== 61 && c !== 91 && c !== 123) return this.drop()
    if (c === 61) {
      // = or =>
      if (this.pos + 1 >= this.buf.length && !this.ending) {
        this.state = this.afterKey
        return false
      }
      const size = this.buf[this.pos + 1] === '>' ? 2 : 1
      this.note('missing_colon', {}, this.offset, this.offset + size)
      this.pos += size
    } else if (c === 44 || c === 125 || c === 93) this.missingValue()
    else this.note('missing_colon', {}, this.offset, this.offset)
    return true
  }

  protected override missingValue(): boolean {
    const { key, keyStart, keyEnd } = this.frame as Frame
    this.note('missing_value', { key }, keyStart, keyEnd)
    this.state = this.afterValue
    return true
  }

  // {"a": 1, "b": [true]}
  //       ^        ^
  protected override atValue(): boolean {
    const c = this.next()
    if (c < 0) return false
    if (c === 34) return this.openString(c, false)
    if (c === 123 || c === 91) return this.open()
    if (((c >= 48 && c < 58) || (c > 96 && c < 123) || c === 45) && this.readPlain(c)) return true
    const { array } = this.frame as Frame
    if (c === 44) return array ? this.extraComma() : this.missingValue()
    if (c === 93 || c === 125) {
      if (!array) this.missingValue()
      return this.closer(c)
    }
    if (isQuote(c) || (c === 92 && isQuote(this.buf.charCodeAt(this.pos + 1))))
      return this.openString(c, false)
    if (c === 0x2026) return this.ellipsis()
    if (c === 46) {
      if (this.pos + 1 >= this.buf.length && !this.ending) return false
      if (this.buf.charCodeAt(this.pos + 1) === 46) return this.ellipsis()
    }
    return this.startBare()
  }

  // {"a": 1, "b": 2}
  //        ^       ^
  protected override afterValue(): boolean {
    const c = this.next()
    if (c < 0) return false
    if (c === 44 || c === 59) {
      if (c === 59) this.note('missing_comma', {}, this.offset, this.offset + 1)
      this.textStart = this.offset
      this.pos++
      this.state = this.afterSeparator
      return this.pos >= this.buf.length || this.afterSeparator()
    }
    if (c === 125 || c === 93) return this.closer(c)
    if (c === 43 && typeof this.last() === 'string') {
      this.note('joined_strings', {}, this.offset, this.offset + 1)
      this.pos++
      this.state = this.atJoin
      return true
    }
    if (c === 46 || c === 0x2026) return this.ellipsis()
    const { array } = this.frame as Frame
    if (c === 58 && array && this.encloses(false) && typeof this.last() === 'string')
      return this.takeBackKey()
    const quote = isQuote(c)
    if (!quote && isIdentifierStart(c) && /\n[ \t\r]*\n/.test(this.tape.slice(this.lastEnd, this.offset))) {
      // An empty line, and what follows is no key: the value was not closed, and prose goes on.
      const verdict = keyAhead(this.buf, this.pos, this.ending)
      if (verdict === WAIT) return false
      if (verdict === INNER || array) {
        this.closeAll(this.lastEnd)
        return true
      }
    }
    if (c === 96) {
      if (this.buf.length - this.pos < 3 && !this.ending) return false
      if (this.fenceAhead()) return this.junk()
    }
    if (
      array
        ? c === 123 || c === 91 || c === 45 || isDigit(c) || quote || isIdentifierStart(c)
        : quote || isIdentifierStart(c)
    ) {
      if (this.tentative && !quote && c !== 123 && c !== 91) return this.drop()
      this.note('missing_comma', {}, this.offset, this.offset)
      this.state = array ? this.atValue : this.atKey
      return true
    }
    return this.junk()
  }

  // {"a": 1, }
  //         ^
  private afterSeparator(): boolean {
    const c = this.next()
    if (c < 0) return false
    if (c === 125 || c === 93) {
      this.note('extra_comma', {}, this.textStart, this.textStart + 1)
      this.state = this.afterValue
      return this.closer(c)
    }
    this.state = (this.frame as Frame).array ? this.atValue : this.atKey
    return true
  }

  // {"a": [1, 2, "b": 3}
  //                 ^  what was taken for an element is a key: the array was not closed
  private takeBackKey(): boolean {
    const key = ((this.frame as Frame).value as unknown[]).pop() as string
    this.listener?.takeBack((this.frame as Frame).index - 1)
    while ((this.frame as Frame).array) this.closeUnclosed(this.offset, true)
    ;(this.frame as Frame).keyStart = this.textStart
    this.keyRead(key)
    return true
  }

  private extraComma(): boolean {
    this.note('extra_comma', {}, this.offset, this.offset + 1)
    this.pos++
    return true
  }

  // {"a": "one" + "two"}
  //              ^
  private atJoin(): boolean {
    const c = this.next()
    if (c < 0) return false
    if (!isQuote(c)) return this.junk()
    const frame = this.frame as Frame
    frame.index--
    if (this.openString(c, false, this.last(0) as string)) return true
    if (this.state === this.atJoin) frame.index++
    return false
  }

  // [1, 2, ...]
  //        ^
  private ellipsis(): boolean {
    const one = this.buf.charCodeAt(this.pos) === 0x2026
    if (!one && this.buf.length - this.pos < 3 && !this.ending) return false
    if (!one && !this.buf.startsWith('..', this.pos)) return this.junk()
    const size = one ? 1 : this.buf.startsWith('...', this.pos) ? 3 : 2
    // ...defaults, the spread of a program
    let end = this.pos + size
    while (end < this.buf.length && end < this.pos + KEY_WORDS && isIdentifierPart(this.buf.charCodeAt(end)))
      end++
    if (end >= this.buf.length && end < this.pos + KEY_WORDS && !this.ending) return false
    this.note('ellipsis', {}, this.offset, this.base + end)
    this.pos = end
    this.state = this.afterEllipsis
    return true
  }

  private afterEllipsis(): boolean {
    const c = this.next()
    if (c < 0) return false
    if (c === 44) this.pos++
    this.state = c === 44 ? ((this.frame as Frame).array ? this.atValue : this.atKey) : this.afterValue
    return true
  }

  private fenceAhead(): boolean {
    return this.buf.startsWith('```', this.pos)
  }

  protected override drop(): boolean {
    this.abandon()
    return true
  }

  // {"a": 1) oops, "b": 2}
  //        ^^^^^^
  private junk(): boolean {
    if (this.tentative) return this.drop()
    if (this.buf.charCodeAt(this.pos) === 96) {
      if (this.buf.length - this.pos < 3 && !this.ending) return false
      if (this.fenceAhead()) {
        this.closeAll(this.lastEnd)
        return true
      }
    }
    this.text = ''
    this.textStart = this.offset
    this.state = this.inJunk
    this.take(this.pos + 1)
    return true
  }

  private inJunk(): boolean {
    const { buf } = this
    let end = this.pos
    for (; end < buf.length; end++) {
      const c = buf.charCodeAt(end)
      if (c === 44 || c === 125 || c === 93 || c === 10) break
    }
    this.take(end)
    if (end >= buf.length && !this.ending) return false
    this.endJunk()
    return true
  }

  private endJunk(): void {
    this.noteJunk(this.text, this.textStart)
    this.state = this.afterValue
  }

  /** The text ends here, whatever was being read. */
  protected endValue(): void {
    this.endComment()
    if (!this.frame) return
    const end = this.offset
    const { state, frame } = this
    if (state === this.inString || state === this.atQuote) {
      this.note('unclosed_string', {}, this.textStart, end)
      if (!this.isKey) this.cut = this.frames.map((one) => (one.array ? one.index : one.key))
      // Half of a pair that the end of the text has split means nothing.
      if (!this.isKey) this.valueRead(this.text.replace(/[\ud800-\udbff]$/, ''), this.textStart, end)
    } else if (state === this.inBlock || state === this.inBare || state === this.inBareKey) {
      // Nothing of the token was left to read, so its state did not run again.
      state.call(this)
    } else if (state === this.inJunk) this.endJunk()
    if (this.state === this.afterKey || (this.state === this.atValue && !frame.array) || this.isKey)
      this.note(
        'missing_value',
        { key: this.isKey ? this.text : frame.key },
        frame.keyStart,
        this.isKey ? end : frame.keyEnd,
      )
    this.closeAll(end)
  }
}
