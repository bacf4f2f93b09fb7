import { BareStates, isSeparator } from './bare-states.ts'
import type { Verdict } from './call-states.ts'
import type { Marks } from './marks.ts'
import type { Role } from './role.ts'

/** A line that begins a code block says no more than this. */
const LONGEST_LINE = 1000
const LONGEST_INFO = 60

/** A single word, which may be the name of a tool, with what comes next. */
const isWord = (text: string) => text.length <= 64 && /^\s*[\w.-]*$/.test(text)

/** Finds calls, reasoning and content in text that is still arriving: one state for each place where text may stand. */
export class CallMachine extends BareStates {
  /** Where reasoning first looks like a call: what stands behind it is not told before it is known what it is. */
  private rehearsal = -1
  /** How long its mark is. */
  private rehearsed = 0
  /** The reasoning that waits to be told begins here. */
  private untold = -1
  /** The code block around the text at hand: its calls are only shown. */
  private embedded: string | undefined
  /** What ends the quotation around the text at hand. */
  private quotation: string | undefined
  /** Where a code block begins that may be all of the text; -1 when there is none. */
  private block = -1
  /** Where it was closed; -1: it is open. */
  private blockEnd = -1
  /** Calls within a code block count: it is all of the text. */
  private blocksCount = false
  private answering = false
  private heldSpace = ''
  /** Up to where there is nothing but space behind `start`. */
  private seen: { marks: Marks | undefined; start: number; to: number } = {
    marks: undefined,
    start: 0,
    to: 0,
  }

  push(chunk: string): void {
    const { cursor } = this
    const waiting = cursor.buf.length - cursor.pos
    // More space, or what may stand for it, tells nothing where space waits; much of it is laid out at once, not again
    // with each chunk.
    if (waiting > 1024 && this.heldSpace.length < waiting && /^[\s,;\\n]*$/.test(chunk)) {
      this.heldSpace += chunk
      return
    }
    cursor.push(this.heldSpace + chunk)
    this.heldSpace = ''
    this.run()
  }

  end(): void {
    const { cursor } = this
    cursor.push(this.heldSpace)
    this.heldSpace = ''
    cursor.ending = true
    this.run()
    if (this.block >= 0) {
      // The code block was all of the text, so its calls are meant.
      cursor.goTo(this.block)
      const said = this.issues.findIndex(({ span }) => span && span[0] >= this.block)
      if (said >= 0) this.issues.splice(said)
      this.block = -1
      this.embedded = undefined
      this.blocksCount = true
      this.run()
    }
    if (this.kind === 'reasoning' && this.rehearsal >= 0) {
      // The reasoning was never closed, so the call in it is the one that is meant.
      cursor.goTo(this.rehearsal)
      this.rehearsal = -1
      this.untold = -1
      this.unclosedReasoning = true
      this.kind = 'content'
      this.run()
    }
    this.out.finish()
  }

  private run(): void {
    for (;;) {
      const { state } = this
      if (!this.state() && state === this.state) return
    }
  }

  // Let me see. <tool_call>
  // ^^^^^^^^^^^^
  protected override inText(): boolean {
    const { cursor, grammar } = this
    if (cursor.atEnd) return false
    if (cursor.offset === 0) {
      if (this.kind === 'reasoning' && this.awaitsHead()) return false
      const header = this.opensHeader()
      if (header) return header === true
      if (cursor.atEnd) return false
    }
    const { buf, ending } = cursor
    const marks = this.message
      ? grammar.inMessage
      : this.kind === 'reasoning'
        ? grammar.inReasoning
        : grammar.inText
    // Space that waits for what follows it is not looked at again.
    const { seen } = this
    const waited = seen.marks === marks && seen.start === cursor.offset
    let from = waited ? seen.to - cursor.base : cursor.pos
    for (;;) {
      const { at, mark } = marks.seek(buf, from, ending)
      if (mark === undefined && waited && !ending && buf.slice(seen.to - cursor.base, at).trim() === '') {
        seen.to = cursor.base + at
        return false
      }
      const live = mark !== undefined && cursor.base + at >= this.liveFrom
      const verdict = live ? this.markAt(at, mark, grammar.roles.get(mark) as Role) : 'text'
      if (verdict === 'taken') return true
      if (mark === undefined || (verdict === 'wait' && !ending)) {
        this.tellText(at, true)
        if (mark === undefined && buf.slice(cursor.pos, at).trim() === '')
          this.seen = { marks, start: cursor.offset, to: cursor.base + at }
        return false
      }
      from = at + 1
    }
  }

  /** Whether the words that begin opened reasoning may still come. */
  private awaitsHead(): boolean {
    const { cursor, out } = this
    for (const head of this.grammar.reasoningHeads) {
      if (cursor.buf.startsWith(head)) {
        cursor.moveTo(head.length)
        out.markup(head.length)
        return false
      }
      if (!cursor.ending && head.startsWith(cursor.buf)) return true
    }
    return false
  }

