import type { Limits } from '../core/limits.ts'
import { opensTag, type ReasoningTag, reasoningTag } from '../core/reasoning-tag.ts'
import { TextCursor } from '../core/text-cursor.ts'
import { isSpace } from '../json/characters.ts'
import { valueStart } from '../json/value-start.ts'
import { Comment, commentStart } from './comment.ts'
import { mentionsAction } from './contract.ts'
import { Fence } from './fence.ts'
import { Findings } from './findings.ts'
import { HeldText } from './held-text.ts'
import type { EmbeddedWhere } from './issues.ts'
import { MarkRun } from './mark-run.ts'
import type { Region } from './region.ts'
import type { ReplyFacts } from './reply-facts.ts'
import { ReplyValue } from './reply-value.ts'
import { ShownText } from './shown-text.ts'
import { Surroundings } from './surroundings.ts'
import { Thought } from './thought.ts'
import { mentionsCall } from './untyped-call.ts'
import { ValueSorter } from './value-sorter.ts'

// Text may be read again where a value in prose turned out to be none: this many times the text at the most.
const REREADS = 4

/** Whether tags decide what is reasoning, the prompt has opened it already, or tags are plain text. */
export type ReasoningMode = 'auto' | 'open' | 'none'

export interface ScannerOptions {
  readonly limits: Limits
  readonly reasoning: ReasoningMode
  /** The text stands in a fence or in reasoning: nothing but JSON is looked for. */
  readonly inner: boolean
  readonly isTool: (name: string) => boolean
}

/**
 * Walks through a reply and finds what stands where: prose, and in it values, fences, comments and thoughts. Shows
 * what is certain to be text; what the reply is, others decide.
 */
export class ReplyScanner {
  private readonly options: ScannerOptions
  private readonly shown: ShownText
  private readonly actionStarts: (() => void) | undefined
  private readonly cursor = new TextCursor()
  private readonly around = new Surroundings()
  private readonly held: HeldText
  private readonly findings: Findings
  private readonly values: ValueSorter
  /** What is being read, if it is not prose. */
  private region: Region | undefined
  /** A value was nested too deeply: nothing behind it is read. */
  private tooDeep = false
  private reread = 0

  constructor(shown: ShownText, options: ScannerOptions, actionStarts?: () => void) {
    this.shown = shown
    this.options = options
    this.actionStarts = actionStarts
    this.held = new HeldText(this.cursor, shown)
    this.findings = new Findings(this.cursor, shown, this.held, options.limits.maxIssues)
    this.values = new ValueSorter(this.findings, this.held, this.around, shown, options.isTool)
    if (options.reasoning === 'open') this.region = new Thought('', 0, 0, shown)
  }

  push(chunk: string): void {
    const room = Math.max(0, this.options.limits.maxLength - this.cursor.length)
    if (chunk.length > room) this.findings.tooLong = true
    this.cursor.push(chunk.length > room ? chunk.slice(0, room) : chunk)
    this.run()
    if (!(this.region instanceof Thought)) this.held.show()
  }

  end(): ReplyFacts {
    const { cursor } = this
    cursor.ending = true
    do {
      this.run()
      if (this.region) {
        this.region.end(cursor)
        this.leave(this.region)
      }
      // A value that was given up at the very end leaves text to be read again.
    } while (cursor.pos < cursor.buf.length && !this.tooDeep)
    this.held.show()
    return this.findings
  }

  /** What is being read: text that is shown, text that is held back, an action, or reasoning. */
  get doing(): 'text' | 'held' | 'action' | 'reasoning' {
    if (this.region instanceof Thought) return 'reasoning'
    if (this.held.from < 0) return 'text'
    return this.partial ? 'action' : 'held'
  }

  /** The action that is being read, as far as it goes. */
  get partial(): Record<string, unknown> | undefined {
    const { region, findings } = this
    return (region instanceof ReplyValue && region.action) || findings.actions.at(-1)?.value
  }

  /** For the growth tests. */
  get steps(): number {
    return this.cursor.steps
  }

  private run(): void {
    const { cursor } = this
    while (cursor.pos < cursor.buf.length) {
      cursor.steps++
      if (this.tooDeep) cursor.pos = cursor.buf.length
      else if (!(this.region ? this.inRegion(this.region) : this.inProse())) return
    }
  }

  private inRegion(region: Region): boolean {
    const ended = region.read(this.cursor)
    // A fence that does not begin with an object is text: no need to hold it back.
    if (region instanceof Fence && region.isText) this.held.letGo()
    if (ended) this.leave(region)
    return ended
  }

  private leave(region: Region): void {
    this.region = undefined
    if (region instanceof MarkRun) this.runRead(region)
    else if (region instanceof ReplyValue) this.valueRead(region)
    else if (region instanceof Fence) this.fenceRead(region)
    else if (region instanceof Comment) this.commentRead(region)
    else if (region instanceof Thought) this.thoughtRead(region)
  }

  // Let me look. {"type": "action", …}
  // ^^^^^^^^^^^^
  private inProse(): boolean {
    const { cursor, around } = this
    const { buf, ending } = cursor
    const { inner, reasoning } = this.options
    for (let i = cursor.pos; i < buf.length; i++) {
      const { line } = around
      const c = buf.charCodeAt(i)
      if (c === 123 || c === 91) {
        const starts = valueStart(buf, i, around.blank, ending)
        if (starts) return this.startValue(i)
        if (starts === undefined) return this.waitAt(i)
      } else if (c === 10) {
        cursor.moveTo(i + 1)
        if (line.code >= 3 || line.tildes >= 3) {
          this.region = new Fence(line, cursor.offset)
          return true
        }
        around.endLine(cursor.offset)
        continue
      } else if (!inner && (c === 96 ? line.tildes < 3 : c === 126 && line.blank)) {
        return this.startRun(i, c)
      } else if (opensTag(c) && line.code === 0 && line.tildes < 3 && !line.quoted) {
        const comment = inner ? false : commentStart(buf, i, ending)
        if (comment) return this.startComment(i)
        const tag = reasoning === 'none' ? undefined : reasoningTag(buf, i, ending)
        if (comment === undefined || tag === 'wait') return this.waitAt(i)
        if (tag) return tag.closes ? this.implyThought(i, tag) : this.startThought(i, tag)
      }
      if (isSpace(c)) continue
      this.findings.seen(c, cursor.base + i)
      around.seen(c)
    }
    cursor.moveTo(buf.length)
    return false
  }

