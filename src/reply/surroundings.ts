import type { TextCursor } from '../core/text-cursor.ts'
import { isQuote } from '../json/characters.ts'
import type { EmbeddedWhere } from './issues.ts'
import type { MarkRun } from './mark-run.ts'
import { ProseLine } from './prose-line.ts'

// What a line begins with decides; nobody looks farther than this.
const LEAD = 16

/** What the prose before a value says about where the value stands. */
export class Surroundings {
  line = new ProseLine()
  /** Nothing but space and reasoning so far. */
  blank = true
  /** Brackets of earlier lines that were not closed: what follows may stand within them. */
  private unmatched = 0

  /** A character that is no space. */
  seen(c: number): void {
    const { line } = this
    this.blank = false
    if (c === 125 || c === 93 || c === 41) {
      if (line.brackets > 0) line.brackets--
      else if (c !== 41 && this.unmatched > 0) this.unmatched--
    }
    line.seen(c)
  }

  /** A run of backticks or tildes. */
  seenRun({ mark, start }: MarkRun, end: number): void {
    this.line.seenRun(mark, start, end - start, this.blank)
    this.blank = false
  }

  /** A value stands here. */
  put(): void {
    this.blank = false
    this.line.put()
  }

  /** What looked like a value is none; its bracket is not closed. */
  putBracket(): void {
    this.put()
    this.unmatched++
  }

  /** `start`: where the next line begins. */
  endLine(start: number): void {
    const { line } = this
    // function f() {⏎
    //              ^
    if (line.brackets > 0 && (line.last === 123 || line.last === 91 || line.last === 40))
      this.unmatched += line.brackets
    line.next(start)
  }

  /** A fence or a comment ends here, with this character. */
  leave(offset: number, c: number): void {
    this.blank = false
    this.line = new ProseLine()
    this.line.start = offset
    this.line.seen(c)
  }

  /** All text so far was reasoning. */
  forget(offset: number): void {
    this.blank = true
    this.unmatched = 0
    this.line = new ProseLine()
    this.line.start = offset
  }

  /** Where the value at the cursor stands, if not at the top level. */
  place(cursor: TextCursor): EmbeddedWhere | undefined {
    const { line } = this
    const { offset } = cursor
    if (line.code > 0) return 'code'
    if (line.tildes >= 3) return 'fence'
    if (line.first === 62) return 'blockquote'
    const before = cursor.slice(Math.max(0, offset - 1), offset).charCodeAt(0)
    if (line.quoted || line.curly || (!line.blank && (isQuote(before) || before === 92))) return 'quotes'
    if (line.brackets > 0 || this.unmatched > 0) return 'brackets'
    const lead = cursor.slice(line.start, Math.min(offset, line.start + LEAD))
    if (line.blank) return !this.blank && line.afterBlank && isIndentedCode(lead) ? 'indented' : undefined
    if (isCommentLine(lead)) return 'comment'
    return offset - line.start <= LEAD && isListMarker(lead) ? 'list' : undefined
  }
}

/** Whether a line begins as a comment does: `// …`, or with nothing but the mark: `# `. */
const isCommentLine = (lead: string) => /^\s*(?:\/\/|#+\s*$)/.test(lead)

/** Whether a line is indented as code is. */
const isIndentedCode = (lead: string) => /^(?: {4}| {0,3}\t)/.test(lead)

/** Whether nothing but the marker of a list item stands before: `- `, `1. `. */
const isListMarker = (lead: string) => /^\s*(?:[-*+•]|\d{1,9}[.)])\s+$/.test(lead)
