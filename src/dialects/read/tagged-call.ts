import type { Issue } from '../../core/issue.ts'
import type { ObjectShape } from '../../schema/shape.ts'
import type { FoundCall } from '../found-call.ts'
import { callIssues } from '../issues.ts'
import type { CallCursor } from './call-cursor.ts'
import type { Grammar } from './grammar.ts'
import { literally, Marks } from './marks.ts'
import type { PartsOut } from './parts-out.ts'
import type { ScanMemory } from './scan-memory.ts'
import { equalsForm, type ParameterTag, type TagGrammar } from './tag-grammar.ts'
import { plainArguments, type TaggedValue, taggedArguments } from './tagged-arguments.ts'
import { TaggedTelling } from './tagged-telling.ts'
import { matchTemplate, placeIn } from './template.ts'

/** The tag of an argument, as it stands in the text. */
interface OpenTag {
  readonly key: string
  readonly end: number
  readonly isText: boolean | undefined
  /** `<key/>` */
  readonly empty: boolean
  /** `<parameter=key>` */
  readonly equals: boolean
  readonly tag: ParameterTag
}

/** It ends here; it is text; more text is needed to tell. */
type Verdict = 'end' | 'inner' | 'wait'

/** What became of the call: it goes on, it has ended, or its arguments are JSON after all. */
export type TaggedState = 'wait' | 'end' | 'json'

// A value may be read again from where it may have ended: this many times in a text, so that the work stays linear.
const MOST_REREADS = 16

// No tag begins with more text that is always the same.
const LONGEST_LEAD = 64

export interface TaggedCallOptions {
  readonly cursor: CallCursor
  readonly tag: TagGrammar
  readonly grammar: Grammar
  readonly name: string
  /** Where the call begins. */
  readonly start: number
  readonly shape: ObjectShape | undefined
  readonly memory: ScanMemory
  /** Told of the call and its arguments while they arrive. */
  readonly out: PartsOut | undefined
  readonly readYaml: ((text: string) => unknown) | undefined
}

/** Reads one call whose arguments stand in tags. */
export class TaggedCall {
  private readonly options: TaggedCallOptions
  private readonly cursor: CallCursor
  private readonly closes: readonly string[]
  private readonly around: Marks
  private readonly telling: TaggedTelling | undefined
  private readonly values: TaggedValue[] = []
  private readonly issues: Issue[] = []
  private complete = false
  private open: OpenTag | undefined
  private valueStart = 0
  private valueMarks = new Marks([])
  private valueClose = ''
  /** Tags of the same name that are open within the value. */
  private depth = 0
  /** The first place where the value may have ended, though what follows does not fit. */
  private suspect: { readonly at: number; readonly size: number } | undefined
  /** The arguments are no tags: all of the body is one text. */
  private plain = false
  /** Where text that belongs to no argument begins; -1 outside of it. */
  private junk = -1
  /** Where the space before it begins. */
  private beforeJunk = 0
  private inCdata = false

  constructor(options: TaggedCallOptions) {
    const { tag, name, grammar, out, cursor, start, shape } = options
    this.options = options
    this.cursor = cursor
    this.telling = out && new TaggedTelling(out, cursor, name, start, shape)
    this.closes = tag.toolTag ? [`</${name}>`, `</ ${name}>`] : tag.callClose === '' ? [] : [tag.callClose]
    this.around = new Marks(this.closes, grammar.around)
  }

  read(): TaggedState {
    for (;;) {
      const state = this.plain ? this.inPlain() : this.open ? this.inValue() : this.between()
      if (state) return state
    }
  }

  /** The call as it stands, once it has ended. */
  result(): FoundCall {
    this.telling?.end()
    const { name, start, shape, readYaml } = this.options
    const [only] = this.values
    const given =
      this.plain && only ? plainArguments(only, shape, readYaml) : taggedArguments(this.values, shape)
    return {
      name,
      arguments: given,
      span: [start, this.cursor.offset],
      complete: this.complete,
      issues: this.issues,
    }
  }

  // <function=f> <parameter=a>1</parameter> </function>
  //             ^                          ^
  private between(): TaggedState | undefined {
    const { cursor } = this
    const { tag } = this.options
    const { buf, ending } = cursor
    if (this.junk >= 0) return this.skipJunk(cursor.pos)
    const at = cursor.afterBreaks(cursor.pos)
    if (at >= buf.length) {
      if (!ending) return 'wait'
      cursor.moveTo(at)
      return 'end'
    }
    const parameter = this.parameterAt(at)
    if (parameter === 'wait') return 'wait'
    if (parameter) {
      cursor.moveTo(parameter.end)
      this.startValue(parameter)
      return undefined
    }
    const mark = this.around.standsAt(buf, at, ending)
    if (mark === 'wait') return 'wait'
    if (mark !== undefined) return this.closeAt(at, mark)
    if (this.values.length === 0 && buf[at] === '{' && !tag.toolTag) return 'json'
    if (tag.toolTag && this.values.length === 0) {
      this.plain = true
      this.valueStart = cursor.offset
      return undefined
    }
    if (tag.call === undefined) {
      this.complete = !this.beginsTag(buf.slice(at, at + LONGEST_LEAD))
      return 'end'
    }
    this.beforeJunk = cursor.offset
    this.junk = cursor.base + at
    return this.skipJunk(at + 1)
  }

