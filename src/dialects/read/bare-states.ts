import { ValueReader } from '../../json/value-reader.ts'
import { callIssues } from '../issues.ts'
import { objectShape } from '../literal/arguments-of.ts'
import { resolveName } from '../resolve-name.ts'
import type { Verdict } from './call-states.ts'
import { HeaderStates } from './header-states.ts'
import { jsonCalls } from './json-calls.ts'
import { toolTag } from './tag-grammar.ts'

/** The first key of an object that may be a call. */
const callKeys = [
  'name',
  'function',
  'tool',
  'toolname',
  'toolcalls',
  'toolcallid',
  'arguments',
  'parameters',
  'type',
  'id',
  'functionname',
  'action',
]

/** What parts two calls that stand in plain text. */
export const isSeparator = (text: string) => text.length <= 64 && /^[\s;,]*$/.test(text)

/** Calls that stand in plain text, without a mark that leads to them. */
export abstract class BareStates extends HeaderStates {
  /** A value that is no call, and where it begins: it passes as text, and nothing in it counts. */
  private value: ValueReader | undefined
  private valueStart = 0

  /** Whether nothing but space stands between the last mark and `at`. */
  protected blankBefore(at: number): boolean {
    const { cursor, out } = this
    return (out.blank || this.had) && cursor.buf.slice(cursor.pos, at).trim() === ''
  }

  protected take(at: number, size: number): 'taken' {
    const { cursor, out } = this
    this.tellText(at)
    cursor.moveTo(at + size)
    out.markup(cursor.offset)
    return 'taken'
  }

  // </function><parameter=a>1</parameter>
  //            ^
  protected strayParameter(at: number): Verdict {
    const { cursor } = this
    const { buf, ending } = cursor
    const found = /^<(\w+)[^<>]*>[^<>]*<\/\1>/.exec(buf.slice(at, at + 2000))?.[0]
    if (found === undefined) return !ending && buf.length - at < 2000 ? 'wait' : 'text'
    const span = [cursor.base + at, cursor.base + at + found.length] as const
    this.issues.push(callIssues.issue('unexpected_text', { text: found.slice(0, 60) }, { span }))
    return this.take(at, found.length)
  }

  // [f(a=1)]   {"name": "f"}
  // ^          ^
  protected bareAt(at: number, kind: 'json' | 'list'): Verdict {
    const { cursor, grammar, tools } = this
    const { buf, ending } = cursor
    const rest = buf.slice(at, at + 300)
    const cut = !ending && rest.length < 300
    const first =
      grammar.amongWords || this.blankBefore(at) || (this.had && isSeparator(buf.slice(cursor.pos, at)))
    const head = kind === 'list' && grammar.pythonic ? /^\[\s*([A-Za-z_][\w.\-\\]*)\s*/.exec(rest) : null
    if (head) {
      if (head[0].length === rest.length && cut) return 'wait'
      if (rest[head[0].length] !== '(') return 'text'
      const known = tools.has(resolveName(head[1] as string, tools))
      if (!known && tools.names.length > 0) return 'text'
      if (first) return this.startBare(at, 'pythonic')
      if (known) this.noteEmbedded('prose', cursor.base + at, head[0].length)
      return 'text'
    }
    const open = /^(?:\[\s*)?\{\s*["']?([\w-]*)/.exec(rest)
    if (!open) return cut && /^\[\s*$/.test(rest) ? 'wait' : this.valueAt(at, rest, cut)
    const key = (open[1] as string).toLowerCase().replace(/[_-]/g, '')
    const callish = callKeys.includes(key)
    if (open[0].length === rest.length && cut && callKeys.some((word) => word.startsWith(key))) return 'wait'
    if (callish && first) return this.startBare(at, 'json')
    return this.valueAt(at, rest, cut)
  }

  // {"answer": "use <tool_call>…"}
  // ^  what its strings hold is only quoted
  private valueAt(at: number, rest: string, cut: boolean): Verdict {
    if (/^[[{]\s*$/.test(rest)) return cut ? 'wait' : 'text'
    if (!/^[[{]\s*["'[{]|^\{\s*[\w-]+\s*:/.test(rest))
      return cut && /^\{\s*[\w-]*\s*$/.test(rest) ? 'wait' : 'text'
    this.tellText(at)
    this.value = new ValueReader(this.limits, true)
    this.valueStart = this.cursor.offset
    this.state = this.inValue
    return 'taken'
  }

  private inValue(): boolean {
    const { cursor, valueStart } = this
    const value = this.value as ValueReader
    value.push(cursor.buf.slice(cursor.pos))
    if (cursor.ending) value.end()
    const end = value.found?.end ?? (value.dropped ? Math.max(1, value.droppedAt) : -1)
    if (end < 0) {
      this.tellText(cursor.buf.length)
      return false
    }
    const stop = valueStart + end
    if (value.found && this.holdsCall(value)) this.noteEmbedded('prose', valueStart, end)
    if (stop > cursor.offset) this.tellText(stop - cursor.base)
    this.liveFrom = Math.max(this.liveFrom, stop)
    this.value = undefined
    this.state = this.inText
    return true
  }

  /** Whether a value among other text is a call, which the text only shows. */
  private holdsCall({ found, spans, duplicates }: ValueReader): boolean {
    const { tools, grammar, valueStart } = this
    if (!found || tools.names.length === 0) return false
    const span = [valueStart, valueStart + found.end] as const
    const read = { ...found, span, places: spans, duplicates, offset: valueStart }
    return jsonCalls(read, tools, true, grammar.callKeys).length > 0
  }

  protected noteEmbedded(
    where: 'reasoning' | 'code' | 'quotation' | 'prose',
    start: number,
    size: number,
  ): void {
    this.issues.push(callIssues.issue('embedded', { where }, { span: [start, start + size] }))
  }

  private startBare(at: number, kind: 'json' | 'pythonic'): 'taken' {
    const { cursor, out } = this
    if (this.had && isSeparator(cursor.buf.slice(cursor.pos, at))) {
      // {…}; {…}
      cursor.moveTo(at)
      out.markup(cursor.offset)
    } else this.tellText(at)
    this.startBody(at, kind)
    return 'taken'
  }

  // list_dir
  // <path>/src</path>
  protected lineAt(at: number, mark: string): Verdict {
    const { cursor, grammar, tools } = this
    const { buf, ending } = cursor
    if (!/(?:^|\n)[ \t]*$/.test(cursor.before(at, 40)) && !(at === cursor.pos && this.out.blank))
      return 'text'
    const after = /^[ \t]*(\r?\n)?\s*/.exec(
      buf.slice(at + mark.length, at + mark.length + 80),
    ) as RegExpExecArray
    const next = at + mark.length + after[0].length
    if (next >= buf.length) return 'wait'
    if (after[1] === undefined) return 'text'
    if (buf[next] === '<' && grammar.toolTags) {
      const key = /^<([\w.-]+)>/.exec(buf.slice(next, next + 100))
      if (!key) return !ending && /^<[\w.-]*$/.test(buf.slice(next, next + 100)) ? 'wait' : 'text'
      if (!objectShape(tools.shapeOf(mark))?.fields.has(key[1] as string)) return 'text'
      this.tellText(at)
      cursor.moveTo(next)
      this.startTagged(toolTag, mark, cursor.base + at, true)
      return 'taken'
    }
    if (buf[next] !== '{' || !this.blankBefore(at)) return 'text'
    this.tellText(at)
    this.sectionStart = cursor.base + at
    this.sectionMark = ''
    this.loose = false
    this.had = false
    cursor.moveTo(next)
    this.startNamed(mark, at)
    return 'taken'
  }
}