  /** What stands at an index can't be told yet. */
  private waitAt(at: number): boolean {
    this.cursor.moveTo(at)
    return false
  }

  // Let me look. {"type": "action", …}
  //              ^
  private startValue(at: number): boolean {
    const { cursor, around, findings } = this
    cursor.moveTo(at)
    const { wrapped, lastSeen } = findings
    const place = {
      start: cursor.offset,
      where: around.place(cursor),
      inline: !around.line.blank,
      first: around.blank || (wrapped.length > 0 && wrapped.at(-1)?.[1] === lastSeen),
      tentative: !around.blank,
    }
    // It may be an action, or no value after all and then the beginning of a thought.
    this.held.hold()
    this.region = new ReplyValue(place, this.options.limits, {
      action: () => this.actionStarts?.(),
      text: (part) => this.shown.add(part),
    })
    return true
  }

  private valueRead(value: ReplyValue): void {
    if (value.tooDeep) this.tooDeep = true
    if (value.outcome === 'none') this.noValue(value)
    else if (value.outcome === 'read') this.values.sort(value)
  }

  /** What looked like a value is none: only its bracket is read, and the rest of it again. */
  private noValue({ place: { start, where }, type, readTo }: ReplyValue): void {
    const { held, findings } = this
    if (where && type === 'action') findings.embed(where, [start, readTo])
    if (held.from === start) held.letGo()
    findings.seen(123, start)
    this.around.putBracket()
    const again = readTo - start
    if (this.reread + again > REREADS * readTo) {
      // No more is read again. What was skipped is text, and if it speaks of an action, that is said.
      if (mentionsAction(findings.source(start, readTo))) findings.embed('brackets', [start, readTo])
      return
    }
    this.reread += again
    this.cursor.goTo(start + 1)
  }

  private startRun(at: number, mark: number): boolean {
    const { cursor } = this
    cursor.moveTo(at)
    // Where a fence is the first thing, it may be all.
    this.held.hold()
    this.region = new MarkRun(cursor.offset, mark)
    return true
  }

  private runRead(run: MarkRun): void {
    const { offset } = this.cursor
    this.findings.seen(run.mark, run.start, offset)
    this.around.seenRun(run, offset)
    if (!this.around.line.fenceFirst) this.held.letGo()
  }

  private fenceRead(fence: Fence): void {
    const { findings, held } = this
    const { content, alone, complete, start, stop, mark } = fence
    this.around.leave(stop, mark)
    if (!alone) held.letGo()
    findings.textFollows(start)
    findings.tail = undefined
    findings.lastSeen = stop
    if (alone || content.includes('action') || mentionsCall(content))
      findings.fenceRead(fence, this.scanInner(content))
    else if (!complete) findings.unclosedFence = [start, stop]
  }

  // <!--
  // ^
  private startComment(at: number): boolean {
    const { cursor } = this
    cursor.moveTo(at)
    this.findings.seen(60, cursor.offset)
    this.region = new Comment(cursor)
    return true
  }

  private commentRead({ content, contentStart }: Comment): void {
    const { offset } = this.cursor
    this.findings.lastSeen = offset
    this.around.leave(offset, 45)
    this.embedInner(content, contentStart, 'comment')
  }

  // <think>
  // ^
  private startThought(at: number, tag: ReasoningTag): boolean {
    const { cursor, held } = this
    const start = cursor.base + at
    cursor.moveTo(at)
    // Nothing may follow an action, not even a thought.
    if (held.isTail) this.findings.seen(60, start)
    held.show()
    cursor.moveTo(at + tag.size)
    this.region = new Thought(tag.name, start, cursor.offset, this.shown)
    return true
  }

  private thoughtRead({ content, contentStart, start, complete }: Thought): void {
    this.held.leaveOut(this.cursor.offset)
    if (!complete) this.findings.unclosedReasoning = [start, this.cursor.offset]
    this.embedInner(content, contentStart, 'reasoning')
  }

  // I wonder.</think>
  //          ^
  private implyThought(at: number, tag: ReasoningTag): boolean {
    const { cursor, held, findings } = this
    const start = cursor.base + at
    cursor.moveTo(at)
    // What was certain to be text has been shown, however the chunks fell.
    held.show()
    this.shown.implyThought(() => cursor.slice(0, start))
    cursor.moveTo(at + tag.size)
    held.leaveOut(cursor.offset)
    findings.forget([start, cursor.offset])
    this.around.forget(cursor.offset)
    return true
  }

  private embedInner(content: string, contentStart: number, where: EmbeddedWhere): void {
    if (mentionsAction(content)) this.findings.embedAll(this.scanInner(content), content, contentStart, where)
  }

  private scanInner(content: string): ReplyFacts {
    const options = { ...this.options, inner: true, reasoning: 'none' } as const
    const inner = new ReplyScanner(new ShownText(undefined), options)
    inner.push(content)
    const facts = inner.end()
    this.cursor.steps += inner.steps
    return facts
  }
}
