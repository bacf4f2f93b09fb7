import type { Fence } from './read-block-start.ts'
import { readBlockStart } from './read-block-start.ts'
import { renderSpans } from './render-spans.ts'
import { SafeText } from './safe-text.ts'

/** What the rest of a line is: not known yet, text with spans in it, or text as it is. */
type Place = 'start' | 'spans' | 'plain'

/**
 * Markdown of a model as a terminal shows it while it arrives. It is light: what is not clear stays as it was written, and
 * lines are left to the terminal to break. Without colour nothing is taken away. Nothing of the text is obeyed: it is made
 * safe first, and what is added after that is ours.
 */
export class MarkdownStream {
  private readonly color: boolean
  private readonly safe = new SafeText()
  private place: Place = 'start'
  /** What is there of the line and not shown yet. */
  private held = ''
  /** The character before it. */
  private before = ''
  /** What ends the style of the line. */
  private closing = ''
  private isBold = false
  /** How many signs of a quotation the line has. */
  private quotes = 0
  private fence: Fence | undefined

  constructor({ color }: { readonly color: boolean }) {
    this.color = color
  }

  push(text: string): string {
    const safe = this.safe.push(text)
    return this.color ? this.render(safe) : safe
  }

  /** What is left. After that a new text can begin. */
  end(): string {
    const safe = this.safe.end()
    if (!this.color) return safe
    const shown = this.render(safe) + this.endLine()
    this.fence = undefined
    return shown
  }

  private render(text: string): string {
    let shown = ''
    let at = 0
    for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', at)) {
      this.held += text.slice(at, end)
      shown += `${this.endLine()}\n`
      at = end + 1
    }
    this.held += text.slice(at)
    return shown + this.advance(false)
  }

  private endLine(): string {
    const shown = this.advance(true) + this.closing
    this.place = 'start'
    this.before = ''
    this.closing = ''
    this.isBold = false
    this.quotes = 0
    return shown
  }

  private advance(isWhole: boolean): string {
    let shown = ''
    while (this.place === 'start') {
      const start = readBlockStart(this.held, { isWhole, quotes: this.quotes, fence: this.fence })
      if (start === undefined) return shown
      shown += start.shown
      this.held = this.held.slice(start.used)
      this.quotes += start.quotes ?? 0
      if ('fence' in start) this.fence = start.fence
      this.closing = start.closing ?? ''
      this.isBold = start.isHeading ?? false
      this.place = start.next
    }
    const { shown: rest, used } =
      this.place === 'plain' ? { shown: this.held, used: this.held.length } : this.spans(isWhole)
    if (used > 0) this.before = this.held[used - 1]!
    this.held = this.held.slice(used)
    return shown + rest
  }

  private spans(isWhole: boolean) {
    return renderSpans(this.held, { before: this.before, isWhole, isBold: this.isBold })
  }
}
