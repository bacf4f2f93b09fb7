import { opensTag, reasoningTag } from '../core/reasoning-tag.ts'
import type { TextCursor } from '../core/text-cursor.ts'
import type { Region } from './region.ts'
import type { ShownText } from './shown-text.ts'

/** What the model thinks, between the tags of reasoning. It is shown as reasoning while it is read. */
export class Thought implements Region {
  /** Where its opening stands. */
  readonly start: number
  readonly contentStart: number
  content = ''
  /** It is closed. */
  complete = false
  /** The name of its tag; empty when the prompt has opened it, and any tag closes it. */
  private readonly name: string
  private readonly shown: ShownText

  constructor(name: string, start: number, contentStart: number, shown: ShownText) {
    this.name = name
    this.start = start
    this.contentStart = contentStart
    this.shown = shown
    shown.startThought()
  }

  // <think>What if …</think>
  //        ^^^^^^^^^
  read(cursor: TextCursor): boolean {
    const { buf } = cursor
    for (let at = cursor.pos; at < buf.length; at++) {
      if (!opensTag(buf.charCodeAt(at))) continue
      const tag = reasoningTag(buf, at, cursor.ending)
      if (tag === 'wait') {
        this.think(cursor, at)
        return false
      }
      if (!tag?.closes || (this.name !== '' && tag.name !== this.name)) continue
      this.think(cursor, at)
      this.complete = true
      this.end(cursor)
      cursor.moveTo(at + tag.size)
      return true
    }
    this.think(cursor, buf.length)
    return false
  }

  end(cursor: TextCursor): void {
    this.content = cursor.slice(this.contentStart, cursor.offset)
    this.shown.endThought()
  }

  private think(cursor: TextCursor, end: number): void {
    this.shown.think(cursor.buf.slice(cursor.pos, end))
    cursor.moveTo(end)
  }
}
