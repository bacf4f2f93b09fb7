import { TextCursor } from '../../core/text-cursor.ts'

/** A place in the text of a model, and what stands around it. */
export class CallCursor extends TextCursor {
  /** What was last skipped. */
  private space = { start: -1, end: -1 }
  private separators = { start: -1, end: -1 }
  private breaks = { start: -1, end: -1 }

  /** Where the next character that is no space stands; the length of the text when there is none yet. */
  afterSpace(from = this.pos): number {
    const { buf, base } = this
    // Where much space arrives bit by bit, it is not looked at again.
    const { start, end } = this.space
    let i = start === base + from ? Math.max(from, end - base) : from
    while (i < buf.length && isSpace(buf.charCodeAt(i))) i++
    this.space = { start: base + from, end: base + i }
    return i
  }

  /** The same, where these characters are skipped as well. */
  afterSeparators(from: number, characters: string): number {
    const { base, buf } = this
    const { start, end } = this.separators
    let i = start === base + from ? Math.max(from, end - base) : from
    for (i = this.afterSpace(i); i < buf.length && characters.includes(buf[i] as string); )
      i = this.afterSpace(i + 1)
    this.separators = { start: base + from, end: base + i }
    return i
  }

  /** The same, where a line break may also be written as `\n`, in two characters. */
  afterBreaks(from: number): number {
    const { buf, base } = this
    const { start, end } = this.breaks
    let i = this.afterSpace(start === base + from ? Math.max(from, end - base) : from)
    while (buf.startsWith('\\n', i)) i = this.afterSpace(i + 2)
    this.breaks = { start: base + from, end: base + i }
    // A backslash at the end is half of one, for all that is known.
    return !this.ending && i === buf.length - 1 && buf[i] === '\\' ? buf.length : i
  }

  /** Up to `most` characters before `pos`, read already or not. */
  before(pos: number, most: number): string {
    if (pos >= most) return this.buf.slice(pos - most, pos)
    const to = this.base + pos
    return this.tape.slice(Math.max(0, to - most), to)
  }
}

function isSpace(c: number): boolean {
  return c === 32 || (c >= 9 && c <= 13) || c === 0xa0 || c === 0xfeff
}