  private closeAt(at: number, mark: string): 'end' {
    if (this.closes.includes(mark)) {
      this.cursor.moveTo(at + mark.length)
      this.complete = true
    } else this.complete = this.options.grammar.roles.get(mark)?.close ?? false
    return 'end'
  }

  // <function=f> oops <parameter=a>
  //              ^^^^
  private skipJunk(from: number): TaggedState | undefined {
    const { cursor, junk } = this
    const { buf, ending } = cursor
    let next = from
    while (next < buf.length && !'<[]>'.includes(buf[next] as string)) next++
    cursor.moveTo(next)
    if (next >= buf.length) {
      if (!ending) return 'wait'
      // <function=f><parameter=a: the text broke off within a tag. Anything else is text behind a call without its end.
      if (!this.beginsTag(cursor.tape.slice(junk, junk + LONGEST_LEAD))) {
        cursor.goTo(this.beforeJunk)
        this.complete = this.values.length > 0
      }
      return 'end'
    }
    const text = cursor.tape.slice(junk, Math.min(junk + 60, cursor.offset))
    if (!/^[<>]/.test(text))
      this.issues.push(callIssues.issue('unexpected_text', { text }, { span: [junk, cursor.offset] }))
    this.junk = -1
    return undefined
  }

  /** Whether a text is the beginning of a tag of an argument, or has one. */
  private beginsTag(text: string): boolean {
    return this.options.tag.parameters.some(
      ({ open }) => open && (text.startsWith(open.lead) || open.lead.startsWith(text)),
    )
  }

  private startValue(open: OpenTag): void {
    const { tag, shape } = this.options
    if (open.empty) {
      this.values.push({ key: open.key, text: '', isText: undefined, form: open.tag.form })
      return
    }
    this.open = open
    this.valueStart = this.cursor.offset
    this.suspect = undefined
    this.depth = 0
    this.inCdata = false
    this.telling?.startValue(open.key, open.tag.form.space)
    this.valueClose = open.tag.close.replace('{key}', open.key)
    const leads = open.tag.open
      ? tag.parameters.map((one) => one.open?.lead ?? '')
      : [...(shape?.fields.keys() ?? [])].map((key) => `<${key}>`)
    this.valueMarks = new Marks([this.valueClose, '<![CDATA[', ...leads], this.around)
  }

  // <parameter=a>one</parameter>
  //              ^^^
  private inValue(): TaggedState | undefined {
    const { cursor, valueMarks } = this
    const { buf, ending } = cursor
    let from = cursor.pos
    for (;;) {
      if (this.inCdata) {
        const close = buf.indexOf(']]>', from)
        this.inCdata = close < 0
        from = close < 0 ? (ending ? buf.length : Math.max(from, buf.length - 2)) : close + 3
        cursor.moveTo(from)
        if (close < 0 && !ending) return 'wait'
      }
      const { at, mark } = valueMarks.seek(buf, from, ending)
      if (mark === undefined) {
        cursor.moveTo(Math.max(cursor.pos, at))
        if (!this.suspect && !this.inCdata) this.telling?.more()
        return ending ? this.endOfText() : 'wait'
      }
      if (mark === '<![CDATA[') {
        this.inCdata = true
        from = at + mark.length
        continue
      }
      const verdict = this.verdict(at, mark)
      if (verdict === 'wait' && !ending) {
        cursor.moveTo(at)
        if (!this.suspect && !this.inCdata) this.telling?.more()
        return 'wait'
      }
      if (verdict === 'end') {
        cursor.moveTo(at)
        this.endValue(mark === this.valueClose ? mark.length : 0)
        return undefined
      }
      from = at + 1
    }
  }

  private verdict(at: number, mark: string): Verdict {
    const { cursor } = this
    const { tag, grammar, shape } = this.options
    const open = this.open as OpenTag
    const nests = open.tag.form.prefix !== undefined
    if (mark === this.valueClose) {
      if (this.depth === 0) return this.suspectUnless(this.fits(at + mark.length), at, mark.length)
      this.depth--
      return 'inner'
    }
    if (tag.parameters.some((one) => one.open?.lead === mark)) {
      // <parameter=a>one<parameter=b>
      const parameter = this.parameterAt(at)
      if (parameter === 'wait') return 'wait'
      if (nests) {
        // <a><a>1</a></a>: what stands in tags is written in tags.
        if (parameter?.key === open.key) this.depth++
        return 'inner'
      }
      return parameter && (!shape || shape.fields.has(parameter.key)) ? 'end' : 'inner'
    }
    const role = grammar.roles.get(mark)
    if (this.closes.includes(mark) || role?.close) {
      // <parameter=a>one</function>
      const next = cursor.afterSpace(at + mark.length)
      const verdict = next < cursor.buf.length ? this.isAround(next) : cursor.ending ? 'end' : 'wait'
      return this.suspectUnless(verdict, at, 0)
    }
    // <parameter=a>one<function=g>
    if (role?.tags ? role.tags.includes(tag) && !tag.toolTag : role) return this.suspectUnless('inner', at, 0)
    return 'inner'
  }

