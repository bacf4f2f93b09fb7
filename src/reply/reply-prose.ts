import type { Limits } from '../core/limits.ts'
import { opensTag, type ReasoningTag, reasoningTag } from '../core/reasoning-tag.ts'
import type { Span } from '../core/span.ts'
import { isSpace } from '../json/characters.ts'
import { JsonMachine } from '../json/machine.ts'
import { valueStart } from '../json/value-start.ts'
import { closesFence, ProseLine } from './prose-line.ts'
import type { ShownText } from './shown-text.ts'

/** Whether tags decide what is reasoning, the prompt has opened it already, or tags are plain text. */
export type ReasoningMode = 'auto' | 'open' | 'none'

export interface ScannerOptions {
  readonly limits: Limits
  readonly reasoning: ReasoningMode
  /** The text stands in a fence or in reasoning: nothing but JSON is looked for. */
  readonly inner: boolean
  readonly isTool: (name: string) => boolean
}

const COMMENT = '<!--'

/** Whether a comment begins at an index, or may begin there. */
const isCommentStart = (text: string, at: number, ending: boolean): boolean =>
  text.startsWith(COMMENT, at) || (!ending && COMMENT.startsWith(text.slice(at, at + COMMENT.length)))

/**
 * Reads what stands around the JSON of a reply: lines, fences, inline code, quotes, reasoning. Shows text as soon as
 * it is certain to be text, and holds back what may still become an action.
 */
export abstract class ReplyProse extends JsonMachine {
  tooLong = false
  /** All but space, outside of actions, errors and reasoning: where it begins and where it ends. */
  firstSeen = -1
  lastSeen = -1
  readonly shown: ShownText

  protected readonly options: ScannerOptions
  protected line = new ProseLine()
  /** Brackets in prose that were not closed: what follows may stand within them. */
  protected unmatched = 0
  /** Nothing but space and reasoning so far. */
  protected blank = true
  /** All text before is shown, or left out. */
  protected shownTo = 0
  /** From here on it is not certain that it is text; -1: nothing is held back. */
  protected held = -1
  /** An object is held back with which the reply may end; text behind it decides. */
  protected heldTail = false

  private runStart = 0
  private mark = 96
  private markSize = 0
  private fenceStart = 0
  private contentStart = 0
  /** The fence is all there is so far, and may hold an object: `undefined` while that is not known. */
  private fenceAlone = false
  private fenceHoldsObject: boolean | undefined
  private hiddenStart = 0
  private thoughtName = ''
  private thoughtStart = 0
  private thoughtFrom = 0

  constructor(shown: ShownText, options: ScannerOptions) {
    super(options.limits, false)
    this.shown = shown
    this.options = options
    this.state = this.inProse
    if (options.reasoning === 'open') this.startThought('', 0)
  }

  /** A value begins at an index of the buffer. */
  protected abstract begin(at: number): boolean
  /** Text was found behind the object that is held back. */
  protected abstract textFollows(at: number): void
  /** A fence was read; `alone`: it may be the whole reply. */
  protected abstract fenceRead(fence: FenceRead): void
  protected abstract hiddenRead(content: string, start: number): void
  protected abstract thoughtRead(content: string, start: number, end: number, complete: boolean): void
  /** All that was read so far was reasoning. */
  protected abstract forget(tag: Span): void

  override push(chunk: string): void {
    const room = Math.max(0, this.limits.maxLength - this.tape.length)
    if (chunk.length > room) this.tooLong = true
    super.push(chunk.length > room ? chunk.slice(0, room) : chunk)
    this.show()
  }

  end(): void {
    this.ending = true
    do {
      this.run()
      if (this.state === this.inRun) this.endRun()
      this.endValue()
      // A value that was given up at the very end leaves text to be read again.
    } while (this.pos < this.buf.length && this.state !== this.sink)
    if (this.state === this.inFence || this.state === this.inFenceLine) this.endFence(this.offset, false)
    if (this.state === this.inThought) this.endThought(this.offset, false)
    if (this.state === this.inHidden) this.endHidden()
    this.show()
  }

  protected get thinking(): boolean {
    return this.state === this.inThought
  }

  source(from = 0, to = this.tape.length): string {
    return from === 0 && to === this.tape.length ? this.tape.text() : this.tape.slice(from, to)
  }

  /** What is held back is text after all. */
  release(): void {
    this.held = -1
    this.heldTail = false
    this.show()
  }

  /** What is held back, up to here, is no text. */
  leaveOut(end: number): void {
    this.held = -1
    this.heldTail = false
    this.shownTo = Math.max(this.shownTo, end)
  }

  protected show(to = this.held >= 0 ? this.held : this.offset): void {
    const from = this.shownTo
    if (to <= from || this.thinking) return
    this.shownTo = to
    this.shown.add(this.slice(from, to))
  }

  private slice(from: number, to: number): string {
    return from >= this.base ? this.buf.slice(from - this.base, to - this.base) : this.tape.slice(from, to)
  }

  protected skip(end: number): void {
    this.steps += end - this.pos
    this.pos = end
  }

