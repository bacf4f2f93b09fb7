import type { Limits } from '../../core/limits.ts'
import type { Span } from '../../core/span.ts'
import { ValueReader } from '../../json/value-reader.ts'
import type { FoundCall } from '../found-call.ts'
import type { KnownTools } from '../known-tools.ts'
import { readLiteral } from '../literal/read-literal.ts'
import { resolveName } from '../resolve-name.ts'
import { BracketScanner } from './bracket-scanner.ts'
import type { CallCursor } from './call-cursor.ts'
import { CallListener } from './call-listener.ts'
import type { Grammar } from './grammar.ts'
import { jsonCalls } from './json-calls.ts'
import type { Place } from './marks.ts'
import type { PartsOut } from './parts-out.ts'
import { pythonicCalls } from './pythonic-calls.ts'
import type { ScanMemory } from './scan-memory.ts'

/** How the body of a call is written; `arguments`: its name was read already; `text`: anything up to the end. */
export type BodyKind = 'json' | 'arguments' | 'pythonic' | 'brace' | 'text'

export interface BodyOptions {
  readonly kind: BodyKind
  readonly cursor: CallCursor
  readonly grammar: Grammar
  readonly tools: KnownTools
  readonly limits: Limits
  readonly memory: ScanMemory
  /** It stands where anything may stand: only what has all that a call has is one. */
  readonly strict: boolean
  readonly name: string
  readonly id: string | undefined
  readonly callStart: number
  /** The id of a call may stand behind its name. */
  readonly lateId: boolean
  /** Told of calls and their arguments while they arrive. */
  readonly out: PartsOut
}

/**
 * Finds the end of a body while it arrives. It ends by itself, or at the mark that closes its place. A mark within one of
 * its strings is text, also if the string never ends: what a cut-off call quotes must not run.
 */
export class BodyScan {
  private readonly options: BodyOptions
  private readonly cursor: CallCursor
  private readonly start: number
  private readonly listener: CallListener | undefined
  private value: ValueReader | undefined
  private brackets: BracketScanner | undefined
  private end = -1
  /** A mark has closed it. */
  private closed = false
  private stride = 64

  constructor(options: BodyOptions) {
    this.options = options
    this.cursor = options.cursor
    this.start = options.cursor.offset
    this.begin()
    const { out, kind, tools, strict, cursor, name, id, callStart, lateId, grammar } = options
    // What may turn out to be no call is not told of before its end.
    if (!this.value || strict) return
    const { value: reader, start } = this
    this.listener = new CallListener({ out, reader, cursor, tools, keys: grammar.callKeys, start, lateId })
    if (kind === 'arguments') this.listener.startArguments(name, id, callStart)
    else this.value.listen(this.listener)
  }

  private begin(): void {
    const { kind, limits, grammar } = this.options
    if (kind === 'json' || kind === 'arguments') this.value = new ValueReader(limits, false)
    else if (kind !== 'text') this.brackets = new BracketScanner(kind === 'brace' ? grammar.quotes : [])
  }

  read(): 'wait' | 'end' {
    const { cursor } = this
    const { grammar } = this.options
    for (;;) {
      const { ending } = cursor
      const { at, mark } = this.boundary()
      // Bit by bit, as it may end long before the next mark.
      const to = Math.min(at, cursor.pos + this.stride)
      this.stride *= 2
      this.feed(to)
      if (this.hasEnded()) return 'end'
      if (to < at) continue
      if (mark !== undefined) {
        if (!this.inside) {
          this.closed = grammar.roles.get(mark)?.close ?? false
          return this.finish()
        }
        this.feed(at + 1)
        if (this.hasEnded()) return 'end'
        continue
      }
      if (!ending) return 'wait'
      return this.finish()
    }
  }

  /** The next mark that may end a body: looked for once, however many bodies stand before it. */
  private boundary(): Place {
    const { cursor } = this
    const { grammar, memory } = this.options
    const { buf, ending, base, offset } = cursor
    const { from, at, mark } = memory.boundary
    const known = from <= offset && offset <= at
    if (known && mark !== undefined) return { at: at - base, mark }
    const found = grammar.boundaries.seek(buf, known ? at - base : cursor.pos, ending)
    memory.boundary = { from: known ? from : offset, at: base + found.at, mark: found.mark }
    return found
  }

  private feed(to: number): void {
    const { cursor } = this
    const text = cursor.buf.slice(cursor.pos, to)
    cursor.moveTo(to)
    if (text === '') return
    this.value?.push(text)
    this.brackets?.push(text)
    this.listener?.tell()
  }

  private get inside(): boolean {
    return this.value?.inside ?? this.brackets?.inside ?? false
  }

  private hasEnded(): boolean {
    const end = this.value ? (this.value.found?.end ?? -1) : (this.brackets?.end ?? -1)
    if (end < 0) return false
    this.end = this.start + end
    this.cursor.goTo(this.end)
    return true
  }

  /** It ends where the cursor stands, whatever is still open. */
  private finish(): 'end' {
    this.listener?.end()
    this.value?.end()
    this.brackets?.finish()
    if (!this.brackets || !this.hasEnded()) this.end = this.cursor.offset
    return 'end'
  }

  /** The calls of the body, once it has ended. */
  calls(): FoundCall[] {
    const { start, end, cursor } = this
    const { kind, tools, grammar, name, id, callStart } = this.options
    const span: Span = [callStart, end]
    if (this.value) return this.valueCalls(this.value, span)
    const text = cursor.tape.slice(start, end)
    if (kind === 'text')
      return [
        { id, name, arguments: text.trim() === '' ? {} : text.trim(), span, complete: true, issues: [] },
      ]
    const complete = this.closed || (this.brackets !== undefined && this.brackets.end >= 0)
    if (kind === 'pythonic') return pythonicCalls(text, start, tools, complete)
    const given = readLiteral(text, text.indexOf('{'), { quotes: grammar.quotes })?.value ?? {}
    return [{ name: resolveName(name, tools), arguments: given, span, complete, issues: [] }]
  }

  private valueCalls({ found, spans, duplicates }: ValueReader, span: Span): FoundCall[] {
    const { start, end } = this
    const { kind, tools, grammar, name, id, strict } = this.options
    if (!found) return []
    const issues = found.issues.map((issue) =>
      issue.span ? { ...issue, span: [issue.span[0] + start, issue.span[1] + start] as Span } : issue,
    )
    const complete = found.complete || this.closed
    if (kind === 'arguments') return [{ id, name, arguments: found.value, span, complete, issues }]
    const read = {
      value: found.value,
      span: [start, end] as Span,
      complete,
      issues,
      places: spans,
      duplicates,
      offset: start,
    }
    return jsonCalls(read, tools, strict, grammar.callKeys)
  }
}
