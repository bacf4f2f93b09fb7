import type { Headers } from '../dialect.ts'
import { resolveName } from '../resolve-name.ts'
import { SectionStates } from './section-states.ts'

const LONGEST_HEADER = 600

/** Messages with headers, which say whom they are for: the user, a tool, or the model itself. */
export abstract class HeaderStates extends SectionStates {
  /** Within a message that is not for a tool: only its end counts. */
  protected message = false
  private headerStart = 0

  /** A header may begin the text without its opening mark, which the prompt has written. */
  protected opensHeader(): boolean | 'wait' {
    const { cursor, grammar } = this
    if (!grammar.headers || this.liveFrom > 0) return false
    const start = cursor.buf.slice(0, 40)
    if (!/^\s*to=\S/.test(start))
      return !cursor.ending && /^\s{0,20}(?:t|to|to=)?$/.test(start) ? 'wait' : false
    this.startHeader()
    return true
  }

  protected startHeader(): void {
    this.headerStart = this.cursor.offset
    this.state = this.inHeader
  }

  // <|start|>assistant<|channel|>analysis<|message|>
  // ^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^^
  private inHeader(): boolean {
    const { cursor, grammar, out } = this
    const { buf, ending } = cursor
    // Room for the mark behind the longest header: what lies beyond is not looked at.
    const last = cursor.pos + LONGEST_HEADER + 32
    const { at, mark } = grammar.headerEnd.seek(buf.slice(0, last), cursor.pos, ending || buf.length >= last)
    if (mark === undefined && !ending && buf.length < last) return false
    if (mark === undefined || at - cursor.pos > LONGEST_HEADER) {
      this.giveUp(this.headerStart)
      return true
    }
    const header = buf.slice(cursor.pos, at)
    const { reasoning, answer } = grammar.headers as Headers
    const recipient = lastOf(header, /to=([^\s<|]+)/g)
    const channel = lastOf(header, /<\|channel\|>\s*(\w+)/g)
    const text = buf.slice(cursor.pos, at + mark.length)
    cursor.moveTo(at + mark.length)
    this.state = this.inText
    this.kind = 'content'
    if (recipient !== undefined && !reasoning.includes(recipient) && !answer.includes(recipient)) {
      this.name = resolveName(recipient, this.tools)
      this.id = undefined
      this.sectionStart = this.headerStart
      this.sectionMark = text
      this.loose = false
      this.had = false
      this.state = this.toTool
      return true
    }
    out.markup(cursor.offset)
    this.message = true
    const words = [recipient, channel].filter((word) => word !== undefined)
    if (grammar.reasons && words.some((word) => reasoning.includes(word))) this.kind = 'reasoning'
    return true
  }

  // <|message|>{…}    <|message|><atem:function_calls>
  //            ^                 ^
  private toTool(): boolean {
    const { cursor, grammar } = this
    const { buf, ending } = cursor
    const at = cursor.afterSpace()
    if (at >= buf.length && !ending) return false
    if (at < buf.length && grammar.inSection.standsAt(buf, at, ending) === 'wait') return false
    if (at >= buf.length || buf[at] === '<') {
      this.fresh = true
      this.state = this.inSection
      return true
    }
    this.callStart = cursor.base + at
    cursor.moveTo(at)
    this.state = this.atArguments
    return true
  }

  protected endMessage(at: number, mark: string): 'taken' {
    const { cursor, grammar, out } = this
    this.tellText(at)
    this.message = false
    this.kind = 'content'
    if (mark === grammar.headers?.start) this.startHeader()
    else {
      cursor.moveTo(at + mark.length)
      out.markup(cursor.offset)
    }
    return 'taken'
  }
}

function lastOf(text: string, pattern: RegExp): string | undefined {
  return [...text.matchAll(pattern)].at(-1)?.[1]
}
