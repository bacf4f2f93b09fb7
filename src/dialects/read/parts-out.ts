import { callId } from '../../core/call-id.ts'
import type { Span } from '../../core/span.ts'
import type { FoundCall } from '../found-call.ts'

/** A stretch of the text, and what it is. Together they are all of it, in order. */
export type FoundPart =
  | { readonly type: 'content'; readonly text: string; readonly span: Span }
  | { readonly type: 'reasoning'; readonly text: string; readonly span: Span }
  /** `index`: which of the calls. */
  | { readonly type: 'call'; readonly index: number; readonly span: Span }
  /** Marks of the dialect, and white space between them. */
  | { readonly type: 'markup'; readonly span: Span }

/** What is told while the text arrives. */
export type CallEvent =
  | { readonly type: 'content-delta'; readonly text: string }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'call-start'; readonly index: number; readonly id: string; readonly name: string }
  /**
   * The next piece of the arguments, as JSON text as far as the model writes JSON. What the arguments come to, the
   * reading at the end says.
   */
  | { readonly type: 'call-delta'; readonly index: number; readonly text: string }
  | { readonly type: 'call-end'; readonly index: number; readonly call: IdentifiedCall }

/** A call that has an id, the model's or ours. */
export type IdentifiedCall = FoundCall & { readonly id: string }

type TextKind = 'content' | 'reasoning'

/** Puts the parts in order, and tells of them. */
export class PartsOut {
  readonly parts: FoundPart[] = []
  readonly calls: IdentifiedCall[] = []
  private readonly tell: ((event: CallEvent) => void) | undefined
  /** Calls that have begun; those of `calls` have ended. */
  private readonly started: { readonly id: string; readonly name: string; readonly at: number }[] = []
  private readonly taken = new Set<string>()
  /** Whether arguments of a call that has started were told already. */
  private readonly argued = new Set<number>()
  /** White space at the beginning of a run of text: if nothing else comes, it only parts what stands around it. */
  private space = ''
  private spaceKind: TextKind = 'content'
  private end = 0

  constructor(tell?: (event: CallEvent) => void) {
    this.tell = tell
  }

  /** Whether somebody listens. */
  get told(): boolean {
    return this.tell !== undefined
  }

  /** Whether the run of text at hand has nothing in it yet. */
  get blank(): boolean {
    const type = this.parts.at(-1)?.type
    return type !== 'content' && type !== 'reasoning'
  }

  /** The end of the content that text would go on with; empty where something else stands before it. */
  tail(most: number): string {
    const last = this.parts.at(-1)
    return last?.type === 'content' ? last.text.slice(-most) : ''
  }

  text(kind: TextKind, text: string): void {
    if (text === '') return
    if (this.space !== '' && this.spaceKind !== kind) this.settleSpace()
    const last = this.parts.at(-1)
    const goesOn = last?.type === kind
    if (!goesOn && text.trim() === '') {
      this.space += text
      this.spaceKind = kind
      return
    }
    const whole = this.space + text
    this.space = ''
    const start = goesOn ? last.span[0] : this.end
    this.end += whole.length
    const part = { type: kind, text: goesOn ? last.text + whole : whole, span: [start, this.end] as Span }
    if (goesOn) this.parts[this.parts.length - 1] = part
    else this.parts.push(part)
    this.tell?.({ type: `${kind}-delta`, text: whole })
  }

  markup(to: number): void {
    this.settleSpace()
    if (to <= this.end) return
    const last = this.parts.at(-1)
    const goesOn = last?.type === 'markup'
    const part = { type: 'markup', span: [goesOn ? last.span[0] : this.end, to] } as const
    if (goesOn) this.parts[this.parts.length - 1] = part
    else this.parts.push(part)
    this.end = to
  }

  /** A call begins, of which the name is known. Calls end in the order in which they begin. */
  startCall(name: string, given: string | undefined, at: number): number {
    const index = this.started.length
    const id =
      given !== undefined && given !== '' && !this.taken.has(given)
        ? given
        : callId(index, name, at, this.taken)
    this.taken.add(id)
    this.started.push({ id, name, at })
    this.tell?.({ type: 'call-start', index, id, name })
    return index
  }

  tellArguments(index: number, text: string): void {
    if (text === '') return
    this.argued.add(index)
    this.tell?.({ type: 'call-delta', index, text })
  }

  call(found: FoundCall): void {
    this.markup(found.span[0])
    const index = this.calls.length
    if (index === this.started.length) this.startCall(found.name, found.id, found.span[0])
    if (this.tell && !this.argued.has(index)) this.tellArguments(index, JSON.stringify(found.arguments) ?? '')
    const { id, name } = this.started[index] as { id: string; name: string }
    const call = { ...found, id, name }
    this.calls.push(call)
    this.parts.push({ type: 'call', index, span: found.span })
    this.end = found.span[1]
    this.tell?.({ type: 'call-end', index, call })
  }

  /**
   * The calls that were found in a stretch that ends at `end`, with those that were told of and are not among them: a
   * call that has begun is one, though it must not run.
   */
  withStarted(found: readonly FoundCall[], end: number): readonly FoundCall[] {
    const starts = new Set(found.map(({ span }) => span[0]))
    const lost = this.started.slice(this.calls.length).filter(({ at }) => !starts.has(at))
    if (lost.length === 0) return found
    const all = [
      ...found,
      ...lost.map(
        ({ name, at }): FoundCall => ({ name, arguments: {}, span: [at, end], complete: false, issues: [] }),
      ),
    ].sort((a, b) => a.span[0] - b.span[0])
    return all.map((call, i) => {
      const next = all[i + 1]?.span[0] ?? end
      return call.span[1] > next ? { ...call, span: [call.span[0], next] } : call
    })
  }

  finish(): void {
    const { space } = this
    if (space === '') return
    if (this.parts.length > 0) {
      this.settleSpace()
      return
    }
    this.space = ''
    this.parts.push({ type: this.spaceKind, text: space, span: [this.end, this.end + space.length] })
    this.tell?.({ type: `${this.spaceKind}-delta`, text: space })
  }

  private settleSpace(): void {
    const { space } = this
    this.space = ''
    if (space !== '') this.markup(this.end + space.length)
  }
}
