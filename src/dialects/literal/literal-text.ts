import { isDigit, isQuote, isSpace } from '../../json/characters.ts'

/** What a string is opened and closed with. */
export interface Delimiter {
  readonly open: string
  readonly close: string
  /** Escapes count, and a delimiter within the text may be content. */
  readonly plain: boolean
}

const delimiters: ReadonlyMap<string, Delimiter> = new Map(
  [
    ['"""', '"""'],
    ["'''", "'''"],
    ['"', '"'],
    ["'", "'"],
    ['`', '`'],
    ['“', '”'],
    ['‘', '’'],
    ['«', '»'],
    // A call that stands in a string of its own: "f(a=\"b\")"
    ['\\"', '\\"'],
    ["\\'", "\\'"],
  ].map(([open = '', close = '']) => [open, { open, close, plain: true }]),
)

/** The delimiter that opens at `at`: one of the usual, or one of `extra`, which know no escapes. */
export function delimiterAt(text: string, at: number, extra: readonly string[]): Delimiter | undefined {
  for (const open of extra) if (text.startsWith(open, at)) return { open, close: open, plain: false }
  const first = text.charAt(at)
  if (first === '\\') return delimiters.get(text.slice(at, at + 2))
  if (!isQuote(text.charCodeAt(at))) return undefined
  const triple = delimiters.get(text.slice(at, at + 3))
  return triple ?? delimiters.get(first)
}

/** r'…', b"…", f'…', rb'…': how many letters stand before the quote. */
export function prefixLength(text: string, at: number): number {
  let end = at
  while (end < at + 2 && 'rRbBfFuU'.includes(text.charAt(end)) && end < text.length) end++
  const c = text.charCodeAt(end)
  return end > at && (c === 34 || c === 39) ? end - at : 0
}

export const isWordPart = (c: number): boolean =>
  isDigit(c) || c === 95 || (c >= 97 && c <= 122) || (c >= 65 && c <= 90) || (c > 127 && isLetter(c))

const isLetter = (c: number) => /\p{L}/u.test(String.fromCharCode(c))

/**
 * The place behind space, and behind comments: from `#` or `//` to the end of the line, if space or a comma stands
 * before them, or a colour or an address would be one.
 */
export function skipSpace(text: string, at: number): number {
  let end = at
  for (; end < text.length; end++) {
    const c = text.charCodeAt(end)
    if (isSpace(c)) continue
    if (!isComment(text, end)) break
    const line = text.indexOf('\n', end)
    if (line < 0) return text.length
    end = line
  }
  return end
}

function isComment(text: string, at: number): boolean {
  const c = text.charCodeAt(at)
  if (c !== 35 && !(c === 47 && text.charCodeAt(at + 1) === 47)) return false
  const before = text.charCodeAt(at - 1)
  const after = text.charCodeAt(c === 35 ? at + 1 : at + 2)
  return (isSpace(before) || before === 44) && (isSpace(after) || Number.isNaN(after))
}

/** Whether `key =` or `key:` stands at `at`; its end, behind the sign. `signs`: which of the two. */
export function keyEnd(text: string, at: number, signs: string): number {
  let end = at
  while (isWordPart(text.charCodeAt(end)) || text.startsWith('\\_', end)) end += text[end] === '\\' ? 2 : 1
  if (end === at || isDigit(text.charCodeAt(at))) return -1
  while (text[end] === ' ') end++
  const sign = text.charAt(end)
  if (sign === '' || !signs.includes(sign)) return -1
  // A comparison, an address, a path.
  if (sign === '=' ? text[end + 1] === '=' : text.startsWith('//', end + 1)) return -1
  return end + 1
}

/** The end of a name that is not in quotes, however long: one word, with dots and dashes; or all up to a sign. */
export function bareKeyEnd(text: string, at: number, oneWord: boolean): number {
  let end = at
  if (!oneWord) {
    while (end < text.length && end - at < LONGEST_KEY && !'"\',:=()[]{}\n'.includes(text.charAt(end))) end++
    return end
  }
  if (isDigit(text.charCodeAt(at))) return at
  while (isWordPart(text.charCodeAt(end)) || '.-\\'.includes(text.charAt(end) || ' ')) end++
  return end
}

/** What closes what a bracket opens. */
export const closers: ReadonlyMap<string, string> = new Map([
  ['[', ']'],
  ['(', ')'],
  ['{', '}'],
])

/** No name is longer. */
const LONGEST_KEY = 200
