import { callIssues } from '../issues.ts'
import { resolveName } from '../resolve-name.ts'
import { BodyStates } from './body-states.ts'
import type { Role } from './role.ts'

const LONGEST_NAME = 200
const LONGEST_SUFFIX = 40

/** Where calls stand: between the marks of a dialect. What is there tells by its beginning how it is written. */
export abstract class SectionStates extends BodyStates {
  /** Opens a place for calls at a mark. */
  protected openSection(at: number, mark: string, role: Role): 'taken' | 'wait' {
    const { cursor, out } = this
    const end = this.suffixEnd(at + mark.length, mark)
    if (end === 'wait') return 'wait'
    const before = cursor.buf.slice(cursor.pos, at)
    if (role.nameBefore && out.blank && /^\s*[\w.-]+$/.test(before)) {
      cursor.moveTo(at)
      out.markup(cursor.offset)
    } else if (role.spaceBefore && this.kind === 'content')
      this.tellText(cursor.pos + before.trimEnd().length)
    else this.tellText(at)
    this.enter(at, mark.length, role.loose ?? false)
    cursor.moveTo(end)
    this.state = this.inSection
    return 'taken'
  }

  // <tool_call:x>
  //            ^^
  protected suffixEnd(from: number, mark: string): number | 'wait' {
    const { buf, ending } = this.cursor
    if (!mark.endsWith(':')) return from
    const suffix = /^[\w.-]*/.exec(buf.slice(from, from + LONGEST_SUFFIX))?.[0] ?? ''
    const end = from + suffix.length
    if (end >= buf.length && suffix.length < LONGEST_SUFFIX && !ending) return 'wait'
    return buf[end] === '>' ? end + 1 : from
  }

  // <tool_call>  {"name": …}  </tool_call>
  //            ^^           ^^
  protected inSection(): boolean {
    const { cursor, grammar } = this
    const { buf, ending } = cursor
    const at = this.had ? cursor.afterSeparators(cursor.pos, ',;') : cursor.afterSpace()
    if (at >= buf.length) {
      if (!ending) return false
      cursor.moveTo(at)
      this.leave()
      return true
    }
    const mark = grammar.inSection.standsAt(buf, at, ending)
    if (mark === 'wait') return false
    const verdict =
      mark === undefined ? 'text' : this.sectionMarkAt(at, mark, grammar.roles.get(mark) as Role)
    return verdict === 'text' ? this.bodyAt(at) : verdict === 'taken'
  }

  private sectionMarkAt(at: number, mark: string, role: Role): 'text' | 'taken' | 'wait' {
    const { cursor, out } = this
    const after = this.suffixEnd(at + mark.length, mark)
    if (after === 'wait') return 'wait'
    if (role.tags) {
      const tag = this.tagAt(at, role.tags)
      if (tag === 'wait') return 'wait'
      if (tag) return this.openTag(at, tag)
    }
    if (role.fence) return this.fenceInSection(at)
    if (role.close) {
      if (!this.had && !this.fresh) this.leave()
      else {
        // Between the marks of an empty place stands nothing, and nothing is lost.
        cursor.moveTo(after)
        out.markup(cursor.offset)
        this.had = true
        this.state = this.inText
      }
      return 'taken'
    }
    if (role.open) {
      if (this.had) {
        out.markup(cursor.base + at)
        this.sectionStart = cursor.base + at
      }
      this.sectionMark = mark
      this.fresh = true
      cursor.moveTo(after)
      return 'taken'
    }
    if (role.token || role.separator || (role.stray && this.had)) {
      cursor.moveTo(after)
      return 'taken'
    }
    if (!role.header && !role.stray) return 'text'
    this.leave()
    return 'taken'
  }

  // ```json
  // ^^^^^^^
  private fenceInSection(at: number): 'taken' | 'wait' {
    const { cursor } = this
    const word = this.fenceWord(at)
    if (word === undefined) return 'wait'
    cursor.moveTo(at + word.length)
    if (this.fenced && this.had) {
      this.fenced = false
      this.out.markup(cursor.offset)
      this.state = this.inText
    }
    return 'taken'
  }

