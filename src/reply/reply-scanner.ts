import { isRecord } from '../core/is-record.ts'
import type { Span } from '../core/span.ts'
import { isQuote } from '../json/characters.ts'
import {
  type EmbeddedAction,
  type FoundObject,
  isErrorObject,
  isExplicitAction,
  mentionsAction,
  namesTool,
  wrappedText,
} from './found-object.ts'
import type { EmbeddedWhere } from './issues.ts'
import { isCommentLine, isIndentedCode, isListMarker } from './prose-line.ts'
import { type Reading, startReading, type Tail } from './reading.ts'
import { type FenceRead, ReplyProse, type ScannerOptions } from './reply-prose.ts'
import { ShownText } from './shown-text.ts'

// Text may be read again where a value in prose turned out to be none: this many times the text at the most.
const REREADS = 4

/**
 * Finds in a reply what may be an action, and knows where it stands: at the top level, or in a fence, in inline code,
 * in quotes, in reasoning, within another value.
 */
export class ReplyScanner extends ReplyProse {
  readonly actions: FoundObject[] = []
  readonly errors: FoundObject[] = []
  /** Actions that are text, and how many there were beyond those that are listed. */
  readonly embedded: EmbeddedAction[] = []
  unlistedEmbedded = 0
  /** Damaged values that hold an action: it may have stood at the top level. */
  readonly doubtful: Span[] = []
  tail: Tail | undefined
  /** What stands in the fence that is the whole reply, and the fence. */
  whole: { readonly inner: ReplyScanner; readonly fence: FenceRead } | undefined
  /** Texts that were written as objects. */
  readonly wrapped: Span[] = []
  impliedReasoning: Span | undefined
  /** What the text ended within. `serious`: it may have become an action. */
  unclosed: { readonly span: Span; readonly serious: boolean } | undefined
  unclosedReasoning: Span | undefined
  unclosedFence: Span | undefined

  private reading: Reading | undefined
  private reread = 0
  private readonly actionStarts: (() => void) | undefined

  constructor(shown: ShownText, options: ScannerOptions, actionStarts?: () => void) {
    super(shown, options)
    this.actionStarts = actionStarts
    this.listen({
      open: () => this.containerOpened(),
      text: (key, part) => this.textGrew(key, part),
      done: (key, value, start, end) => this.scalarRead(key, value, start, end),
      close: (_, container) => this.containerClosed(container),
      abandon: () => {},
      takeBack: () => {},
    })
  }

  /** What is being read: text that is shown, text that is held back, an action, or reasoning. */
  get doing(): 'text' | 'held' | 'action' | 'reasoning' {
    if (this.thinking) return 'reasoning'
    if (this.partial && this.held >= 0) return 'action'
    return this.held < 0 ? 'text' : 'held'
  }

  /** The action that is being read, as far as it goes. */
  get partial(): Record<string, unknown> | undefined {
    const { reading, root } = this
    if (reading?.type === 'action' && !reading.where && isRecord(root)) return root
    return this.actions.at(-1)?.value
  }

  /** Nothing stands here but one object that is a reply. */
  get isOneObject(): boolean {
    const { actions, errors, wrapped } = this
    if (actions.length + errors.length === 1) return this.firstSeen < 0
    return actions.length + errors.length === 0 && wrapped.length === 1 && this.lastSeen === wrapped[0]?.[1]
  }

  // Let me look. {"type": "action", …}
  //              ^
  protected override begin(at: number): boolean {
    this.skip(at)
    const start = this.offset
    const where = this.whereAt(at)
    const { wrapped, line } = this
    const first = this.blank || (wrapped.length > 0 && wrapped.at(-1)?.[1] === this.lastSeen)
    this.reading = startReading(start, where, !line.blank, first)
    this.tentative = !this.blank
    // It may be an action, or no value after all and then the beginning of a thought.
    if (this.held < 0) {
      this.show()
      this.held = start
    }
    return this.open()
  }

  private whereAt(at: number): EmbeddedWhere | undefined {
    const { line, buf } = this
    const start = this.base + at
    if (line.code > 0) return 'code'
    if (line.tildes >= 3) return 'fence'
    if (line.first === 62) return 'blockquote'
    const before = at > 0 ? buf.charCodeAt(at - 1) : this.source(start - 1, start).charCodeAt(0)
    if (line.quoted || line.curly || (!line.blank && (isQuote(before) || before === 92))) return 'quotes'
    if (line.brackets > 0 || this.unmatched > 0) return 'brackets'
    const lead = this.source(line.start, Math.min(start, line.start + 16))
    if (line.blank) return !this.blank && line.afterBlank && isIndentedCode(lead) ? 'indented' : undefined
    if (isCommentLine(lead)) return 'comment'
    return start - line.start <= 16 && isListMarker(lead) ? 'list' : undefined
  }

  private containerOpened(): void {
    this.memberRead()
    this.reading?.starts.push(this.offset)
    this.reading?.counts.push(0)
  }

  private memberRead(): void {
    const { reading, frame } = this
    // A string that is joined to the one before has the same index.
    if (reading && frame) reading.counts[reading.counts.length - 1] = frame.index + 1
  }

