import { FenceTracker } from './fence-tracker.ts'
import { JsonStrings } from './json-strings.ts'
import { isLineEnd, type LineMatcher } from './line-matcher.ts'
import { LineQuotes } from './line-quotes.ts'
import type { PartsBuilder } from './parts-builder.ts'
import { isTagStart } from './tag-scanner.ts'
import { type Grammar, TextMachine } from './text-machine.ts'
import { TrailingBreaks } from './trailing-breaks.ts'

/** Reads what stands outside of tags, line by line: text, and sections that begin with a header or a label. */
export abstract class LineMachine extends TextMachine {
  protected override state: () => void = this.atLineStart
  protected readonly line: LineMatcher
  protected fence = new FenceTracker()
  protected readonly breaks: TrailingBreaks
  /** A section that began with a line, and that the next such line ends. */
  protected section = false
  /** A line that may turn out to be a header, and where it begins. */
  protected held = ''
  protected heldAt = 0
  /** Only space stands before this place on its line. */
  protected leading = false
  /** \r was read: \n may belong to it. */
  protected afterReturn = false
  /** A label was no item of a list: then items of lists are no labels, but steps that happen to begin so. */
  protected unlisted = false
  /** Something in which nothing is live: until it ends, all is text. */
  protected hidden: 'comment' | 'observation' | undefined
  /** The line begins with the mark of a block quote. */
  protected blockquote = false
  /** Where reasoning may stand within a line: what it must not be taken out of. */
  protected readonly strings: JsonStrings | undefined
  /** What stands between sections may quote one. */
  protected readonly quotes = new LineQuotes()
  /** Dashes in a row, in a comment. */
  private dashes = 0
  /** Space behind a label. */
  private gap = ''

  constructor(grammar: Grammar, out: PartsBuilder) {
    super(grammar, out)
    this.line = grammar.lines()
    // One line end is not enough to tell how lines end: what we write would not be read back.
    this.breaks = new TrailingBreaks(grammar.breaks, grammar.breaks > 1 ? 'last' : false)
    if (grammar.inlineReasoning) this.strings = new JsonStrings()
  }

  /** Something that may be a tag begins. */
  protected abstract startTag(at: number): void

  /** A fence begins a line, behind space that is held: true if it is taken care of. */
  protected abstract startFence(): boolean

  // # Action
  // ^
  protected atLineStart(): void {
    this.line.begin()
    this.quotes.reset()
    this.blockquote = false
    this.held = ''
    this.heldAt = this.offset
    this.state = this.inHeldLine
    this.inHeldLine()
  }

  // # Action
  // ^^^^^^^^
  private inHeldLine(): void {
    const { buf, line, pos } = this
    for (let i = pos; i < buf.length; i++) {
      const verdict = line.feed(buf.charCodeAt(i))
      if (verdict === 'more') continue
      if (i > pos) this.held += buf.slice(pos, i)
      this.pos = i
      if (verdict === 'match') this.matched()
      else this.unmatched()
      return
    }
    this.held += pos === 0 ? buf : buf.slice(pos)
    this.pos = buf.length
  }

  /** The text ends. */
  protected endLine(): void {
    if (this.state === this.behindHeader) this.out.startContent(this.offset)
    if (this.state !== this.inHeldLine) return
    if (this.line.end() === 'match') this.matched()
    else this.unmatched()
  }

  private unmatched(): void {
    const { held } = this
    const c = this.buf.charCodeAt(this.pos)
    this.leading = held === '' || held.trim() === ''
    this.blockquote = c === 62 && this.leading
    if ((c === 96 || c === 126) && this.leading && this.startFence()) return
    this.held = ''
    this.plain(held, this.heldAt)
    this.state = isLineEnd(held.charCodeAt(held.length - 1)) ? this.atLineStart : this.inLine
  }

  private matched(): void {
    const { line, held, heldAt, out } = this
    const { target, escaped, indent, near } = line
    // 2. Plan: the trip
    // ^^^^^^^^
    const item = near || (line.marked && this.unlisted)
    const live = target?.kind === 'section' && !escaped && !item
    const span = [heldAt + indent, this.offset] as const
    if (target?.kind === 'opaque' && !escaped && !line.marked && !near && !this.fenced && !this.hidden) {
      this.startObservation(held)
      return
    }
    if (target && live && !this.fenced && !this.hidden) {
      const { name } = target
      if (!this.startPart(heldAt)) return
      if (line.loose && this.grammar.loose) out.note(this.grammar.loose, { name, text: held.trim() }, span)
      this.unlisted ||= !line.marked
      this.startSection(name)
      return
    }
    if (target && live) {
      const within = this.hidden ?? 'fence'
      out.note('embedded_section', { name: target.name, within }, span)
    } else if (target?.kind === 'section' && !escaped && !this.fenced && !this.hidden)
      out.seeNear(target.name, held.trim(), span)
    this.held = ''
    if (escaped && !near && !this.grammar.exact) this.unescape(held, heldAt, indent)
    else this.plain(held, heldAt)
    this.leading = false
    this.state = this.inLine
  }

  /**
   * # Observation
   *
   * Only a program writes observations; what a model makes up has no end that could be trusted. So all that follows
   * is text.
   */
  private startObservation(held: string): void {
    if (!this.startPart(this.heldAt)) return
    this.held = ''
    this.hide('observation')
    this.plain(held, this.heldAt)
    this.leading = false
    this.state = this.inLine
  }