  protected override tellText(to: number, waits = false): void {
    const { cursor, out } = this
    if (this.kind === 'reasoning' && this.rehearsal >= 0) {
      cursor.moveTo(Math.max(cursor.pos, to))
      return
    }
    if (this.block >= 0 && !this.releaseBlock(to)) return
    let text = cursor.buf.slice(cursor.pos, to)
    if (waits && cursor.ending && this.had && this.isHalfMark(text)) {
      cursor.moveTo(to)
      out.markup(cursor.offset)
      return
    }
    if (waits && !cursor.ending && this.kind === 'content') {
      // Space may belong to the mark that follows, and so may the name of a tool.
      text = text.trimEnd()
      if (!this.message && out.blank && (isWord(text) || (this.had && isSeparator(text)))) return
    }
    if (text === '') return
    cursor.moveTo(cursor.pos + text.length)
    if (text.trim() !== '') this.had = false
    out.text(this.unclosedReasoning ? 'reasoning' : this.kind, text)
  }

  /** A code block that begins the text waits: with words behind it, it is content, and its calls are only shown. */
  private releaseBlock(to: number): boolean {
    const { cursor, out, block } = this
    const isOpen = this.blockEnd < 0
    if (isOpen || cursor.tape.slice(this.blockEnd, cursor.offset - cursor.pos + to).trim() === '') {
      cursor.moveTo(Math.max(cursor.pos, to))
      return false
    }
    this.block = -1
    out.text('content', cursor.tape.slice(block, cursor.offset))
    return true
  }

  /** Whether the text broke off within the mark that closes a call. */
  private isHalfMark(text: string): boolean {
    const half = text.trim()
    if (half.length < 2) return false
    for (const [mark, role] of this.grammar.roles) if (role.close && mark.startsWith(half)) return true
    return false
  }

  private markAt(at: number, mark: string, role: Role): Verdict {
    if (this.message) return this.endMessage(at, mark)
    if (this.kind === 'reasoning') return this.inThought(at, mark, role)
    if (role.fence && !this.quotation) return this.fenceAt(at)
    const shown = this.shownAt(at, mark, role)
    if (shown) {
      const opens = (role.open && !role.loose) || role.tags
      return shown !== 'mark' && opens ? this.noteShown(shown, at, mark.length) : 'text'
    }
    const blank = this.blankBefore(at)
    const first = blank && this.out.parts.every((part) => part.type === 'markup')
    if (role.answer && (this.answering || (blank && !this.had))) {
      this.answering = !this.answering
      return this.take(at, mark.length)
    }
    if (role.reasoningOpen && (!role.prose || first) && !this.unclosedReasoning)
      return this.openReasoning(at, mark, role)
    if (role.header) {
      this.tellText(at)
      this.startHeader()
      return 'taken'
    }
    if (role.open) return this.openSection(at, mark, role)
    const tag = role.tags && this.tagAt(at, role.tags)
    if (tag) return tag === 'wait' ? 'wait' : this.openTag(at, tag)
    if (role.token) return this.take(at, mark.length)
    if (role.close) return this.had && blank ? this.takeClose(at, mark) : 'text'
    // A tag may be talked about; a control token may not.
    if (role.reasoningClose) return first || !mark.startsWith('</') ? this.take(at, mark.length) : 'text'
    if (role.parameter) return this.had && blank ? this.strayParameter(at) : 'text'
    if (role.line) return this.lineAt(at, mark)
    return role.bare ? this.bareAt(at, role.bare) : 'text'
  }