  /** The mark of a code block with its language; `undefined` when it is not there as a whole yet. */
  private fenceWord(at: number): string | undefined {
    const { buf, ending } = this.cursor
    const word = /^```\w*/.exec(buf.slice(at, at + 40))?.[0] ?? '```'
    return !ending && at + word.length >= buf.length ? undefined : word
  }

  private bodyAt(at: number): boolean {
    const { cursor, grammar } = this
    const { buf, ending } = cursor
    if (buf[at] === '{') return this.startBody(at, 'json')
    if (buf[at] === '[') {
      const next = cursor.afterSpace(at + 1)
      const head = /^[A-Za-z_][\w.\-\\]*\s*/.exec(buf.slice(next, next + LONGEST_NAME))?.[0] ?? ''
      if (!ending && next + head.length >= buf.length) return false
      return this.startBody(at, head !== '' && buf[next + head.length] === '(' ? 'pythonic' : 'json')
    }
    if (grammar.quotes.length > 0) {
      const brace = /^call:\s*([^\s{}<>"']{1,200})\s*/.exec(buf.slice(at, at + LONGEST_NAME + 10))
      const end = at + (brace?.[0].length ?? 0)
      if (!ending && (brace ? end >= buf.length : 'call:'.startsWith(buf.slice(at)))) return false
      if (brace && buf[end] === '{') {
        this.name = brace[1] as string
        return this.startBody(at, 'brace')
      }
    }
    return this.headAt(at)
  }

  // <tool_call>f
  //            ^
  private headAt(at: number): boolean {
    const { cursor, grammar } = this
    const { buf, ending } = cursor
    const head = /^[\p{L}_][\p{L}\w.:/\-\\]*/u.exec(buf.slice(at, at + LONGEST_NAME))?.[0] ?? ''
    if (head === '' || head.length >= LONGEST_NAME) {
      this.leave()
      return true
    }
    const end = at + head.length - (head.endsWith('\\n') ? 2 : 0)
    const written = buf.slice(at, end)
    // f {…}, f<tool_sep>, f(…), and all of these on the next line
    const next = cursor.afterBreaks(end)
    if (!ending && next >= buf.length) return false
    const mark = next < buf.length ? grammar.inSection.standsAt(buf, next, ending) : undefined
    if (mark === 'wait') return false
    const role = mark === undefined ? undefined : grammar.roles.get(mark)
    if (role?.separator) {
      cursor.moveTo(next + (mark as string).length)
      if (written !== 'function') this.startNamed(written, at)
      return true
    }
    if (buf[next] === '{' || (role?.fence && next > end)) {
      cursor.moveTo(next)
      this.startNamed(written, at)
      return true
    }
    if (buf[next] === '(') return this.startBody(at, 'pythonic')
    const equals = buf[next] === '=' ? this.lostBracket(at) : undefined
    if (equals === 'wait') return false
    if (equals) return true
    return this.pairsAt(at, written, next, role)
  }

  // <tool_call>function=f>
  //            ^  its first bracket is missing
  private lostBracket(at: number): boolean | 'wait' {
    const { cursor, grammar } = this
    const { buf, ending } = cursor
    const close = buf.indexOf('>', at)
    if (close < 0 || close > at + LONGEST_NAME)
      return !ending && buf.length - at < LONGEST_NAME ? 'wait' : false
    const text = `<${buf.slice(at, close + 1)}`
    for (const { tags } of grammar.roles.values())
      for (const tag of tags ?? []) {
        if (!tag.call || !text.startsWith(tag.call.lead)) continue
        tag.call.pattern.lastIndex = 0
        const groups = tag.call.pattern.exec(text)?.groups
        const name = groups?.name ?? groups?.name2 ?? groups?.name3
        if (name === undefined) continue
        cursor.moveTo(close + 1)
        const start = cursor.base + at
        this.issues.push(callIssues.issue('lost_bracket', {}, { span: [start, cursor.offset] }))
        this.startTagged(tag, name, start)
        return true
      }
    return false
  }

  // <tool_call>f<arg_key>
  //             ^
  private pairsAt(at: number, written: string, next: number, role: Role | undefined): boolean {
    const { cursor, grammar } = this
    const { buf, ending } = cursor
    const { pairs } = grammar
    const lead = pairs?.parameters[0]?.open?.lead ?? ''
    if (pairs && this.fresh) {
      const rest = buf.slice(next, next + lead.length)
      if (!ending && rest.length < lead.length && lead.startsWith(rest)) return false
      const alone = next >= buf.length || role?.close || role?.open
      if (rest === lead || (alone && grammar.roles.get(this.sectionMark)?.pairs)) {
        cursor.moveTo(next)
        this.startTagged(pairs, written, cursor.base + at)
        return true
      }
    }
    this.leave()
    return true
  }

  /** The name of a call was read: its arguments come next. */
  protected startNamed(written: string, at: number): void {
    const { tools } = this
    const numbered = tools.has(written) ? null : /^(.*?)[:.](\d+)$/.exec(written)
    this.id = numbered ? written : undefined
    this.name = resolveName(numbered ? (numbered[1] as string) : written, tools)
    this.callStart = this.cursor.base + at
    this.state = this.atArguments
  }

  // <|tool_call_begin|>f<|tool_call_argument_begin|>{…}
  //                                                 ^
  protected atArguments(): boolean {
    const { cursor, grammar } = this
    const { buf, ending } = cursor
    const at = cursor.afterSpace()
    if (at >= buf.length) {
      if (!ending) return false
      cursor.moveTo(at)
      this.endNamed(false)
      return true
    }
    const mark = grammar.inSection.standsAt(buf, at, ending)
    if (mark === 'wait') return false
    const role = mark === undefined ? undefined : grammar.roles.get(mark)
    if (role?.separator) {
      cursor.moveTo(at + (mark as string).length)
      return true
    }
    if (role?.fence) {
      const word = this.fenceWord(at)
      if (word !== undefined) cursor.moveTo(at + word.length)
      return word !== undefined
    }
    if (role?.close || role?.open || role?.header) {
      this.endNamed(true)
      return true
    }
    if (buf[at] === '{') return this.startBody(at, 'arguments')
    const { pairs } = grammar
    const lead = pairs?.parameters[0]?.open?.lead ?? ''
    if (pairs && lead !== '' && lead.startsWith(buf.slice(at, at + lead.length))) {
      if (buf.length - at < lead.length && !ending) return false
      cursor.moveTo(at)
      this.startTagged(pairs, this.name, this.callStart)
      return true
    }
    return this.idAt(at)
  }

  // f[CALL_ID]1a2b[ARGS]{…}
  //           ^^^^
  private idAt(at: number): boolean {
    const { cursor, grammar } = this
    const { buf, ending } = cursor
    const id = /^[\w-]{1,64}/.exec(buf.slice(at, at + 70))?.[0] ?? ''
    const next = at + id.length
    const mark =
      id === ''
        ? undefined
        : next >= buf.length && !ending
          ? 'wait'
          : grammar.inSection.standsAt(buf, next, ending)
    if (mark === 'wait') return false
    if (mark !== undefined && grammar.roles.get(mark)?.separator) {
      this.id = id
      cursor.moveTo(next + mark.length)
      return true
    }
    return this.startBody(at, 'text')
  }

  /** A call without arguments. */
  private endNamed(complete: boolean): void {
    const { id, name, callStart, cursor } = this
    this.found({ id, name, arguments: {}, span: [callStart, cursor.offset], complete, issues: [] })
    this.id = undefined
    this.state = this.inSection
  }
}
