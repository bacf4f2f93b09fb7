import type { TextCursor } from '../core/text-cursor.ts'
import type { Region } from './region.ts'

/** A run of backticks or tildes: it opens or closes a fence, or inline code. */
export class MarkRun implements Region {
  readonly start: number
  /** The character that it is made of. */
  readonly mark: number

  constructor(start: number, mark: number) {
    this.start = start
    this.mark = mark
  }

  // ```json    `code`
  // ^^^        ^
  read(cursor: TextCursor): boolean {
    const { buf } = cursor
    let end = cursor.pos
    while (end < buf.length && buf.charCodeAt(end) === this.mark) end++
    cursor.moveTo(end)
    return end < buf.length
  }

  end(): void {}
}
