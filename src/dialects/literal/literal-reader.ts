import { defaultLimits } from '../../core/limits.ts'
import type { Span } from '../../core/span.ts'
import type { Argument, Literal, LiteralKind, LiteralOptions } from './literal.ts'
import { LiteralScalars } from './literal-scalars.ts'
import { bareKeyEnd, closers, keyEnd, skipSpace } from './literal-text.ts'
import { putMember } from './put-member.ts'

/** Reads literals as Python and JSON write them, and as models mix them. Every character is read once. */
export class LiteralReader extends LiteralScalars {
  private readonly spans: Map<object, Span> | undefined

  constructor(text: string, options: LiteralOptions = {}) {
    super(text, options)
    this.spans = options.spans
  }

  /** Begins anew elsewhere in the text. */
  start(at: number): void {
    this.at = at
    this.complete = true
    this.open.length = 0
  }

  value(): Literal | undefined {
    this.skip()
    const start = this.at
    if (start >= this.text.length) return undefined
    const read = this.string(false) ?? this.container() ?? this.dict() ?? this.word()
    if (!read) return undefined
    // "a" + b, [1] * 3, {…}["k"]: an expression, which is kept as it stands.
    if (!this.stopsAt(this.at, read.kind)) return this.bare(start, this.at)
    return read
  }

  private container(): Literal | undefined {
    const { text, at: start } = this
    const bracket = text.charAt(start)
    const close = closers.get(bracket)
    if (close === undefined) return undefined
    if (this.open.length >= defaultLimits.maxDepth) return this.bare(start, start)
    this.at++
    this.open.push(close)
    const items: unknown[] = []
    const members = bracket === '{' ? this.members(items) : undefined
    const commas = members ? 0 : this.items(items)
    this.open.pop()
    const closed = text[this.at] === close
    if (closed) this.at++
    // (1) is 1; (1,) and (1, 2) are lists.
    if (bracket === '(' && items.length === 1 && commas === 0)
      return this.read(items[0], kindOf(items[0]), closed)
    const value = members ?? items
    this.spans?.set(value, [start, this.at])
    return this.read(value, members ? 'object' : 'array', closed)
  }

  /** Up to the bracket that closes, or the one of a container around it: then this one was left open. */
  private items(items: unknown[]): number {
    let commas = 0
    while (this.more()) {
      if (this.text[this.at] === ',') {
        commas++
        this.at++
        continue
      }
      const before = this.at
      const item = this.value()
      if (item) items.push(item.value)
      if (this.at === before) this.at++
    }
    return commas
  }

  // {"a": 1, b: 2, c=3}, {1, 2}
  //  ^
  /** A set has no members but items: they go into `items`. */
  private members(items: unknown[]): Record<string, unknown> | undefined {
    const members: Record<string, unknown> = {}
    let count = 0
    while (this.more()) {
      if (this.text[this.at] === ',') {
        this.at++
        continue
      }
      const before = this.at
      const key = this.key(false)
      const item = this.value()
      if (key !== undefined) {
        putMember(members, key, item ? item.value : null)
        count++
      } else if (item) items.push(item.value)
      if (this.at === before) this.at++
    }
    return count > 0 || items.length === 0 ? members : undefined
  }

  // {"a": 1, b c: 2}, f(a=1, "b": 2)
  //  ^
  /** The name before a value, with its sign; nothing is read if there is none. In calls, a name is one word. */
  private key(oneWord: boolean): string | undefined {
    const { text, at: start } = this
    const quoted = this.string(true)
    const end = quoted ? this.at : bareKeyEnd(text, start, oneWord)
    const key = quoted ? (quoted.value as string) : text.slice(start, end).trim()
    const at = skipSpace(text, end)
    const sign = text.charAt(at)
    const follows = text.charAt(at + 1)
    // `==` compares; `://` is an address.
    const isSign = sign === ':' ? quoted || !text.startsWith('//', at + 1) : sign === '=' && follows !== '='
    if ((key === '' && !quoted) || !isSign) {
      this.at = start
      return undefined
    }
    this.at = at + (sign === '=' && follows === '>' ? 2 : 1)
    return key.replaceAll('\\_', '_')
  }

  /** Whether the container at hand goes on; what closes nothing that is open is passed over. */
  private more(): boolean {
    for (;;) {
      this.skip()
      const c = this.text.charAt(this.at)
      if (c === '') return false
      if (c !== ')' && c !== ']' && c !== '}') return true
      if (this.open.includes(c)) return false
      this.at++
    }
  }

  // dict(a=1)
  // ^
  private dict(): Literal | undefined {
    const start = this.at
    if (!this.text.startsWith('dict(', start) || this.open.length >= defaultLimits.maxDepth) return undefined
    this.at += 4
    const args = this.args()
    const value: Record<string, unknown> = {}
    for (const { key, value: member } of args.list) if (key !== undefined) putMember(value, key, member)
    const [only] = args.list
    if (only?.kind === 'object' && args.list.length === 1 && only.key === undefined)
      return this.read(only.value, 'object', args.complete)
    this.spans?.set(value, [start, this.at])
    return this.read(value, 'object', args.complete)
  }

  // f(a=1, "b", **{"c": 2})
  //  ^
  /** What stands behind the bracket or comma at hand, up to the bracket that closes. */
  args(close = ')'): { readonly list: Argument[]; readonly complete: boolean } {
    const { text } = this
    const list: Argument[] = []
    this.at++
    this.open.push(close)
    while (this.more()) {
      if (text[this.at] === ',') {
        this.at++
        continue
      }
      const before = this.at
      const stars = text.startsWith('**', before) ? 2 : text[before] === '*' ? 1 : 0
      this.at += stars
      const key = stars === 0 ? this.key(true) : undefined
      this.skip()
      const from = this.at
      const item = this.value()
      if (item) {
        const { value, kind } = item
        const written = text.slice(from, this.at)
        addArgument(list, { key, value, span: [from, this.at], text: written, kind, spread: stars > 0 }, text)
      } else if (key !== undefined)
        list.push({ key, value: null, span: [from, from], text: '', kind: 'null' })
      if (this.at === before) this.at++
      if (!this.goesOn()) break
    }
    this.open.pop()
    const complete = text[this.at] === close
    if (complete) this.at++
    else this.complete = false
    return { list, complete }
  }

  /** What stands behind an argument on a line of its own, without a comma, belongs to it no more. */
  private goesOn(): boolean {
    const next = skipSpace(this.text, this.at)
    const c = this.text.charAt(next)
    if (c === '' || ',)]}'.includes(c) || keyEnd(this.text, next, '=:') > 0) return true
    return !this.text.slice(this.at, next).includes('\n')
  }
}

function addArgument(list: Argument[], argument: Argument, text: string): void {
  const last = list[list.length - 1]
  if (
    argument.key !== undefined ||
    last?.key === undefined ||
    last.kind !== 'text' ||
    argument.kind !== 'text'
  ) {
    list.push(argument)
    return
  }
  // city=New York, NY: behind a named one there are no others without a name, so it is one text.
  const span: Span = [last.span[0], argument.span[1]]
  const whole = text.slice(...span)
  list[list.length - 1] = { ...last, span, value: whole, text: whole }
}

function kindOf(value: unknown): LiteralKind {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'object' || type === 'number' || type === 'boolean' ? type : 'string'
}
