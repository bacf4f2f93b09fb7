import type { TextCursor } from '../core/text-cursor.ts'
import { isSpace } from '../json/characters.ts'
import type { ProseLine } from './prose-line.ts'
import type { Region } from './region.ts'

const LONGEST_CLOSING = 80

/** A code fence, from the line behind its opening on. */
export class Fence implements Region {
  readonly start: number
  readonly mark: number
  readonly contentStart: number
  content = ''
  /** Where it ends. */
  stop = 0
  /** It is closed. */
  complete = false

  /** It is the first thing in the reply, and so may be all of it. */
  private readonly isFirst: boolean
  private readonly size: number
  /** Whether it begins with an object; `undefined` while that is not known. */
  private holdsObject: boolean | undefined
  /** It is certain that the line at hand does not close the fence. */
  private inLine = false

  /** It is opened by the line that ends where its content begins. */
  constructor({ code, tildes, fenceStart, fenceFirst }: ProseLine, contentStart: number) {
    this.start = fenceStart
    this.mark = code >= 3 ? 96 : 126
    this.size = Math.max(code, tildes)
    this.contentStart = contentStart
    this.isFirst = fenceFirst
  }

  /** It may be the whole reply, if that is an object. */
  get alone(): boolean {
    return this.isFirst && this.holdsObject === true
  }

  /** It is text, or an example: not the whole reply. */
  get isText(): boolean {
    return !this.isFirst || this.holdsObject === false
  }

  // ```json
  // {"type": …
  // ^
  read(cursor: TextCursor): boolean {
    while (cursor.pos < cursor.buf.length) {
      const { buf, pos } = cursor
      const lineEnd = buf.indexOf('\n', pos)
      const end = lineEnd < 0 ? buf.length : lineEnd
      cursor.steps++
      if (!this.inLine && end - pos <= LONGEST_CLOSING) {
        const isWhole = lineEnd >= 0 || cursor.ending
        const closes = this.closes(buf.slice(pos, end), isWhole)
        if (closes && !isWhole) return false
        if (closes) {
          const contentEnd = cursor.offset
          cursor.moveTo(end)
          this.finish(cursor, contentEnd, true)
          return true
        }
      }
      this.lookInto(buf, pos, end)
      cursor.moveTo(lineEnd < 0 ? end : end + 1)
      this.inLine = lineEnd < 0
    }
    return false
  }

  end(cursor: TextCursor): void {
    this.finish(cursor, cursor.offset, false)
  }

  /** Whether a line closes the fence, or, while it is not whole, may come to. */
  private closes(line: string, isWhole: boolean): boolean {
    const [, run, space] = /^[ \t>]*(`*|~*)([ \t\r]*)$/.exec(line) ?? []
    if (run === undefined || (run !== '' && run.charCodeAt(0) !== this.mark)) return false
    return run.length >= this.size || (!isWhole && space === '')
  }

  private lookInto(buf: string, from: number, end: number): void {
    if (this.holdsObject !== undefined) return
    let at = from
    while (at < end && isSpace(buf.charCodeAt(at))) at++
    if (at < end) this.holdsObject = buf.charCodeAt(at) === 123
  }

  private finish(cursor: TextCursor, contentEnd: number, closed: boolean): void {
    this.stop = cursor.offset
    this.content = cursor.slice(this.contentStart, contentEnd)
    this.complete = closed
    if (closed) return
    // {"type": …}```
    //            ^^^
    const body = this.content.trimEnd()
    let size = body.length
    while (size > 0 && body.charCodeAt(size - 1) === this.mark) size--
    if (body.length - size < this.size) return
    this.content = body.slice(0, size)
    this.complete = true
  }
}
