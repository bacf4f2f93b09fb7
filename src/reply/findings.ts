import type { Span } from '../core/span.ts'
import type { TextCursor } from '../core/text-cursor.ts'
import { mentionsAction } from './contract.ts'
import type { Fence } from './fence.ts'
import type { HeldText } from './held-text.ts'
import type { EmbeddedWhere } from './issues.ts'
import {
  type EmbeddedAction,
  type FoundObject,
  isOneObject,
  type ReplyFacts,
  type Tail,
  type UntypedCall,
  type WholeFence,
} from './reply-facts.ts'
import type { ReplyValue } from './reply-value.ts'
import type { ShownText } from './shown-text.ts'

/** Collects what is found in a reply. */
export class Findings implements ReplyFacts {
  readonly actions: FoundObject[] = []
  readonly errors: FoundObject[] = []
  readonly wrapped: Span[] = []
  whole: WholeFence | undefined
  tail: Tail | undefined
  readonly embedded: EmbeddedAction[] = []
  unlistedEmbedded = 0
  readonly untyped: UntypedCall[] = []
  readonly doubtful: Span[] = []
  firstSeen = -1
  lastSeen = -1
  unclosed: ReplyFacts['unclosed']
  unclosedReasoning: Span | undefined
  unclosedFence: Span | undefined
  impliedReasoning: Span | undefined
  tooLong = false

  private readonly cursor: TextCursor
  private readonly shown: ShownText
  private readonly held: HeldText
  private readonly mostEmbedded: number

  constructor(cursor: TextCursor, shown: ShownText, held: HeldText, mostEmbedded: number) {
    this.cursor = cursor
    this.shown = shown
    this.held = held
    this.mostEmbedded = mostEmbedded
  }

  get text(): string {
    return this.shown.text
  }

  get rest(): string {
    return this.held.rest
  }

  source(from = 0, to = this.cursor.length): string {
    return this.cursor.slice(from, to)
  }

  /** Something stands here that is text, and no value. */
  seen(c: number, start: number, end = start + 1): void {
    this.tail = undefined
    // Behind an object, what may be the rest of a bracket or fence decides nothing yet.
    if (this.held.isTail && (this.whole || (c !== 125 && c !== 93 && c !== 96))) this.textFollows(start)
    this.mark(start, end)
  }

  /** A value stands in the text as a part of it. */
  valueSeen(start: number, end: number): void {
    this.textFollows(start)
    this.mark(start, end)
  }

  private mark(start: number, end: number): void {
    if (this.firstSeen < 0) this.firstSeen = start
    this.lastSeen = end
  }

  /** If an object is held back with which the reply may end, the reply does not end with it. */
  textFollows(start: number): void {
    const { held, errors } = this
    if (!held.isTail) return
    const error = errors.at(-1)
    if (error && held.from === error.start) {
      // Before all text, an error stays one; in the middle of it, it is data.
      if (this.firstSeen < 0) {
        held.leaveOut(error.end)
        return
      }
      errors.pop()
    }
    this.embedWhole()
    this.tail = undefined
    held.release(start)
  }

  embed(where: EmbeddedWhere, span: Span): void {
    if (this.embedded.length >= this.mostEmbedded) this.unlistedEmbedded++
    else this.embedded.push({ where, span })
  }

  /** A call that does not say what it is. Whether the reply ends with it is known at the end: the last one is kept. */
  addUntyped(call: UntypedCall): void {
    if (this.untyped.length >= this.mostEmbedded && this.untyped.pop()?.sure) this.unlistedEmbedded++
    this.untyped.push(call)
  }

  /** Actions within a value that is text. What is damaged may hide one. */
  embedWithin({ place, stop, nested, damaged }: ReplyValue): void {
    const { start, where } = place
    for (const action of nested) this.embed(action.where, action.span)
    const hidden = damaged && nested.length === 0 && mentionsAction(this.source(start, stop))
    if (hidden) this.embed(where ?? 'value', [start, stop])
    if ((hidden || nested.length > 0) && damaged) this.doubtful.push([start, stop])
  }

  /** Actions in a part of the reply that is read by itself, and is no more than text. */
  embedAll(inner: ReplyFacts, content: string, contentStart: number, where: EmbeddedWhere): void {
    const spans = [
      ...inner.actions.map(({ start, end }): Span => [start, end]),
      ...inner.embedded.map(({ span }) => span),
    ]
    if (spans.length === 0 && mentionsAction(content)) spans.push([0, content.length])
    for (const [start, end] of spans) this.embed(where, [start + contentStart, end + contentStart])
    this.unlistedEmbedded += inner.unlistedEmbedded
  }

  /** A fence was read; `inner`: what stands in it. */
  fenceRead(fence: Fence, inner: ReplyFacts): void {
    const { start, stop: end, content, contentStart, complete, alone } = fence
    const span: Span = [start, end]
    if (alone && isOneObject(inner) && !inner.unclosed) {
      this.whole = { inner, start, end, content, contentStart }
      this.held.holdTail(start)
      return
    }
    if (alone && inner.unclosed?.serious) this.unclosed = { span, serious: true }
    else if (!complete) this.unclosedFence = span
    this.held.letGo()
    this.embedAll(inner, content, contentStart, 'fence')
    for (const { name, sure, span } of inner.untyped)
      this.addUntyped({
        name,
        sure,
        where: 'fence',
        span: [span[0] + contentStart, span[1] + contentStart],
      })
  }

  /** The fence is not the whole reply: what stands in it is an example. */
  embedWhole(): void {
    const { whole } = this
    this.whole = undefined
    if (whole) this.embedAll(whole.inner, whole.content, whole.contentStart, 'fence')
  }

  /** All that was found so far was reasoning. */
  forget(tag: Span): void {
    this.impliedReasoning = tag
    this.embedWhole()
    for (const { span } of this.embedded.splice(0)) this.embed('reasoning', span)
    for (const { start, end } of this.actions) this.embed('reasoning', [start, end])
    this.actions.length = this.errors.length = this.wrapped.length = 0
    this.doubtful.length = this.untyped.length = 0
    this.firstSeen = this.lastSeen = -1
    this.tail = undefined
    this.unclosed = undefined
    this.unclosedFence = undefined
  }
}
