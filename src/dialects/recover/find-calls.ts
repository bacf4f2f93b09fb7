import { isRecord } from '../../core/is-record.ts'
import type { Span } from '../../core/span.ts'
import type { KnownTools } from '../known-tools.ts'
import { argumentsOf } from '../literal/arguments-of.ts'
import type { Argument } from '../literal/literal.ts'
import { LiteralReader } from '../literal/literal-reader.ts'
import { isWordPart, keyEnd, skipSpace } from '../literal/literal-text.ts'
import { callNameEnd, readArguments } from '../literal/read-call-expression.ts'
import { argumentsIn } from './arguments-in.ts'
import { callsInValue } from './calls-in-value.ts'
import { isDeclared } from './is-declared.ts'
import { ToolNames } from './tool-names.ts'

/** Something that may be a call. */
export interface Candidate {
  readonly id?: string | undefined
  readonly name: string
  readonly arguments: Record<string, unknown>
  readonly span: Span
  readonly complete: boolean
  /** `f(…)`; its arguments as they are written. */
  readonly args?: readonly Argument[] | undefined
}

/** What may stand between a name and the object with its arguments. */
const inText = /^[`"'*]{0,3}\s{0,3}[:=]?\s{0,3}(?=\{)/
const inList =
  /^['"`]?\s{0,3}[,:]\s{0,3}(?:['"](?:arguments|args|parameters|params)['"]\s{0,3}:\s{0,3})?(?=\{)/

/** More calls than this nobody asks for at once. */
const MOST = 1000

/** How often a text may be read again, in all: what opens and turns out to be no call is read anew from within. */
const READINGS = 16

/** Everything in a text that is written like a call of a known tool. */
export function findCalls(text: string, tools: KnownTools): Candidate[] {
  return new CallFinder(text, tools).find()
}

class CallFinder {
  private readonly text: string
  private readonly tools: KnownTools
  private readonly names: ToolNames
  private readonly spans = new Map<object, Span>()
  private readonly found: Candidate[] = []
  /** One for the whole text: it remembers where strings end. */
  private readonly reader: LiteralReader
  private fuel: number

  constructor(text: string, tools: KnownTools) {
    this.text = text
    this.tools = tools
    this.names = new ToolNames(tools)
    this.reader = new LiteralReader(text, { spans: this.spans, markdown: text.includes('\\_') })
    this.fuel = READINGS * text.length + 1000
  }

  find(): Candidate[] {
    const { text } = this
    let at = 0
    while (at < text.length && this.found.length < MOST) {
      const c = text.charCodeAt(at)
      if (c === 123) at = this.value(at)
      else if (isWordPart(c)) at = this.word(at)
      else at++
    }
    return this.found
  }

  // {"name": "f", "arguments": {…}}
  // ^
  private value(at: number): number {
    if (this.fuel <= 0) return at + 1
    const { reader } = this
    this.spans.clear()
    reader.start(at)
    const read = reader.value()
    this.fuel -= reader.at - at
    if (!read || !isRecord(read.value)) return at + 1
    const { calls, declared } = callsInValue(read.value, this.names, this.tools, this.spans)
    if (calls.length === 0) return declared && reader.complete ? reader.at : at + 1
    for (const call of calls) this.found.push({ ...call, complete: reader.complete })
    return reader.at
  }

  private word(at: number): number {
    const { text } = this
    const end = callNameEnd(text, at)
    if (end === at) return at + 1
    const name = this.names.find(text.slice(at, end))
    if (name === undefined) return end
    let open = end
    // 'f'(a=1), ['f'](a=1)
    open += /^['"`]\]?(?=\()/.exec(text.slice(end, end + 3))?.[0].length ?? 0
    while (text[open] === ' ') open++
    if (text[open] === '(') return this.call(at, open, name)
    return this.named(at, end, name)
  }

  // f(a=1)
  //  ^
  private call(at: number, open: number, name: string, close?: string): number {
    if (this.fuel <= 0) return open
    const read = readArguments(this.reader, open, close)
    this.fuel -= read.end - open
    this.found.push({
      name,
      arguments: argumentsOf(read.args, this.tools.shapeOf(name)),
      span: [at, read.end],
      complete: read.complete,
      args: read.args,
    })
    return read.end
  }

  // f
  // {"a": 1}
  // ^
  /** A name with its arguments behind it, or behind a comma in a list: `["f", {…}]`, `[f, a=1]`. */
  private named(at: number, end: number, name: string): number {
    const { text } = this
    if (this.fuel <= 0) return end
    const behind = text.slice(end, end + 48)
    const listed = /[[({]\s{0,3}['"`]?$/.exec(text.slice(Math.max(0, at - 5), at))
    const link = (listed ? inList : inText).exec(behind)?.[0]
    if (link !== undefined) return this.object(at, end, end + link.length, name)
    const comma = listed ? /^['"`]?\s{0,3},/.exec(behind)?.[0].length : undefined
    if (comma === undefined || keyEnd(text, skipSpace(text, end + comma), '=') < 0) return end
    const close = listed?.[0].startsWith('(') ? ')' : ']'
    return this.call(at, end + comma - 1, name, close)
  }

  private object(at: number, end: number, start: number, name: string): number {
    const { reader } = this
    reader.start(start)
    const read = reader.value()
    this.fuel -= reader.at - start
    if (!read || isDeclared(read.value)) return end
    const args = isRecord(read.value) ? argumentsIn(read.value, this.tools.shapeOf(name)) : undefined
    if (!args) return end
    this.found.push({ name, arguments: args, span: [at, reader.at], complete: reader.complete })
    return reader.at
  }
}
