import { isRecord } from '../core/is-record.ts'
import type { Limits } from '../core/limits.ts'
import type { TextCursor } from '../core/text-cursor.ts'
import { JsonMachine } from '../json/machine.ts'
import { shiftIssues } from '../section/shift-issues.ts'
import { isExplicitAction, mentionsAction } from './contract.ts'
import type { EmbeddedWhere } from './issues.ts'
import type { Region } from './region.ts'
import type { EmbeddedAction, FoundObject } from './reply-facts.ts'

// Most values are shorter.
const PIECE = 512

/** Where a value stands. */
interface ValuePlace {
  readonly start: number
  /** Where it stands, if not at the top level. */
  readonly where: EmbeddedWhere | undefined
  /** Text stands before it on its line. */
  readonly inline: boolean
  /** Nothing stands before it but texts written as objects. */
  readonly first: boolean
  /** Text stands before it: it may be no value at all. */
  readonly tentative: boolean
}

/** Hears of a value at the top level while it is read. */
interface ValueListener {
  /** It calls itself an action. */
  action(): void
  /** It is a text written as an object, and this is the next part of the text. */
  text(part: string): void
}

/** One JSON value of a reply, which is read while it is looked through for actions within it. */
export class ReplyValue extends JsonMachine implements Region {
  /** `none`: it is no value after all. `undefined` while it is read, and for good where it is too deep to begin. */
  outcome: 'read' | 'none' | undefined
  /** Where it ends, and where reading goes on: space and comments may lie between. */
  stop = 0
  readTo = 0
  /** It closed by itself. */
  complete = false
  /** Its member `type`, as soon as that is read. */
  type: unknown
  /** Its text was told while it was read. */
  streamed = false
  /** Actions that stand within it, and strings that speak of one. */
  readonly nested: EmbeddedAction[] = []
  readonly place: ValuePlace

  private readonly hears: ValueListener
  private twice = false
  /** Of the containers that are open: where they began, and how many members they have. */
  private readonly starts: number[] = []
  private readonly counts: number[] = []
  /** Of its text: which member that is, how much of it was told, and a comma at its end that was not. */
  private toldIndex = -1
  private told = 0
  private comma = ''

  constructor(place: ValuePlace, limits: Limits, hears: ValueListener) {
    super(limits, false)
    this.place = place
    this.hears = hears
    this.tentative = place.tentative
    this.state = this.open
    this.listen({
      open: () => this.containerOpened(),
      text: (key, part) => this.textGrew(key, part),
      done: (key, value, start, end) => this.scalarRead(key, value, start, end),
      close: (_, container) => this.containerClosed(container),
      abandon: () => {},
      takeBack: () => {},
    })
  }

  read(cursor: TextCursor): boolean {
    const { buf, ending } = cursor
    // Piece by piece: what lies far behind the value must not be looked at for each of many values.
    for (let size = PIECE; !this.isOver && cursor.pos < buf.length; size *= 2) {
      const end = Math.min(buf.length, cursor.pos + size)
      this.ending = ending && end === buf.length
      this.push(buf.slice(cursor.pos, end))
      cursor.pos = end
    }
    if (this.isOver) this.leave(cursor)
    return this.isOver
  }

  end(cursor: TextCursor): void {
    this.ending = true
    this.run()
    this.endValue()
    this.leave(cursor)
  }

  /** What was read, as far as it goes. */
  get value(): unknown {
    return this.root
  }

  /** The same, if it calls itself an action, and stands where one may stand. */
  get action(): Record<string, unknown> | undefined {
    const { root, type, place } = this
    return type === 'action' && !place.where && isRecord(root) ? root : undefined
  }

  /** Something was wrong with its JSON. */
  get damaged(): boolean {
    return this.issues.length + this.unlisted > 0
  }

  /** Too many brackets were open: nothing behind them is read. */
  get tooDeep(): boolean {
    return this.state === this.sink
  }

  get found(): FoundObject | undefined {
    const { root, place, stop: end, complete, twice, unlisted } = this
    const { start, inline, first } = place
    if (!isRecord(root)) return undefined
    const issues = shiftIssues(this.issues, start)
    return { value: root, start, end, complete, inline, first, twice, issues, unlisted }
  }

  private get isOver(): boolean {
    return this.outcome !== undefined || this.tooDeep
  }

  private leave(cursor: TextCursor): void {
    if (this.outcome) cursor.goTo(this.readTo)
    cursor.steps += this.steps
  }

  /** What stands behind the value is read by others. */
  private atEnd(): boolean {
    this.pos = this.buf.length
    return false
  }

  protected override finish(end: number, complete: boolean): void {
    this.stop = this.place.start + end
    this.complete = complete
    this.decide('read')
  }

  protected override abandon(): void {
    this.decide('none')
    this.reset()
  }

  private decide(outcome: 'read' | 'none'): void {
    this.outcome = outcome
    this.readTo = this.place.start + this.offset
    this.state = this.atEnd
  }

  private containerOpened(): void {
    this.memberRead()
    this.starts.push(this.offset)
    this.counts.push(0)
  }

  private memberRead(): void {
    // A string that is joined to the one before has the same index.
    if (this.frame) this.counts[this.counts.length - 1] = this.frame.index + 1
  }

  private containerClosed(container: object): void {
    const start = this.starts.pop() ?? 0
    const count = this.counts.pop() ?? 0
    if (!Array.isArray(container) && Object.keys(container).length < count) this.twice = true
    if (this.frames.length > 0 && isExplicitAction(container)) this.nest('value', start, this.offset)
  }

  private nest(where: EmbeddedWhere, from: number, to: number): void {
    const { start } = this.place
    if (this.nested.length < this.limits.maxIssues)
      this.nested.push({ where, span: [start + from, start + to] })
  }

  private scalarRead(key: PropertyKey, value: unknown, start: number, end: number): void {
    this.memberRead()
    if (typeof value === 'string' && mentionsAction(value)) this.nest('string', start, end)
    if (this.isShownText(key) && typeof value === 'string') this.tell(value.slice(this.told))
    if (key !== 'type' || this.frames.length !== 1) return
    this.type = value
    const { where, first } = this.place
    if (where || !(value === 'action' || (value === 'text' && first))) return
    // From here on it is one, however damaged: an action must not become text unseen, nor a text be shown twice.
    this.tentative = false
    if (value === 'action') this.hears.action()
  }

  private textGrew(key: PropertyKey, part: string): void {
    // What was told cannot be taken back. Behind a quote that was kept as content, the string may turn out to have
    // ended there; and a comma at its end, with the space behind it, may turn out to stand behind the string.
    if (!this.isShownText(key) || this.suspect >= 0) return
    if (this.comma !== '' && part.trim() === '') {
      this.comma += part
      return
    }
    const text = this.comma + part
    const body = text.trimEnd()
    const end = body.endsWith(',') ? body.length - 1 : text.length
    this.tell(text.slice(0, end))
    this.comma = text.slice(end)
  }

  /** Whether the member at hand is the text of a reply that is written as an object. */
  private isShownText(key: PropertyKey): boolean {
    const { first, where } = this.place
    if (key !== 'text' || this.type !== 'text' || !first || where || this.frames.length !== 1) return false
    const index = this.frame?.index ?? 0
    if (index !== this.toldIndex) {
      this.toldIndex = index
      this.told = 0
      this.comma = ''
    }
    return !Array.isArray(this.root)
  }

  private tell(part: string): void {
    this.streamed = true
    this.told += part.length
    this.comma = ''
    this.hears.text(part)
  }
}
