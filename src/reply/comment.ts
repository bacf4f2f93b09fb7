import type { TextCursor } from '../core/text-cursor.ts'
import type { Region } from './region.ts'

const OPENING = '<!--'

/** Whether a comment begins at an index: `undefined` while more text is needed to tell. */
export function commentStart(text: string, at: number, ending: boolean): boolean | undefined {
  if (text.startsWith(OPENING, at)) return true
  return !ending && OPENING.startsWith(text.slice(at, at + OPENING.length)) ? undefined : false
}

/** `<!-- … -->`: nobody sees it, and nothing in it is meant. */
export class Comment implements Region {
  readonly contentStart: number
  content = ''

  /** The cursor stands before its opening. */
  constructor(cursor: TextCursor) {
    this.contentStart = cursor.offset + OPENING.length
    // <!-->
    //   ^^^ is a whole comment
    cursor.moveTo(cursor.pos + 2)
  }

  // <!-- {"type": "action", …} -->
  //   ^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  read(cursor: TextCursor): boolean {
    const { buf, pos, ending } = cursor
    const close = buf.indexOf('-->', pos)
    if (close < 0) {
      cursor.moveTo(ending ? buf.length : Math.max(pos, buf.length - 2))
      return false
    }
    cursor.moveTo(close + 3)
    this.end(cursor)
    return true
  }

  end(cursor: TextCursor): void {
    this.content = cursor.slice(Math.min(cursor.offset, this.contentStart), cursor.offset)
  }
}