  private suspectUnless(verdict: Verdict, at: number, size: number): Verdict {
    if (verdict === 'inner') this.suspect ??= { at: this.cursor.base + at, size }
    return verdict
  }

  /** Whether what stands behind the end of a value fits: another argument, or the end of the call. */
  private fits(after: number): Verdict {
    const { buf, ending } = this.cursor
    const next = this.cursor.afterBreaks(after)
    if (next >= buf.length) return ending ? 'end' : 'wait'
    const parameter = this.parameterAt(next)
    if (parameter) return parameter === 'wait' ? 'wait' : 'end'
    return this.isAround(next)
  }

  private isAround(at: number): Verdict {
    const mark = this.around.standsAt(this.cursor.buf, at, this.cursor.ending)
    return mark === 'wait' ? 'wait' : mark === undefined ? 'inner' : 'end'
  }

  /** The text ended within a value: it may have ended before, where something else than an argument followed. */
  private endOfText(): TaggedState | undefined {
    const { suspect } = this
    const { memory } = this.options
    if (suspect && memory.rereads < MOST_REREADS) {
      memory.rereads++
      memory.guessed = true
      this.cursor.goTo(suspect.at)
      this.endValue(suspect.size)
      return undefined
    }
    this.endValue(0)
    return 'end'
  }

  private endValue(closeSize: number): void {
    const { cursor, valueStart } = this
    const { key, isText, equals, tag } = this.open as OpenTag
    const { name } = this.options
    let text = cursor.tape.slice(valueStart, cursor.offset)
    if (this.valueClose === '') {
      // Where the next tag ends the value, its own end may stand there all the same.
      const close = tag.form.parameter[1]
      text = text.replace(new RegExp(`${literally(close)}\\s*$`), '').trimEnd()
    } else if (closeSize === 0) {
      text = text.trimEnd()
      this.issues.push(callIssues.issue('unclosed', { name }, { span: [valueStart, cursor.offset] }))
    }
    const value = { key, text, isText, form: equals ? equalsForm : tag.form }
    this.values.push(value)
    this.telling?.endValue(value)
    cursor.moveTo(cursor.pos + closeSize)
    this.open = undefined
  }

  // <f>all of this</f>
  //    ^^^^^^^^^^^
  private inPlain(): TaggedState {
    const { cursor } = this
    const { buf, ending } = cursor
    const { at, mark } = new Marks(this.closes).seek(buf, cursor.pos, ending)
    cursor.moveTo(at)
    if (mark === undefined && !ending) return 'wait'
    const text = cursor.tape.slice(this.valueStart, cursor.offset)
    const { form } = this.options.tag.parameters[0] as ParameterTag
    this.values.push({ key: '', text, isText: undefined, form })
    this.complete = mark !== undefined
    cursor.moveTo(at + (mark?.length ?? 0))
    return 'end'
  }

  /** The argument whose tag begins at `at`. */
  private parameterAt(at: number): OpenTag | 'wait' | undefined {
    const { buf, ending } = this.cursor
    let waits = false
    for (const tag of this.options.tag.parameters) {
      const found = tag.open ? matchTemplate(tag.open, buf, at, ending) : this.nameTagAt(at, tag)
      if (found === 'wait') waits = true
      else if (found && 'key' in found) return found
      else if (found) {
        const { attribute, attributes = '' } = found.groups
        return {
          key: placeIn(found.groups, 'key'),
          end: found.end,
          isText: saysText(attributes),
          empty: /\/\s*$/.test(attributes),
          equals: attribute === undefined && buf.slice(at, found.end).includes('='),
          tag,
        }
      }
    }
    return waits ? 'wait' : undefined
  }

  // <a>
  // ^
  private nameTagAt(at: number, tag: ParameterTag): OpenTag | 'wait' | undefined {
    const { cursor } = this
    const { shape, grammar } = this.options
    if (cursor.buf[at] !== '<') return undefined
    const text = cursor.buf.slice(at, at + 120)
    const found = /^<\s*([\p{L}_][\p{L}\w.-]{0,100})\s*(\/?)>/u.exec(text)
    if (!found) return !cursor.ending && /^<\s*[\p{L}\w.-]{0,100}\s*\/?$/u.test(text) ? 'wait' : undefined
    const key = found[1] as string
    const known = shape === undefined || shape.fields.size === 0 || shape.fields.has(key)
    // The first tag tells whether the body has tags; the tag of another tool is no argument of this one.
    if (!known && ((this.values.length === 0 && !this.open) || grammar.roles.get(`<${key}`)?.tags))
      return undefined
    const end = at + found[0].length
    return { key, end, isText: undefined, empty: found[2] === '/', equals: false, tag }
  }
}

/** `string="true"`, `type="number"` */
function saysText(attributes: string): boolean | undefined {
  const found = /(?:string|type)\s*=\s*["']?(\w+)/.exec(attributes)
  return found ? found[1] === 'true' || found[1] === 'string' : undefined
}
