import type { Verdict } from './call-states.ts'
import { HeaderStates } from './header-states.ts'
import { callIssues } from './issues.ts'
import { objectShape } from './literal/arguments-of.ts'
import { resolveName } from './resolve-name.ts'
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
    const head = kind === 'list' && grammar.pythonic ? /^\[\s*([A-Za-z_][\w.\-\\]*)\s*/.exec(rest) : null
    if (head) {
      if (head[0].length === rest.length && cut) return 'wait'
      if (rest[head[0].length] !== '(') return 'text'
      const name = resolveName(head[1] as string, tools)
      const meant =
        tools.names.length > 0
          ? tools.has(name)
          : this.blankBefore(at) || /\n\s*$/.test(cursor.before(at, 40))
      return meant ? this.startBare(at, 'pythonic') : 'text'
    }
    const open = /^(?:\[\s*)?\{\s*["']?([\w-]*)/.exec(rest)
    if (!open) return cut && /^\[\s*$/.test(rest) ? 'wait' : 'text'
    const key = (open[1] as string).toLowerCase().replace(/[_-]/g, '')
    if (open[0].length === rest.length && cut)
      return callKeys.some((word) => word.startsWith(key)) ? 'wait' : 'text'
    return callKeys.includes(key) ? this.startBare(at, 'json') : 'text'
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
    if (buf[next] !== '{') return 'text'
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