  // Let me look. {"type": "action", …}
  // ^^^^^^^^^^^^
  protected inProse(): boolean {
    const { buf, options } = this
    for (let i = this.pos; i < buf.length; i++) {
      const { line } = this
      const c = buf.charCodeAt(i)
      if (c === 123 || c === 91) {
        const starts = valueStart(buf, i, this.blank, this.ending)
        if (starts) return this.begin(i)
        if (starts === undefined) return this.waitAt(i)
      } else if (c === 10) {
        this.skip(i + 1)
        if (this.endLine()) return true
        continue
      } else if (c === 96 || (c === 126 && line.blank)) {
        if (!options.inner) return this.startRun(i)
      } else if (c === 60 && this.readsComments(line) && isCommentStart(buf, i, this.ending)) {
        return buf.length - i < COMMENT.length ? this.waitAt(i) : this.startHidden(i)
      } else if (opensTag(c) && this.readsTags(line)) {
        const tag = reasoningTag(buf, i, this.ending)
        if (tag === 'wait') return this.waitAt(i)
        if (tag) return this.tag(i, tag)
      }
      if (isSpace(c)) continue
      if (c === 125 || c === 93 || c === 41) this.closeBracket(c)
      this.seen(c, this.base + i)
      line.seen(c)
    }
    this.skip(buf.length)
    return false
  }

  private readsComments({ code, tildes, quoted }: ProseLine): boolean {
    return !this.options.inner && code === 0 && tildes < 3 && !quoted
  }

  private readsTags(line: ProseLine): boolean {
    return this.options.reasoning !== 'none' && line.code === 0 && line.tildes < 3 && !line.quoted
  }

  /** What stands at an index can't be told yet. */
  private waitAt(at: number): boolean {
    this.skip(at)
    return false
  }

  private closeBracket(c: number): void {
    if (this.line.brackets > 0) this.line.brackets--
    else if (c !== 41 && this.unmatched > 0) this.unmatched--
  }

  /** Something that is text, and no value, stands at an offset. */
  protected seen(c: number, start: number, end = start + 1): void {
    this.blank = false
    // What may be the rest of a bracket or fence decides nothing yet.
    if (this.heldTail && c !== 125 && c !== 93 && c !== 96) this.textFollows(start)
    if (this.firstSeen < 0) this.firstSeen = start
    this.lastSeen = end
  }

  // … text⏎
  //       ^
  private endLine(): boolean {
    const { line, offset } = this
    const size = Math.max(line.code, line.tildes)
    if (size >= 3) {
      this.mark = line.code >= 3 ? 96 : 126
      this.markSize = size
      this.contentStart = offset
      this.fenceHoldsObject = undefined
      this.state = this.inFence
      return true
    }
    // function f() {⏎
    //              ^
    if (line.brackets > 0 && (line.last === 123 || line.last === 91 || line.last === 40))
      this.unmatched += line.brackets
    line.next(offset)
    return false
  }

  private startRun(at: number): boolean {
    this.skip(at)
    this.runStart = this.offset
    this.mark = this.buf.charCodeAt(at)
    // Where a fence is the first thing, it may be all.
    if (this.held < 0) {
      this.show()
      this.held = this.runStart
    }
    this.state = this.inRun
    return true
  }

  // ```json    `code`
  // ^^^        ^
  private inRun(): boolean {
    const { buf } = this
    let end = this.pos
    while (end < buf.length && buf.charCodeAt(end) === this.mark) end++
    this.skip(end)
    if (end >= buf.length && !this.ending) return false
    this.endRun()
    return true
  }

  private endRun(): void {
    const { line, blank, runStart: start, offset } = this
    const size = offset - start
    const tildes = this.mark === 126
    const opens = size >= 3 && (tildes || line.code === 0)
    this.state = this.inProse
    this.seen(this.mark, start, offset)
    const alone = opens && blank
    if (opens) this.fenceStart = start
    if (tildes) {
      line.seen(126)
      if (opens) line.tildes = size
    } else line.seenBackticks(size)
    // ```code``` on one line is no fence.
    this.fenceAlone = alone || (this.fenceAlone && line.code > 0)
    if (!this.fenceAlone && !this.heldTail) this.held = -1
  }

  // ```json
  // {"type": …
  // ^
  private inFence(): boolean {
    const { buf, pos } = this
    const lineEnd = buf.indexOf('\n', pos)
    const complete = lineEnd >= 0 || this.ending
    const end = lineEnd < 0 ? buf.length : lineEnd
    const closes =
      end - pos <= 100 &&
      closesFence(buf.slice(pos, end), String.fromCharCode(this.mark), this.markSize, complete)
    if (closes && !complete) return false
    if (!closes) {
      this.state = this.inFenceLine
      return true
    }
    const content = this.offset
    this.skip(end)
    this.endFence(content, true)
    return true
  }

