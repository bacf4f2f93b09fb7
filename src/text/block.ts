import type { Span } from '../core/span.ts'
import type { TagTarget } from './tag-scanner.ts'
import type { TrailingBreaks } from './trailing-breaks.ts'

/**
 * Where a block may have ended, and what stands behind that place. It is kept because only the end of the text tells
 * whether the tags within the block balance:
 *
 *     <answer>Put it into <answer>, please.</answer> Done.
 *                                          ^^^^^^^^^
 */
interface Doubt {
  readonly closing: Span
  /** Issues so far: those that follow are taken back if the block did end here. */
  readonly mark: number
  /** What follows, as content if the block goes on, and as text to be read again if not. */
  readonly content: { readonly text: string; readonly start: number }[]
  readonly text: string[]
}

/** A section or reasoning between tags, as long as it is open. */
export class Block {
  /** None when reasoning was open from the beginning, by whatever tag. */
  target: TagTarget | undefined
  readonly kind: 'section' | 'reasoning'
  /** Its opening tag. */
  readonly opening: Span
  breaks: TrailingBreaks
  doubt: Doubt | undefined
  /** The first tag of its own name within it. */
  inner: Span | undefined

  /** Tags of its own name that are open, its own included. */
  private depth = 1
  /** More than space stands in it. */
  private begun = false
  /** Its own tag was quoted on this line: a closing tag behind it belongs to the quote. */
  private mention = false

  constructor(target: TagTarget | undefined, kind: Block['kind'], opening: Span, breaks: TrailingBreaks) {
    this.target = target
    this.kind = kind
    this.opening = opening
    this.breaks = breaks
  }

  owns(target: TagTarget): boolean {
    return this.target ? target === this.target : target.kind === 'reasoning'
  }

  /** Whether an opening tag here is its own: the model opens what the prompt has opened already. */
  get awaitsOpening(): boolean {
    return !this.target && !this.begun
  }

  /** A closing tag of its name would end it, as far as is known. */
  get outermost(): boolean {
    return this.depth === 1
  }

  /** Nothing depends on what the text is that follows, but for tags and line ends. */
  get steady(): boolean {
    return this.breaks.held === '' && !this.mention && this.target !== undefined && !this.doubt
  }

  /** Text passes that is no tag. */
  see(text: string): void {
    if (!this.target && !this.begun) this.begun = text.trim() !== ''
    if (this.mention && text.includes('\n')) this.mention = false
  }

  /** A tag of its own name opens within it. */
  nest(span: Span, quoted: boolean): void {
    if (quoted) this.mention = true
    else {
      this.depth++
      this.inner ??= span
    }
  }

  /** A tag of its own name closes: the block itself, one within it, or one that is quoted. */
  close(): 'block' | 'inner' | 'quote' {
    if (this.mention) {
      this.mention = false
      return 'quote'
    }
    if (this.depth === 1) return 'block'
    this.depth--
    return 'inner'
  }
}
