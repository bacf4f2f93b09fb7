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

/** Blocks of reasoning are joined by this, as everywhere in this library. */
const BETWEEN_THOUGHTS = '\n\n---\n\n'

/**
 * The text of a reply as it can be shown: without space at its beginning and end. Space is kept back until
 * something follows it.
 */
export class ShownText {
  private readonly tell: ((event: ReplyEvent) => void) | undefined
  private parts: string[] = []
  private space = ''
  private thoughts: (string | (() => string))[] = []
  private thought: string[] | undefined

  constructor(tell: ((event: ReplyEvent) => void) | undefined) {
    this.tell = tell
  }

  get text(): string {
    if (this.parts.length > 1) this.parts = [this.parts.join('')]
    return this.parts[0] ?? ''
  }

  get reasoning(): string {
    const thoughts = this.thoughts.map((one) => (typeof one === 'string' ? one : one().trim()))
    if (this.thought) thoughts.push(this.thought.join('').trim())
    return thoughts.filter((thought) => thought !== '').join(BETWEEN_THOUGHTS)
  }

  add(text: string): void {
    const end = text.trimEnd().length
    if (end === 0) {
      if (this.parts.length > 0) this.space += text
      return
    }
    const shown = this.parts.length > 0 ? this.space + text.slice(0, end) : text.slice(0, end).trimStart()
    this.space = text.slice(end)
    this.parts.push(shown)
    this.tell?.({ type: 'text-delta', text: shown })
  }

  startThought(): void {
    this.thought = []
    this.tell?.({ type: 'reasoning-start' })
  }

  think(text: string): void {
    if (text === '') return
    this.thought?.push(text)
    this.tell?.({ type: 'reasoning-delta', text })
  }

  endThought(): void {
    if (!this.thought) return
    this.thoughts.push(this.thought.join('').trim())
    this.thought = undefined
    this.tell?.({ type: 'reasoning-end' })
  }

  /** All text so far was reasoning. It may turn out so again and again: nobody copies it until it is asked for. */
  implyThought(source: () => string): void {
    this.parts = []
    this.space = ''
    this.thoughts = [source]
    this.tell?.({ type: 'reasoning-implied' })
  }
}
