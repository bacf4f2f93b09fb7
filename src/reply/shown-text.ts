import { betweenThoughts } from '../core/reasoning-tag.ts'
/** What a streaming reply tells while it is read. */
export type ReplyEvent =
  /** Text that is part of the answer, whatever follows. The deltas add up to the `text` of the reply. */
  | { readonly type: 'text-delta'; readonly text: string }
  | { readonly type: 'reasoning-start' }
  | { readonly type: 'reasoning-delta'; readonly text: string }
  | { readonly type: 'reasoning-end' }
  /** Only a closing tag stood there: all that was shown so far was reasoning, and is no part of the answer. */
  | { readonly type: 'reasoning-implied' }
  /** An object that calls itself an action has begun. Whether it is one is known at the end. */
  | { readonly type: 'action-start' }

/**
 * Text that grows, without space at its beginning and end: space is kept back until something follows it. It is one
 * string that is only ever added to, so that it costs nothing to look at it after every chunk.
 */
class TrimmedText {
  text = ''
  private space = ''

  /** Gives what can be shown of it. */
  add(text: string): string {
    const end = text.trimEnd().length
    const begun = this.text !== ''
    if (end === 0) {
      if (begun) this.space += text
      return ''
    }
    const shown = begun ? this.space + text.slice(0, end) : text.slice(0, end).trimStart()
    this.space = text.slice(end)
    this.text += shown
    return shown
  }
}

/** The text of a reply as it can be shown, and its reasoning. */
export class ShownText {
  private readonly tell: ((event: ReplyEvent) => void) | undefined
  private shown = new TrimmedText()
  /** The thoughts that have ended, joined; before them, what turned out to be one, once somebody has asked. */
  private thoughts = ''
  private implied: (() => string) | undefined
  private thought: TrimmedText | undefined

  constructor(tell: ((event: ReplyEvent) => void) | undefined) {
    this.tell = tell
  }

  get text(): string {
    return this.shown.text
  }

  get reasoning(): string {
    if (this.implied) {
      this.thoughts = joined(this.implied().trim(), this.thoughts)
      this.implied = undefined
    }
    return joined(this.thoughts, this.thought?.text ?? '')
  }

  add(text: string): void {
    const shown = this.shown.add(text)
    if (shown !== '') this.tell?.({ type: 'text-delta', text: shown })
  }

  startThought(): void {
    this.thought = new TrimmedText()
    this.tell?.({ type: 'reasoning-start' })
  }

  think(text: string): void {
    if (text === '') return
    this.thought?.add(text)
    this.tell?.({ type: 'reasoning-delta', text })
  }

  endThought(): void {
    if (!this.thought) return
    this.thoughts = joined(this.thoughts, this.thought.text)
    this.thought = undefined
    this.tell?.({ type: 'reasoning-end' })
  }

  /** All text so far was reasoning. It may turn out so again and again: nobody copies it until it is asked for. */
  implyThought(source: () => string): void {
    this.shown = new TrimmedText()
    this.thoughts = ''
    this.implied = source
    this.tell?.({ type: 'reasoning-implied' })
  }
}

const joined = (before: string, after: string): string =>
  before === '' || after === '' ? before + after : before + betweenThoughts + after