  private containerClosed(container: object): void {
    const { reading } = this
    if (!reading) return
    const start = reading.starts.pop() ?? reading.start
    const count = reading.counts.pop() ?? 0
    if (!Array.isArray(container) && Object.keys(container).length < count) reading.twice = true
    if (this.frames.length > 0 && isExplicitAction(container))
      this.nest({ where: 'value', span: [start, this.offset] })
  }

  private nest(action: EmbeddedAction): void {
    const nested = this.reading?.nested
    if (nested && nested.length < this.limits.maxIssues) nested.push(action)
  }

  private scalarRead(key: PropertyKey, value: unknown, start: number, end: number): void {
    this.memberRead()
    if (typeof value === 'string' && mentionsAction(value)) this.nest({ where: 'string', span: [start, end] })
    const { reading } = this
    if (!reading || key !== 'type' || this.frames.length !== 1) return
    reading.type = value
    if (value !== 'action' || reading.where) return
    // From here on it is an action, however damaged: it must not become text unseen.
    this.tentative = false
    this.actionStarts?.()
  }

  private textGrew(key: PropertyKey, part: string): void {
    const { reading } = this
    if (key !== 'text' || reading?.type !== 'text' || !reading.first || reading.where) return
    if (this.frames.length !== 1 || Array.isArray(this.root)) return
    reading.streamed = true
    this.shown.add(part)
  }

  protected override finish(end: number, complete: boolean): void {
    const reading = this.reading as Reading
    const { start, where } = reading
    const value = this.root
    const found: FoundObject | undefined = isRecord(value)
      ? {
          value,
          start,
          end,
          complete,
          inline: reading.inline,
          twice: reading.twice,
          issues: this.issues,
          unlisted: this.unlisted,
        }
      : undefined
    const damaged = this.issues.length > 0
    this.leave()
    if (where || !found) this.valueIsText(reading, value, end, complete, damaged)
    else if (isExplicitAction(value)) this.actionRead(found)
    else if (!complete) this.endsWithin(reading, found.value, end)
    else if (isErrorObject(value) && !reading.inline) this.errorRead(found)
    else if (reading.first && reading.type === 'error') this.errorRead(found)
    else if (reading.first && wrappedText(found.value) !== undefined)
      this.textRead(reading, found.value, end, damaged)
    else this.valueIsText(reading, value, end, complete, damaged)
  }

  private actionRead(found: FoundObject): void {
    const { start, end, complete } = found
    if (this.heldTail) this.textFollows(start)
    this.blank = false
    this.line.put()
    if (!complete) this.unclosed = { span: [start, end], serious: true }
    this.actions.push(found)
    this.held = start
    this.heldTail = true
  }

  private errorRead(found: FoundObject): void {
    if (this.heldTail) this.textFollows(found.start)
    this.blank = false
    this.line.put()
    this.errors.push(found)
    this.held = found.start
    this.heldTail = true
  }

  private textRead(reading: Reading, value: Record<string, unknown>, end: number, damaged: boolean): void {
    this.embedWithin(reading, end, true, damaged)
    if (!reading.streamed) this.shown.add(wrappedText(value) as string)
    this.leaveOut(end)
    this.wrapped.push([reading.start, end])
    this.valueSeen(reading.start, end)
  }

  /** The text ends within an object that does not say what it is, or not yet. */
  private endsWithin(reading: Reading, value: Record<string, unknown>, end: number): void {
    const { start, type, first, inline, streamed } = reading
    const becomes =
      typeof type === 'string' && type !== '' && /^(?:a(?:c(?:t(?:i(?:on?)?)?)?)?|er?r?o?r?)$/.test(type)
    const serious = becomes || first || namesTool(value, this.options.isTool) !== undefined
    this.embedWithin(reading, end, false, true)
    if (serious || !inline) this.unclosed = { span: [start, end], serious }
    if (streamed) this.leaveOut(end)
    this.valueSeen(start, end)
    if (becomes || (serious && !first)) this.leaveOut(end)
    else this.held = -1
  }

  private valueIsText(
    reading: Reading,
    value: unknown,
    end: number,
    complete: boolean,
    damaged: boolean,
  ): void {
    const { start, where, first } = reading
    const isTop = where === undefined
    if (where && isExplicitAction(value)) reading.nested.push({ where, span: [start, end] })
    const listed = isTop && Array.isArray(value) && value.some(isExplicitAction)
    this.embedWithin(reading, end, complete, damaged)
    if (!complete && isTop && !reading.inline) this.unclosed = { span: [start, end], serious: listed }
    this.valueSeen(start, end)
    this.held = -1
    if (!isTop) return
    this.tail = { value, start, end, first: first && this.firstSeen === start }
    if (!listed && namesTool(value, this.options.isTool) === undefined) return
    this.held = start
    this.heldTail = true
  }

  /** A value stands in the text as a part of it. */
  private valueSeen(start: number, end: number): void {
    if (this.heldTail) this.textFollows(start)
    this.blank = false
    if (this.firstSeen < 0) this.firstSeen = start
    this.lastSeen = end
    this.line.put()
  }

