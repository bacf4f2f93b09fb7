import type { LineMatcher } from './line-matcher.ts'
import type { NameTable } from './name-table.ts'
import type { PartsBuilder } from './parts-builder.ts'
import type { TagTarget } from './tag-scanner.ts'

/** What a format looks for. */
export interface Grammar {
  /** Sections and reasoning between tags. */
  readonly tags: NameTable<TagTarget>
  /** Sections that begin with a line of their own. */
  readonly lines: () => LineMatcher
  /** What such a line is called when it is not written as it should be; none when there are no such lines. */
  readonly loose: 'loose_header' | 'loose_label' | undefined
  /** Line ends before a section that are the format's own. */
  readonly breaks: number
  /** Text is given as it is: no line end is stripped, no backslash taken away. */
  readonly exact: boolean
  /** In code fences and quotes nothing is live. */
  readonly code: boolean
  /** A fence around everything is no part of the reply. */
  readonly unwraps: boolean
  /** Reasoning within a line of a section, too, that began with a line. */
  readonly inlineReasoning: boolean
  /** `open`: the text begins within reasoning; `implied`: it may have, as is seen when reasoning is only closed. */
  readonly reasoning: 'open' | 'implied' | 'explicit'
}

/**
 * A place in text that is still arriving, and the state that reads on from it. A state consumes all the text there is;
 * what may be the beginning of a delimiter is held by whoever recognises it, so that no text is looked at again
 * because of how the chunks fall.
 */
export abstract class TextMachine {
  /** Characters looked at and states entered: what the growth tests count. */
  steps = 0

  protected readonly grammar: Grammar
  protected readonly out: PartsBuilder
  protected abstract state: () => void
  /** The text not yet read: `buf` from `pos` on, which stands at the offset `base + pos`. */
  protected buf = ''
  protected pos = 0
  protected base = 0
  /** What stands before `buf`, two characters at least if there are as many. */
  private prior = ''

  constructor(grammar: Grammar, out: PartsBuilder) {
    this.grammar = grammar
    this.out = out
  }

  push(chunk: string): void {
    if (chunk === '') return
    this.move(chunk)
    this.run()
  }

  /** Goes on to the next chunk. */
  protected move(chunk: string): void {
    this.pass(this.buf)
    this.buf = chunk
    this.pos = 0
  }

  /** Goes past a text that needs no reading, or has been read. */
  protected pass(text: string): void {
    const { length } = text
    if (length > 1) this.prior = text
    else if (length === 1) this.prior = this.prior.slice(-1) + text
    this.base += length
    this.steps += length
  }

  protected run(): void {
    while (this.pos < this.buf.length) {
      const { pos } = this
      this.state()
      this.steps += 1 + Math.max(0, this.pos - pos)
    }
  }

  protected get offset(): number {
    return this.base + this.pos
  }

  /** Reads a text again, which stands at `offset`. */
  protected goBack(text: string, offset: number): void {
    this.buf = text
    this.base = offset
    this.pos = 0
    this.prior = ''
  }

  /** The character `back` before a place in `buf`, one or two; NaN where there is none. */
  protected before(at: number, back: 1 | 2): number {
    if (at >= back) return this.buf.charCodeAt(at - back)
    return this.prior.charCodeAt(this.prior.length + at - back)
  }
}