  private inFenceLine(): boolean {
    const lineEnd = this.buf.indexOf('\n', this.pos)
    const end = lineEnd < 0 ? this.buf.length : lineEnd + 1
    if (this.fenceAlone && this.fenceHoldsObject === undefined) this.lookIntoFence(end)
    this.skip(end)
    if (lineEnd < 0) return false
    this.state = this.inFence
    return true
  }

  /** A fence that does not begin with an object is text: no need to hold it back. */
  private lookIntoFence(end: number): void {
    let at = this.pos
    while (at < end && isSpace(this.buf.charCodeAt(at))) at++
    if (at >= end) return
    this.fenceHoldsObject = this.buf.charCodeAt(at) === 123
    if (!this.fenceHoldsObject && !this.heldTail) this.held = -1
  }

  private endFence(contentEnd: number, closed: boolean): void {
    this.state = this.inProse
    this.line = new ProseLine()
    this.line.start = this.offset
    // Only space can follow on this line.
    this.line.seen(this.mark)
    let content = this.tape.slice(this.contentStart, contentEnd)
    let complete = closed
    if (!closed) {
      // {"type": …}```
      //            ^^^
      const body = content.trimEnd()
      let size = body.length
      while (size > 0 && body.charCodeAt(size - 1) === this.mark) size--
      if (body.length - size >= this.markSize) {
        content = body.slice(0, size)
        complete = true
      }
    }
    this.lastSeen = this.offset
    const alone = this.fenceAlone && this.fenceHoldsObject === true
    this.fenceAlone = false
    if (!alone && !this.heldTail) this.held = -1
    this.fenceRead({
      start: this.fenceStart,
      end: this.offset,
      content,
      contentStart: this.contentStart,
      complete,
      alone,
    })
  }

  // <!--
  // ^
  private startHidden(at: number): boolean {
    this.skip(at)
    this.hiddenStart = this.offset
    this.seen(60, this.offset)
    // <!-->
    //   ^^^ is a whole comment
    this.skip(at + 2)
    this.state = this.inHidden
    return true
  }

  // <!-- {"type": "action", …} -->
  //   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  private inHidden(): boolean {
    const { buf } = this
    const close = buf.indexOf('-->', this.pos)
    if (close < 0) {
      this.skip(this.ending ? buf.length : Math.max(this.pos, buf.length - 2))
      return false
    }
    this.skip(close + 3)
    this.endHidden()
    return true
  }

  private endHidden(): void {
    const { offset } = this
    const start = Math.min(offset, this.hiddenStart + COMMENT.length)
    this.state = this.inProse
    this.lastSeen = offset
    this.line = new ProseLine()
    this.line.start = offset
    this.line.seen(45)
    this.hiddenRead(this.tape.slice(start, offset), start)
  }

  // <think>
  // ^
  private tag(at: number, tag: ReasoningTag): boolean {
    const start = this.base + at
    this.skip(at)
    if (tag.closes) {
      // What was certain to be text has been shown, however the chunks fell.
      this.show()
      this.shown.implyThought(() => this.tape.slice(0, start))
      this.leaveOut(start + tag.size)
      this.skip(at + tag.size)
      this.forget([start, this.offset])
      this.beBlank()
      return true
    }
    // Nothing may follow an action, not even a thought.
    if (this.heldTail) this.seen(60, start)
    this.show()
    this.skip(at + tag.size)
    this.startThought(tag.name, start)
    return true
  }

  private beBlank(): void {
    this.blank = true
    this.firstSeen = -1
    this.lastSeen = -1
    this.unmatched = 0
    this.line = new ProseLine()
    this.line.start = this.offset
  }

  private startThought(name: string, start: number): void {
    this.thoughtName = name
    this.thoughtStart = start
    this.thoughtFrom = this.offset
    this.shown.startThought()
    this.state = this.inThought
  }

  // <think>What if …</think>
  //        ^^^^^^^^^
  private inThought(): boolean {
    const { buf } = this
    for (let at = this.pos; at < buf.length; at++) {
      if (!opensTag(buf.charCodeAt(at))) continue
      const tag = reasoningTag(buf, at, this.ending)
      if (tag === 'wait') {
        this.think(at)
        return false
      }
      if (!tag?.closes || (this.thoughtName !== '' && tag.name !== this.thoughtName)) continue
      this.think(at)
      const end = this.offset
      this.skip(at + tag.size)
      this.endThought(end, true)
      return true
    }
    this.think(buf.length)
    return false
  }

  private think(end: number): void {
    if (end <= this.pos) return
    this.shown.think(this.buf.slice(this.pos, end))
    this.skip(end)
  }

  private endThought(end: number, complete: boolean): void {
    this.state = this.inProse
    this.shown.endThought()
    this.shownTo = this.offset
    const content = this.tape.slice(this.thoughtFrom, end)
    this.thoughtRead(content, complete ? this.thoughtFrom : this.thoughtStart, end, complete)
  }
}

export interface FenceRead {
  readonly start: number
  readonly end: number
  readonly content: string
  readonly contentStart: number
  /** The fence is closed. */
  readonly complete: boolean
  /** It may be the whole reply. */
  readonly alone: boolean
}
