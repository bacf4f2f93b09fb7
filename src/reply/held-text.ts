import type { TextCursor } from '../core/text-cursor.ts'
import type { ShownText } from './shown-text.ts'

/** Shows text as soon as it is certain to be text, and holds back what may still become an action. */
export class HeldText {
  /** From here on it is not certain that it is text; -1: nothing is held back. */
  from = -1
  /** An object is held back with which the reply may end: what follows decides. */
  isTail = false
  /** All text before is shown, or left out. */
  private shownTo = 0
  private readonly cursor: TextCursor
  private readonly shown: ShownText

  constructor(cursor: TextCursor, shown: ShownText) {
    this.cursor = cursor
    this.shown = shown
  }

  /** What begins at the cursor may become an action. */
  hold(): void {
    if (this.from >= 0) return
    this.show()
    this.from = this.cursor.offset
  }

  holdTail(start: number): void {
    this.from = start
    this.isTail = true
  }

  /** It became none. */
  letGo(): void {
    if (!this.isTail) this.from = -1
  }

  /** Whatever is held back is text, up to an offset. */
  release(to: number): void {
    this.from = -1
    this.isTail = false
    this.show(to)
  }

  /** Whatever is held back is no text, up to an offset. */
  leaveOut(to: number): void {
    this.from = -1
    this.isTail = false
    this.shownTo = Math.max(this.shownTo, to)
  }

  show(to = this.from >= 0 ? this.from : this.cursor.offset): void {
    const from = this.shownTo
    if (to <= from) return
    this.shownTo = to
    this.shown.add(this.cursor.slice(from, to))
  }

  /** What has been neither shown nor left out. */
  get rest(): string {
    return this.cursor.slice(this.shownTo, this.cursor.length)
  }
}