  /** Something begins in which nothing is live, not even a fence. */
  protected hide(what: 'comment' | 'observation'): void {
    this.hidden = what
    // <!-->
    //   ^^^ is a whole comment
    this.dashes = 2
    this.fence = new FenceTracker()
    this.fence.skipLine()
  }

  // <!-- … -->
  //        ^^^
  private lookForEnd(text: string): void {
    for (let i = 0; i < text.length; i++) {
      const c = text.charCodeAt(i)
      if (c === 62 && this.dashes >= 2) {
        this.hidden = undefined
        return
      }
      this.dashes = c === 45 ? this.dashes + 1 : 0
    }
  }

  // \# Action
  // ^
  private unescape(held: string, start: number, indent: number): void {
    const at = start + indent
    this.plain(held.slice(0, indent), start)
    const breaks = this.breaks.flush()
    this.passOn(breaks, at - breaks.length)
    this.fence.skipLine()
    if (!this.section) this.out.startText(at)
    this.plain(held.slice(indent + 1), at + 1)
  }

  private startSection(name: string): void {
    this.out.startSection(name, this.heldAt)
    this.out.startContent(this.offset)
    this.section = true
    this.held = ''
    this.gap = ''
    this.afterReturn = false
    this.fence = new FenceTracker()
    this.strings?.reset()
    this.state = this.behindHeader
  }

  // # Action\n      Plan: find it
  //         ^^           ^
  private behindHeader(): void {
    const { buf } = this
    for (; this.pos < buf.length; this.pos++) {
      const c = buf.charCodeAt(this.pos)
      if (c === 13 && !this.afterReturn) this.afterReturn = true
      else if (this.afterReturn || c === 10) {
        if (c === 10) this.pos++
        this.out.startContent(this.offset)
        this.state = this.atLineStart
        return
      } else if (c === 32 || c === 9) this.gap += buf[this.pos]
      else {
        this.startInline()
        return
      }
    }
  }

  // Plan: find it
  //       ^
  private startInline(): void {
    // One space is the label's own.
    const gap = this.gap.startsWith(' ') ? this.gap.slice(1) : this.gap
    const start = this.offset - gap.length
    this.out.startContent(start)
    this.fence.skipLine()
    this.plain(gap, start)
    this.leading = false
    this.state = this.inLine
  }

  // I will search for it.
  // ^^^^^^^^^^^^^^^^^^^^^
  protected inLine(): void {
    const { buf, pos } = this
    let i = pos
    for (; i < buf.length; i++) {
      const c = buf.charCodeAt(i)
      if (isLineEnd(c)) {
        this.state = this.atLineStart
        i++
        break
      }
      if (!isTagStart(c)) continue
      if (i > pos) this.leading = false
      this.take(i)
      this.startTag(i)
      return
    }
    this.leading = false
    this.take(i)
  }

  /** Text up to `end` that is no delimiter. */
  private take(end: number): void {
    const { buf, pos } = this
    this.pos = end
    if (end === pos) return
    const text = pos === 0 && end === buf.length ? buf : buf.slice(pos, end)
    const start = this.base + pos
    if (this.hidden) this.passHidden(text)
    // Mostly no fence can begin on the line any more: then only its end matters.
    else if (!this.fence.resting) this.fence.feed(text, start)
    else if (this.state === this.atLineStart) this.fence.endLine()
    this.passBreaks(text, start)
  }

  /** Text in which no fence begins. Behind the end of a comment the line is an ordinary one, up to its end. */
  private passHidden(text: string): void {
    if (this.hidden === 'comment') this.lookForEnd(text)
    if (!this.hidden && isLineEnd(text.charCodeAt(text.length - 1))) this.fence.endLine()
  }

  /** Text that is no delimiter, and where it stands. */
  protected plain(text: string, start: number): void {
    if (text === '') return
    if (this.hidden) this.passHidden(text)
    else this.fence.feed(text, start)
    this.passBreaks(text, start)
  }

  private passBreaks(text: string, start: number): void {
    this.strings?.feed(text)
    // Tags of sections stand between sections only.
    if (this.grammar.code && !this.section) this.quotes.feed(text)
    const before = this.breaks.held.length
    this.passOn(this.breaks.push(text), start - before)
  }

  protected passOn(text: string, start: number): void {
    if (this.section) this.out.addContent(text, start)
    else this.out.addText(text, start)
  }

  protected get fenced(): boolean {
    return this.grammar.code && this.fence.open !== undefined
  }

  /** A section follows: ends what stands before it. Line ends between them are the format's own. */
  protected startPart(offset: number): boolean {
    const { out, breaks } = this
    if (out.full) {
      this.giveUp(this.held, offset)
      return false
    }
    const text = breaks.settle()
    const end = offset - breaks.flush().length
    this.passOn(text, end - text.length)
    if (this.section) out.endSection(end, offset, true)
    else out.endText(end)
    this.section = false
    return true
  }

  /** There are too many parts: this and all that follows is text. */
  protected giveUp(text: string, offset: number): void {
    const { out } = this
    out.note('too_many_parts', { limit: out.parts.length }, [offset, offset + text.length])
    this.plain(text, offset)
    this.held = ''
    this.state = this.atRest
  }

  private atRest(): void {
    const { buf, pos } = this
    this.pos = buf.length
    this.passBreaks(buf.slice(pos), this.base + pos)
  }
}
