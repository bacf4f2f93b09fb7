import { isBlank, isLineEnd, LineMatcher, type LineTarget, type Verdict } from './line-matcher.ts'
import type { NameTable } from './name-table.ts'

/** As deep as headers go in Markdown. */
const DEEPEST = 6

/** Finds the headers of sections in Markdown. */
export class HeaderMatcher extends LineMatcher {
  private readonly level: number
  /** Headers of other levels match too, as near. */
  private readonly levels: boolean
  private hashes = 0
  private decoration = 0
  private under = 0

  constructor(table: NameTable<LineTarget>, level: number, fences = false, levels = false) {
    super(table, fences)
    this.level = level
    this.levels = levels
  }

  override begin(): void {
    super.begin()
    this.hashes = this.decoration = this.under = 0
  }

  protected override head(c: number): Verdict {
    this.phase = c === 35 ? this.inHashes : this.inUnderlined
    return this.phase(c)
  }

  // # Action
  // ^
  private inHashes(c: number): Verdict {
    if (c === 35 && this.hashes < (this.levels ? Math.max(this.level, DEEPEST) : this.level)) {
      this.hashes++
      return 'more'
    }
    this.near = this.hashes !== this.level
    if (c === 35 || (this.near && !this.levels)) return 'no'
    this.phase = this.beforeName
    this.loose = !isBlank(c)
    return this.beforeName(c)
  }

  // # **Action**
  //  ^^^
  private beforeName(c: number): Verdict {
    if (isBlank(c) && this.decoration === 0) return this.take()
    if (this.inName(c)) {
      this.phase = this.inHeader
      return 'more'
    }
    if (c !== 42 && c !== 95) return 'no'
    this.decoration++
    this.loose = true
    return this.take()
  }

  // # Action
  //   ^^^^^^
  private inHeader(c: number): Verdict {
    if (this.inName(c)) return 'more'
    if (!this.named()) return 'no'
    this.phase = this.behindName
    return this.behindName(c)
  }

  // # **Action:** ##
  //           ^^^^^^
  private behindName(c: number): Verdict {
    if (isLineEnd(c)) return this.decoration === 0 ? 'match' : 'no'
    if (isBlank(c)) return this.take()
    this.loose = true
    if ((c === 42 || c === 95) && this.decoration > 0) this.decoration--
    else if (c !== 35 && c !== 58) return 'no'
    return this.take()
  }

  // Action
  // ======
  private inUnderlined(c: number): Verdict {
    if (this.level > 2) return 'no'
    if (this.inName(c)) return 'more'
    if (this.token === '' || !this.named()) return 'no'
    this.loose = true
    this.phase = this.behindUnderlined
    return this.behindUnderlined(c)
  }

  private behindUnderlined(c: number): Verdict {
    if (c !== 10 && c !== 13 && !isBlank(c)) return 'no'
    if (c === 13) this.phase = this.behindReturn
    else if (c === 10) this.phase = this.inUnderline
    return this.take()
  }

  /** A carriage return alone ends the line, too: what follows is another. */
  private behindReturn(c: number): Verdict {
    if (c !== 10) return 'no'
    this.phase = this.inUnderline
    return this.take()
  }

  // ======
  // ^^^^^^
  private inUnderline(c: number): Verdict {
    if (c === (this.level === 1 ? 61 : 45)) {
      this.under++
      return this.take()
    }
    if (this.under < 3) return 'no'
    if (isLineEnd(c)) return 'match'
    this.phase = this.behindUnderline
    return this.behindUnderline(c)
  }

  private behindUnderline(c: number): Verdict {
    if (isLineEnd(c)) return 'match'
    return isBlank(c) ? this.take() : 'no'
  }
}
