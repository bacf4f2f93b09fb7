/** A place in a text: where a mark stands, or how far the text is plain. */
export interface Place {
  readonly at: number
  readonly mark: string | undefined
}

interface Found extends Place {
  readonly mark: string
}

/** Finds literal marks in text that is still arriving. */
export class Marks {
  private readonly pattern: RegExp | undefined
  /** The same, at one place only: what stands further on is not looked at. */
  private readonly sticky: RegExp | undefined
  /** All proper beginnings of marks: what must not be taken for plain text before more of it is there. */
  private readonly beginnings = new Set<string>()
  private readonly firsts = new Set<number>()
  private readonly longest: number
  private readonly more: Marks | undefined

  /** `more`: marks that are looked for as well; made once for many texts, while these are for one of them. */
  constructor(marks: Iterable<string>, more?: Marks) {
    // Where one mark begins another, the longer one is meant.
    const all = [...new Set(marks)].filter((mark) => mark !== '').sort((a, b) => b.length - a.length)
    this.more = more
    this.longest = all[0]?.length ?? 0
    if (all.length === 0) return
    for (const mark of all) {
      this.firsts.add(mark.charCodeAt(0))
      for (let size = 1; size < mark.length; size++) this.beginnings.add(mark.slice(0, size))
    }
    const first = [...this.firsts].map((c) => `\\u{${c.toString(16)}}`).join('')
    const source = `(?=[${first}])(?:${all.map(literally).join('|')})`
    this.pattern = new RegExp(source, 'gu')
    this.sticky = new RegExp(source, 'uy')
  }

  /**
   * The first mark at `from` or behind it. Without a mark: how far the text is plain, whatever comes next. `ending`: no
   * more text will come.
   */
  seek(text: string, from: number, ending: boolean): Place {
    const found = this.find(text, from)
    if (ending) return found ?? { at: text.length, mark: undefined }
    const held = this.heldFrom(text, from)
    return found && found.at < held ? found : { at: held, mark: undefined }
  }

  /** The mark that stands at `at`; `wait`: it may become one. */
  standsAt(text: string, at: number, ending: boolean): string | 'wait' | undefined {
    if (!ending && this.heldFrom(text, at, at) === at) return 'wait'
    return this.matchAt(text, at)
  }

  private matchAt(text: string, at: number): string | undefined {
    const { sticky } = this
    const other = this.more?.matchAt(text, at)
    if (!sticky) return other
    sticky.lastIndex = at
    const found = sticky.exec(text)?.[0]
    return found === undefined || (other !== undefined && other.length > found.length) ? other : found
  }

  private find(text: string, from: number): Found | undefined {
    if (!this.more) return this.nearest(text, from)
    // One kind of mark may be near and the other far away: neither is looked for further than the nearest one stands.
    for (let size = 256; ; size *= 4) {
      const end = from + size
      if (end + this.longestOfAll >= text.length) return this.nearest(text, from)
      const found = this.nearest(text.slice(0, end + this.longestOfAll), from)
      if (found && found.at <= end) return found
    }
  }

  private get longestOfAll(): number {
    return Math.max(this.longest, this.more?.longestOfAll ?? 0)
  }

  private nearest(text: string, from: number): Found | undefined {
    const { pattern, more } = this
    const other = more?.find(text, from)
    if (!pattern) return other
    pattern.lastIndex = from
    const found = pattern.exec(text)
    if (!found || (other && other.at < found.index)) return other
    if (other && other.at === found.index && other.mark.length > found[0].length) return other
    return { at: found.index, mark: found[0] }
  }

  /** Where the end of `text` begins that may become a mark; the length of the text when there is none. */
  private heldFrom(text: string, from: number, to = text.length - 1): number {
    const other = this.more ? this.more.heldFrom(text, from, to) : text.length
    for (let i = Math.max(from, text.length - this.longest + 1); i <= to && i < other; i++)
      if (this.firsts.has(text.charCodeAt(i)) && this.beginnings.has(text.slice(i))) return i
    return other
  }
}

/** A text as a regular expression that matches this text and no other. */
export function literally(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
}
