import type { Span } from '../../core/span.ts'
import type { Text } from './agentfile.ts'
import { readString } from './read-string.ts'
import type { Report } from './report.ts'
import type { FoundComment, Token } from './token.ts'

/** A name. Its dashes are its own, but not that of an arrow: `a->b` is a name, an arrow and a name. */
const word = /[A-Za-z_](?:[A-Za-z0-9_]|-(?!>))*/y
const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const variable = /\$[A-Za-z_](?:[A-Za-z0-9_]|-(?!>))*/y
const symbol = /->|[,:<>(){}[\]=]/y
/** What was meant as a name: it begins with a digit, or has letters that names do not have. */
const wordLike = /[\p{L}\p{M}\p{N}_](?:[\p{L}\p{M}\p{N}_.]|-(?!>))*/uy
const otherQuotes = /'[^'\n]*'|[“”„][^“”„\n]*[“”]/y
const nothing = /[^\s"#,:<>(){}[\]=$'“”„\p{L}\p{N}_-]+|./suy
/** Behind FROM and VERSION: everything up to a blank, a comment, a quote or an arrow. */
const rest = /(?:[^\s"#-]|-(?!>))+/y
const blanks = /\s+/y

/** The tokens of a file, with comments and blank lines as remarks on them. The last is the end. */
export function lexAgentfile(source: string, report: Report): { tokens: Token[]; isCut: boolean } {
  const tokens: Token[] = []
  let comments: FoundComment[] = []
  let isCut = false
  let at = 0
  let startsLine = true
  let indent = 0
  let blankBefore = false

  const take = (pattern: RegExp): string | undefined => {
    pattern.lastIndex = at
    return pattern.exec(source)?.[0]
  }
  const push = (kind: Token['kind'], text: string, string?: Text): void => {
    const end = string ? string.span[1] : at + text.length
    const span: Span = [at, end]
    const common = { text, span, startsLine, indent, blankBefore, comments }
    tokens.push((string ? { ...common, kind, string } : { ...common, kind }) as Token)
    at = end
    comments = []
    startsLine = false
    blankBefore = false
  }

  while (at < source.length) {
    const space = take(blanks)
    if (space) {
      const lines = space.split('\n')
      if (lines.length > 1) {
        startsLine = true
        blankBefore = lines.length > 2
        indent = 0
      }
      if (startsLine) indent += (lines.at(-1) as string).length
      at += space.length
      continue
    }
    const character = source[at] as string
    if (character === '#') {
      const text = take(/#[^\r\n]*/y) as string
      const span: Span = [at, at + text.length]
      comments.push({ text: text.slice(1).trimEnd(), blankBefore, span, trails: !startsLine })
      blankBefore = false
      at += text.length
      continue
    }
    if (character === '"') {
      const { string, isCut: cut } = readString(source, at, report)
      isCut ||= cut
      push('string', string.text, string)
      continue
    }
    const before = tokens.at(-1)
    if (before && !startsLine && takesRest(before)) {
      const text = take(rest)
      if (text) {
        push('rest', text)
        continue
      }
    }
    const simple = take(word) ?? take(number)
    const longer = mayGoOn(source, at + (simple?.length ?? 0)) ? take(wordLike) : undefined
    if (simple && simple.length >= (longer?.length ?? 0))
      push(/^[-\d]/.test(simple) ? 'number' : 'word', simple)
    else if (longer) push('illegal', longer)
    else {
      const named = take(variable)
      const sign = named ? undefined : take(symbol)
      const quotes = take(otherQuotes)
      if (named) push('variable', named)
      else if (sign) push('symbol', sign)
      else if (quotes) {
        const text = quotes.slice(1, -1)
        push('string', text, { text, raw: false, span: [at, at + quotes.length], offsets: [[0, at + 1]] })
      } else push('illegal', take(nothing) as string)
    }
  }
  push('end', '')
  return { tokens, isCut }
}

/** Whether what stands there could belong to a word: most are over, and need no second look. */
function mayGoOn(source: string, at: number): boolean {
  const code = source.charCodeAt(at)
  return code > 127 || /[\w.-]/.test(source[at] ?? ' ')
}

function takesRest({ kind, text, startsLine }: Token): boolean {
  return kind === 'word' && (text === 'FROM' || (text === 'VERSION' && startsLine))
}
