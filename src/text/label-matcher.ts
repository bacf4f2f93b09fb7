import { isBlank, isLineEnd, LineMatcher, type Verdict } from './line-matcher.ts'

/** Finds labels at the beginning of lines: `Plan:`, and what models make of it. */
export class LabelMatcher extends LineMatcher {
  private hashes = 0
  private decoration = 0
  /** How much decoration was opened in all. */
  private decorated = 0

  override begin(): void {
    super.begin()
    this.hashes = this.decoration = this.decorated = 0
  }

  protected override head(c: number): Verdict {
    if (this.inName(c)) {
      this.phase = this.inLabel
      return 'more'
    }
    if (c === 35) {
      this.phase = this.inHashes
      return this.inHashes(c)
    }
    if (c === 45 || c === 43 || c === 0x2022) return this.marker()
    if (c === 42) {
      this.phase = this.inStars
      return this.inStars(c)
    }
    if (isDigit(c)) {
      this.phase = this.inNumber
      return this.take()
    }
    return this.beforeName(c)
  }

  // ## Plan
  // ^^
  private inHashes(c: number): Verdict {
    this.loose = true
    if (c === 35 && this.hashes < 6) {
      this.hashes++
      return 'more'
    }
    this.phase = this.beforeName
    return this.beforeName(c)
  }

  // 1. Plan:
  // ^^
  private inNumber(c: number): Verdict {
    if (isDigit(c) && this.size < 3) return this.take()
    return c === 46 || c === 41 ? this.marker() : 'no'
  }

  // * Plan:      **Plan:**
  // ^            ^^
  private inStars(c: number): Verdict {
    if (c === 42 && this.decoration < 3) {
      this.decoration++
      return this.take()
    }
    if (isBlank(c)) {
      if (this.decoration !== 1) return 'no'
      this.decoration = 0
      this.marker()
      return this.behindMark(c)
    }
    this.decorated = this.decoration
    this.loose = true
    this.phase = this.beforeName
    return this.beforeName(c)
  }

  private marker(): Verdict {
    this.marked = true
    this.loose = true
    this.phase = this.behindMark
    return this.take()
  }

  // - Plan:
  //  ^
  private behindMark(c: number): Verdict {
    if (!isBlank(c)) return 'no'
    this.phase = this.beforeName
    return this.take()
  }

  // - **Plan:**
  //   ^^
  private beforeName(c: number): Verdict {
    if (isBlank(c) && this.decoration === 0 && (this.marked || this.hashes > 0)) return this.take()
    if (this.inName(c)) {
      this.phase = this.inLabel
      return 'more'
    }
    if ((c !== 42 && c !== 95) || this.decoration === 3) return 'no'
    this.decorated = ++this.decoration
    this.loose = true
    this.phase = this.beforeName
    return this.take()
  }

  // Plan:
  // ^^^^
  private inLabel(c: number): Verdict {
    if (this.inName(c)) return 'more'
    if (this.named()) {
      this.phase = this.behindName
      return this.behindName(c)
    }
    // A name that begins with a number was possible until here.
    if (!this.marked && /^[0-9]{1,3}$/.test(this.token) && (c === 46 || c === 41)) {
      this.token = ''
      return this.marker()
    }
    return 'no'
  }

  // **Plan**:
  //       ^^^
  private behindName(c: number): Verdict {
    if (isBlank(c)) return this.take()
    if (c === 58 || c === 0xff1a) {
      if (c !== 58 || this.token.endsWith(' ') || this.size > 0) this.loose = true
      this.phase = this.behindColon
      return this.take()
    }
    if ((c === 42 || c === 95) && this.decoration > 0) {
      this.decoration--
      return this.take()
    }
    // Without a colon only what stands alone on its line: ## Plan, **Plan**
    const alone = this.hashes > 0 || this.decorated > 1
    if (c === 35 && this.hashes > 0) return this.take()
    return isLineEnd(c) && alone && this.decoration === 0 ? 'match' : 'no'
  }

  // **Plan:** find it
  //        ^^
  private behindColon(c: number): Verdict {
    if (this.decoration === 0) return 'match'
    if (c !== 42 && c !== 95) return 'no'
    this.decoration--
    return this.take()
  }
}

const isDigit = (c: number): boolean => c >= 48 && c <= 57