  /** Actions within a value that is text. What is damaged may hide one. */
  private embedWithin(
    { start, nested, where }: Reading,
    end: number,
    complete: boolean,
    damaged: boolean,
  ): void {
    this.embedAll(nested)
    const hidden = (damaged || !complete) && nested.length === 0 && mentionsAction(this.source(start, end))
    if (hidden) this.embed(where ?? 'value', [start, end])
    if ((hidden || nested.length > 0) && damaged) this.doubtful.push([start, end])
  }

  private embedAll(actions: readonly EmbeddedAction[], offset = 0, where?: EmbeddedWhere): void {
    for (const action of actions)
      this.embed(where ?? action.where, [action.span[0] + offset, action.span[1] + offset])
  }

  private embed(where: EmbeddedWhere, span: Span): void {
    if (this.embedded.length >= this.limits.maxIssues) this.unlistedEmbedded++
    else this.embedded.push({ where, span })
  }

  protected override abandon(): void {
    const { start, type, where } = this.reading as Reading
    const again = this.offset - start
    if (where && type === 'action') this.embed(where, [start, this.offset])
    this.reset()
    this.leave()
    if (this.held === start && !this.heldTail) this.held = -1
    this.seen(123, start)
    this.line.put()
    this.unmatched++
    if (this.reread + again > REREADS * this.offset) {
      // No more is read again. What was skipped is text, and if it speaks of an action, that is said.
      const end = this.offset
      if (mentionsAction(this.source(start, end))) this.embed('brackets', [start, end])
      return
    }
    this.reread += again
    this.goBack(start + 1)
  }

  private leave(): void {
    this.reading = undefined
    this.issues = []
    this.unlisted = 0
    this.cost = 0
    this.root = undefined
    this.state = this.inProse
  }

  protected override seen(c: number, start: number, end?: number): void {
    this.tail = undefined
    super.seen(c, start, end)
  }

  protected override textFollows(start: number): void {
    const error = this.errors.at(-1)
    if (error && this.held === error.start) {
      // Before all text, an error stays one; in the middle of it, it is data.
      if (this.firstSeen < 0) {
        this.leaveOut(error.end)
        return
      }
      this.errors.pop()
    }
    const { whole } = this
    if (whole) this.wholeIsText(whole.inner, whole.fence)
    this.held = -1
    this.heldTail = false
    this.tail = undefined
    this.show(start)
  }

  protected override fenceRead(fence: FenceRead): void {
    const { content, alone, complete, start, end } = fence
    if (this.heldTail) this.textFollows(start)
    this.tail = undefined
    if (!complete && !alone) this.unclosedFence = [start, end]
    if (!alone && !content.includes('action')) return
    const inner = this.scanInner(content)
    if (alone && inner.isOneObject && !inner.unclosed) {
      if (!complete) this.unclosed = { span: [start, end], serious: true }
      this.whole = { inner, fence }
      this.heldTail = true
      return
    }
    if (alone && inner.unclosed?.serious) this.unclosed = { span: [start, end], serious: true }
    else if (!complete) this.unclosedFence = [start, end]
    if (alone) this.held = -1
    this.wholeIsText(inner, fence)
  }

  /** What stands in a fence is text. */
  private wholeIsText(
    inner: ReplyScanner,
    { content, contentStart }: Pick<FenceRead, 'content' | 'contentStart'>,
    where: EmbeddedWhere = 'fence',
  ): void {
    this.whole = undefined
    const actions = inner.actions.map(({ start, end }) => ({ where, span: [start, end] as const }))
    const found = [...actions, ...inner.embedded]
    const { length } = content
    if (found.length === 0 && mentionsAction(content)) found.push({ where, span: [0, length] })
    this.embedAll(found, contentStart, where)
    this.unlistedEmbedded += inner.unlistedEmbedded
  }

  private scanInner(content: string): ReplyScanner {
    const options = { ...this.options, inner: true, reasoning: 'none' } as const
    const inner = new ReplyScanner(new ShownText(undefined), options)
    inner.push(content)
    inner.end()
    this.steps += inner.steps
    return inner
  }

  protected override hiddenRead(content: string, contentStart: number): void {
    if (!mentionsAction(content)) return
    this.wholeIsText(this.scanInner(content), { content, contentStart }, 'comment')
  }

  protected override thoughtRead(content: string, start: number, end: number, complete: boolean): void {
    if (!complete) this.unclosedReasoning = [start, end]
    if (!mentionsAction(content)) return
    this.wholeIsText(this.scanInner(content), { content, contentStart: end - content.length }, 'reasoning')
  }

  protected override forget(tag: Span): void {
    this.impliedReasoning = tag
    const { whole, actions, errors, wrapped } = this
    if (whole) this.wholeIsText(whole.inner, whole.fence)
    const before = this.embedded.splice(0)
    this.embedAll(before, 0, 'reasoning')
    for (const { start, end } of actions) this.embed('reasoning', [start, end])
    actions.length = errors.length = wrapped.length = this.doubtful.length = 0
    this.tail = undefined
    this.unclosed = undefined
    this.unclosedFence = undefined
  }
}
