import type { Issue } from '../core/issue.ts'
import type { Limits } from '../core/limits.ts'
import { Tape } from '../core/tape.ts'
import { isOddSpace } from './characters.ts'
import { costs } from './costs.ts'
import { type JsonIssueParams, jsonIssues } from './issues.ts'

/** Reads on from where the cursor stands; false when it needs more text to tell. */
export type State = () => boolean

/**
 * A place in text that is still arriving, and the state that reads on from it. A state that needs more text
 * leaves the cursor where it is; what it has understood it must consume, so that the text waiting stays short
 * however the chunks fall.
 */
export abstract class JsonCursor {
  readonly tape = new Tape()
  /** Characters looked at and states entered: what the growth tests count. */
  steps = 0

  protected readonly limits: Limits
  protected state: State = this.sink
  /** No more text will come. */
  protected ending = false
  /** The text not yet read: `buf` from `pos` on, which stands at the offset `base + pos`. */
  protected buf = ''
  protected pos = 0
  protected base = 0
  /** Issues of the value being read, and how many more there were than may be listed. */
  protected issues: Issue[] = []
  protected unlisted = 0
  /** What the liberties taken in reading it cost. */
  protected cost = 0
  /** The text of the token being read, and where it began. */
  protected text = ''
  protected textStart = 0
  /** The last character of it, for which the token itself must not be looked into while it grows. */
  protected lastTaken = 0

  private resume: State = this.sink
  private block = false
  private commentStart = 0

  constructor(limits: Limits) {
    this.limits = limits
  }

  push(chunk: string): void {
    this.tape.append(chunk)
    const { buf, pos } = this
    this.buf = pos < buf.length ? buf.slice(pos) + chunk : chunk
    this.base += pos
    this.pos = 0
    this.run()
  }

  protected run(): void {
    while (this.pos < this.buf.length) {
      const { state } = this
      this.steps++
      if (!this.state() && state === this.state) return
    }
  }

  /** Reads on from an earlier place. */
  protected goBack(offset: number): void {
    if (offset < this.base) {
      this.buf = this.tape.slice(offset, this.base + this.buf.length)
      this.base = offset
    }
    this.pos = offset - this.base
  }

  protected get offset(): number {
    return this.base + this.pos
  }

  protected note<C extends keyof JsonIssueParams & string>(
    code: C,
    params: JsonIssueParams[C],
    start: number,
    end: number,
  ): void {
    this.cost += costs[code] ?? 0
    if (this.issues.length >= this.limits.maxIssues) this.unlisted++
    else this.issues.push(jsonIssues.issue(code, params, { span: [start, end] }))
  }

  /** What stands behind `offset` is read in another way after all. */
  protected takeBackNotes(offset: number): void {
    while ((this.issues.at(-1)?.span?.[0] ?? -1) >= offset) this.issues.pop()
  }

  protected noteJunk(text: string, start: number): void {
    const from = start + text.length - text.trimStart().length
    const junk = text.trim()
    this.note('unexpected_text', { text: junk }, from, from + junk.length)
  }

  /** Takes the text up to `end` into the token being read. */
  protected take(end: number): void {
    const { buf, pos } = this
    if (end <= pos) return
    this.add(pos === 0 && end === buf.length ? buf : buf.slice(pos, end))
    this.lastTaken = buf.charCodeAt(end - 1)
    this.steps += end - pos
    this.pos = end
  }

  protected add(part: string): void {
    this.text = this.text === '' ? part : this.text + part
  }

  /** Reads nothing any more. */
  protected sink(): boolean {
    this.pos = this.buf.length
    return false
  }

  /** The next character that is neither space nor comment; -1 when there is none yet. */
  protected next(): number {
    const { buf } = this
    let i = this.pos
    for (; i < buf.length; i++) {
      const c = buf.charCodeAt(i)
      if (c === 32 || c === 10) continue
      // Nearly all there is: quotes, brackets, commas, colons, digits, letters.
      if (c > 35 && c !== 47 && c !== 92 && c < 160) {
        this.pos = i
        return c
      }
      if (c < 14 ? c >= 9 : c >= 160 && isOddSpace(c)) continue
      this.pos = i
      if (c === 47 || c === 35) return this.startComment(c) ? -1 : this.wait(c)
      if (c !== 92) return c
      // \n between the tokens of escaped JSON
      const second = buf.charCodeAt(i + 1)
      if (second !== 110 && second !== 114 && second !== 116) return this.wait(c)
      i++
    }
    this.pos = i
    return -1
  }

  /** `c`, if enough text is there to tell what it means. */
  private wait(c: number): number {
    return this.pos + 1 < this.buf.length || this.ending ? c : -1
  }

  // [1, // one
  //     ^
  private startComment(c: number): boolean {
    const second = this.buf.charCodeAt(this.pos + 1)
    if (c === 47 ? second !== 47 && second !== 42 : !this.hashIsComment(second)) return false
    this.block = c === 47 && second === 42
    this.commentStart = this.offset
    this.pos += c === 47 ? 2 : 1
    this.resume = this.state
    this.state = this.inComment
    return true
  }

  /** A value may begin with #, as in #fff. */
  protected abstract hashIsComment(second: number): boolean

  // /* one */
  //    ^^^^^^
  private inComment(): boolean {
    const { buf, block } = this
    const end = block ? buf.indexOf('*/', this.pos) : buf.indexOf('\n', this.pos)
    if (end < 0) {
      // A star at the end may be half of the closing mark.
      const held = block && buf.endsWith('*') && !this.ending ? 1 : 0
      this.pos = Math.max(this.pos, buf.length - held)
      return false
    }
    this.pos = block ? end + 2 : end
    this.note('comment', {}, this.commentStart, this.offset)
    this.state = this.resume
    return true
  }

  protected get commenting(): boolean {
    return this.state === this.inComment
  }

  /** The text ends: so does a comment. */
  protected endComment(): void {
    if (this.state !== this.inComment) return
    this.note(this.block ? 'unclosed_comment' : 'comment', {}, this.commentStart, this.offset)
    this.state = this.resume
  }
}
