import type { Span } from '../core/span.ts'
import { FenceTracker } from '../text/fence-tracker.ts'

/** Where an object stands that is shown and not meant. */
export type EmbeddedPlace = 'code' | 'comment' | 'fence'

/** Tells where objects stand in a text. Asked in the order of the text, so that all of it is looked at once. */
export class Embedding {
  private readonly source: string
  private readonly fence = new FenceTracker()
  private at = 0
  private line = 0
  private comment = false

  constructor(source: string) {
    this.source = source
  }

  placeOf([start, end]: Span): EmbeddedPlace | undefined {
    this.goTo(start)
    if (this.comment) return 'comment'
    const { open } = this.fence
    // A fence around all, or at the end, is how models write JSON; with words around it, it is an example.
    if (open) return this.isBetweenWords(open.start, end) ? 'fence' : undefined
    return this.isInCode(start) ? 'code' : undefined
  }

  private goTo(offset: number): void {
    const { source, at } = this
    this.at = offset
    this.fence.feed(source.slice(at, offset), at)
    this.line = offset === 0 ? 0 : source.lastIndexOf('\n', offset - 1) + 1
    const piece = source.slice(at, offset)
    const opened = piece.lastIndexOf('<!--')
    if (piece.lastIndexOf('-->') > opened) this.comment = false
    else if (opened >= 0) this.comment = true
  }

  // Say `{"intent": …}` please.
  //     ^
  private isInCode(start: number): boolean {
    const marks = this.source.slice(this.line, start).match(/`+/g) ?? []
    return marks.length % 2 === 1
  }

  private isBetweenWords(fenceStart: number, end: number): boolean {
    const { source } = this
    if (source.slice(0, fenceStart).trim() === '') return false
    const [closing = ''] = /^[^\n]*(?:\n[ \t`~]*)*/.exec(source.slice(end)) ?? []
    return source.slice(end + closing.length).trim() !== ''
  }
}