  /** A mark that is talked about is one thing; a call that is shown is said. */
  private noteShown(where: 'code' | 'quotation', at: number, size: number): Verdict {
    const { buf, ending, base } = this.cursor
    const next = this.cursor.afterSpace(at + size)
    if (next >= buf.length && !ending) return 'wait'
    if (/^[{[<=\w]/.test(buf.slice(next, next + 1))) this.noteEmbedded(where, base + at, size)
    return 'text'
  }

  /** Whether what stands at `at` is only shown: in code, in quotes, in a quotation; `mark`: it begins or ends one. */
  private shownAt(at: number, mark: string, role: Role): 'code' | 'quotation' | 'mark' | undefined {
    if (this.embedded) return 'code'
    if (this.quotation) {
      if (mark !== this.quotation) return 'quotation'
      this.quotation = undefined
      return 'mark'
    }
    // Of a longer line only so much is known, however it arrives.
    const before = (this.out.tail(LONGEST_LINE) + this.cursor.buf.slice(this.cursor.pos, at)).slice(
      -LONGEST_LINE,
    )
    const line = before.slice(before.lastIndexOf('\n') + 1)
    if ((line.match(/`+/g)?.length ?? 0) % 2 === 1) return 'code'
    if (/^\s*>/.test(line) || /["'“‘]$/.test(line)) return 'quotation'
    if (role.quotes === undefined) return undefined
    this.quotation = role.quotes
    return 'mark'
  }

  private takeClose(at: number, mark: string): 'taken' | 'wait' {
    const end = this.suffixEnd(at + mark.length, mark)
    return end === 'wait' ? 'wait' : this.take(at, end - at)
  }

  private openReasoning(at: number, mark: string, role: Role): 'taken' | 'wait' {
    const { buf, ending } = this.cursor
    const after = at + mark.length
    if (role.lineBreak && after >= buf.length && !ending) return 'wait'
    this.take(at, mark.length + (role.lineBreak && buf[after] === '\n' ? 1 : 0))
    this.kind = 'reasoning'
    return 'taken'
  }

  // I could use <tool_call> … </think>
  //             ^^^^^^^^^^^   ^^^^^^^^
  private inThought(at: number, mark: string, role: Role): Verdict {
    const { cursor } = this
    const marked = mark.startsWith('<|')
    if (role.reasoningClose || (role.answer && marked)) {
      this.settleRehearsal(at)
      this.take(at, mark.length)
      this.kind = 'content'
      this.answering = role.answer ?? false
      return 'taken'
    }
    const blank = this.rehearsal < 0 && this.blankBefore(at)
    if (role.reasoningOpen) return blank ? this.take(at, mark.length) : 'text'
    if (role.close && !role.open && !role.tags) return this.had && blank ? this.takeClose(at, mark) : 'text'
    if (role.callsWhileReasoning) {
      if (this.suffixEnd(at + mark.length, mark) === 'wait') return 'wait'
      this.settleRehearsal(at)
      return this.openSection(at, mark, role)
    }
    if (role.loose || role.answer || this.rehearsal >= 0 || cursor.before(at, 1) === '`') return 'text'
    this.tellText(at)
    cursor.moveTo(at)
    this.untold = cursor.offset
    this.rehearsal = cursor.offset
    this.rehearsed = mark.length
    return 'text'
  }

  /** What looked like a call stands within reasoning that goes on to `at`: it was only thought of. */
  private settleRehearsal(at: number): void {
    const { cursor, out } = this
    if (this.rehearsal < 0) return
    this.noteEmbedded('reasoning', this.rehearsal, this.rehearsed)
    const text = cursor.tape.slice(this.untold, cursor.base + at)
    this.rehearsal = -1
    this.untold = -1
    cursor.moveTo(at)
    out.text('reasoning', text)
  }

  // ```json
  // ^^^
  private fenceAt(at: number): Verdict {
    const { cursor } = this
    const { buf, ending } = cursor
    const line = buf.slice(at, at + LONGEST_INFO)
    const whole = line.includes('\n') || line.length === LONGEST_INFO || ending
    if (!whole) return 'wait'
    const [first = ''] = line.split('\n', 1)
    const fence = /^(?:`{3,}|~{3,})/.exec(first)?.[0] ?? ''
    const info = first.slice(fence.length)
    const atLineStart = /(?:^|\n)[ \t]*$/.test(cursor.before(at, 20))
    if (this.embedded !== undefined) {
      const closes = atLineStart && info.trim() === '' && fence.startsWith(this.embedded)
      if (closes) {
        this.embedded = undefined
        if (this.blockEnd < 0) this.blockEnd = cursor.offset - cursor.pos + at + fence.length
      }
      return 'text'
    }
    if (this.fenced) {
      this.fenced = false
      return this.take(at, fence.length)
    }
    if (!atLineStart || info.includes('`')) return 'text'
    const begins =
      this.block < 0 && this.blankBefore(at) && !this.out.parts.some((part) => part.type === 'content')
    if (!begins || !this.grammar.calls) {
      this.embedded = fence
      return 'text'
    }
    if (!this.blocksCount) {
      // It may be all of the text, or have words behind it: that is known at the end.
      this.tellText(at)
      this.block = cursor.offset
      this.blockEnd = -1
      this.embedded = fence
      return 'text'
    }
    return this.openBlock(at, first.length)
  }

  /** The text is one code block: what stands in it counts if it is a call. */
  private openBlock(at: number, size: number): Verdict {
    const { cursor } = this
    const { buf } = cursor
    const next = cursor.afterSpace(at + size)
    const head = buf.slice(next, next + 2)
    if (/^<[\w|｜]/.test(head)) {
      this.fenced = true
      return this.take(at, size + 1)
    }
    if (!/^[{[]/.test(head)) return 'text'
    // The value decides: a block of other JSON is content, fence and all.
    this.tellText(at)
    this.enter(at, size + 1, true)
    this.fenced = true
    this.state = this.inSection
    return 'taken'
  }
}
