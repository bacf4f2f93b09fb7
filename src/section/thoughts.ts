import { opensTag, reasoningTag } from '../core/reasoning-tag.ts'
import type { Span } from '../core/span.ts'

/** Finds the model's reasoning in a text, of which some may be passed over. */
export class Thoughts {
  readonly spans: Span[] = []
  /** Where the reasoning began that has not ended; -1: there is none. */
  open = -1

  look(text: string, from: number, to: number): void {
    for (let at = from; at < to; ) {
      const tag = opensTag(text.charCodeAt(at)) ? reasoningTag(text, at, true) : undefined
      if (tag === undefined || tag === 'wait') {
        at++
        continue
      }
      const end = at + tag.size
      if (!tag.closes) this.open = this.open < 0 ? at : this.open
      else {
        // Only the closing tag stands here: all before it was reasoning.
        if (this.open < 0) this.spans.length = 0
        this.spans.push([Math.max(0, this.open), end])
        this.open = -1
      }
      at = end
    }
  }

  end(length: number): readonly Span[] {
    if (this.open >= 0) this.spans.push([this.open, length])
    return this.spans
  }
}
