import type { Span } from '../../core/span.ts'
import type { Comment, Name } from './agentfile.ts'
import { isOldStatementWord, isReservedWord, isStatementWord, isSupervisionWord } from './keywords.ts'
import type { Report } from './report.ts'
import { describeToken, type FoundComment, type Token } from './token.ts'

/** A place among the tokens of a file. */
export class TokenCursor {
  readonly report: Report
  readonly #source: string
  readonly #tokens: readonly Token[]
  #at = 0
  /** Of the statement that is read: what it is indented by, and the comments within it. */
  #indent = 0
  #inner: Comment[] = []
  #complainedOf: Token | undefined

  constructor(source: string, tokens: readonly Token[], report: Report) {
    this.#source = source
    this.#tokens = tokens
    this.report = report
  }

  /** The next token. The last is the end of the file, again and again. */
  get next(): Token {
    return this.#tokens[this.#at] as Token
  }

  /** The one behind it. */
  get second(): Token {
    return this.#tokens[Math.min(this.#at + 1, this.#tokens.length - 1)] as Token
  }

  get isAtEnd(): boolean {
    return this.next.kind === 'end'
  }

  /** Where the token before ended. */
  get end(): number {
    return this.#tokens[this.#at - 1]?.span[1] ?? 0
  }

  /** The place right behind the token before: where something is missing. */
  get here(): Span {
    return [this.end, this.end]
  }

  /** Whether something stands right behind a string: a quote within it may have ended it. */
  get touchesString(): boolean {
    return this.#tokens[this.#at - 1]?.kind === 'string' && this.next.span[0] === this.end
  }

  /** Whether the token before is a string that was not closed: what follows is probably its text. */
  get isAfterOpenString(): boolean {
    const before = this.#tokens[this.#at - 1]
    if (before?.kind !== 'string') return false
    const [start, end] = before.span
    return end - start < 2 || !/["'“”]/.test(this.#source[end - 1] as string)
  }

  take(): Token {
    const { next } = this
    // The quotes are the first thing to know about a string, but of one that is passed over nobody wants to hear.
    const quote = next.kind === 'string' ? this.#source[next.span[0]] : undefined
    if (quote !== undefined && quote !== '"') this.report.add('wrong_quotes', { quote }, next.span)
    return this.skip()
  }

  /** Passes over a token that means nothing here. */
  skip(): Token {
    const token = this.next
    for (const comment of token.comments) this.#inner.push(withoutTrails(comment))
    if (token.kind !== 'end') this.#at++
    return token
  }

  /** Takes a keyword or a sign, if it is next. */
  takeIf(text: string): Token | undefined {
    return this.isNext(text) ? this.take() : undefined
  }

  isNext(text: string): boolean {
    const { kind } = this.next
    return this.next.text === text && (kind === 'word' || kind === 'symbol')
  }

  /** Takes the first token of a statement. The comments before it are not within it. */
  beginStatement(): Token {
    const token = this.skip()
    this.#indent = token.indent
    this.#inner = []
    return token
  }

  /** The comments that were passed since then. */
  get innerComments(): readonly Comment[] {
    return this.#inner
  }

  /** Whether the statement is over: the file ends, or another begins. */
  get isStatementOver(): boolean {
    const { kind, text, startsLine, indent } = this.next
    if (kind === 'end') return true
    if (kind !== 'word' && kind !== 'illegal') return false
    if (isStatementWord(text) || (isOldStatementWord(text) && startsLine)) return true
    // What begins a line and is not indented is a statement too, be it one that does not exist. Only clauses are not.
    return startsLine && indent <= this.#indent && (isSupervisionWord(text) || !isReservedWord(text))
  }

  /** Says what should stand here, once. */
  unexpected(expected: string): void {
    const { next } = this
    if (this.#complainedOf === next) return
    this.#complainedOf = next
    const isOver = this.isStatementOver
    this.report.add('unexpected', { found: describeToken(next), expected }, isOver ? this.here : next.span)
  }

  /** A name, if something that was meant as one is next; otherwise says that it is missing. */
  takeName(expected = 'a name'): Name | undefined {
    const { next } = this
    const { kind, text, span } = next
    const isKeyword = kind === 'word' && isReservedWord(text)
    if (kind === 'word' && !isKeyword && !(next.startsLine && isOldStatementWord(text))) {
      this.take()
      return { text, span }
    }
    if (isKeyword && !next.startsLine && endsName(this.second)) {
      this.take()
      this.report.add('reserved_name', { name: text }, span)
      return { text, span }
    }
    if (kind === 'illegal' || (kind === 'number' && !next.startsLine)) {
      this.take()
      this.report.add('invalid_name', { name: text }, span)
      return { text, span }
    }
    this.unexpected(expected)
    return undefined
  }
}

/** Whether a token may stand behind a name, so that a keyword before it was meant as one. */
function endsName({ kind, text, startsLine }: Token): boolean {
  return startsLine || (kind === 'word' ? isReservedWord(text) : /^(?:string|symbol|end)$/.test(kind))
}

export function withoutTrails({ text, blankBefore, span }: FoundComment): Comment {
  return { text, blankBefore, span }
}
