import { isSpace } from '../../json/characters.ts'
import { type Delimiter, isWordPart, keyEnd } from './literal-text.ts'

/** Finds the ends of strings, and remembers what it has seen: a text of quotes alone is still read in one go. */
export class StringEnds {
  private readonly text: string
  private readonly known = new Map<string, { from: number; found: number }>()

  constructor(text: string) {
    this.text = text
  }

  /**
   * Where the delimiter stands that ends the string whose text begins at `from`; -1 if none does. A quote that does
   * not fit what follows it is content: 'It's here'. If none fits, the first one ends the string.
   */
  find(from: number, delimiter: Delimiter, isKey: boolean): number {
    const { text } = this
    const { close, plain } = delimiter
    if (!plain || close.length === 3) return plain ? this.next(from, close) : text.indexOf(close, from)
    const memo = `${close}${isKey ? ':' : ''}`
    const known = this.known.get(memo)
    if (known && known.from <= from && from <= known.found)
      return known.found < text.length ? known.found : this.next(from, close)
    let at = this.next(from, close)
    while (at >= 0 && !fits(text, at + close.length, isKey)) at = this.next(at + close.length, close)
    this.known.set(memo, { from, found: at < 0 ? text.length : at })
    return at < 0 ? this.next(from, close) : at
  }

  private next(from: number, close: string): number {
    const { text } = this
    if (close.charCodeAt(0) === 92) return text.indexOf(close, from)
    const first = close.charCodeAt(0)
    for (let at = from; at < text.length; at++) {
      const c = text.charCodeAt(at)
      if (c === 92) at++
      else if (c === first && (close.length === 1 || text.startsWith(close, at))) return at
    }
    return -1
  }
}

//  'It's here', …
//     ^      ^
/** Whether what stands behind a quote can follow a string. */
function fits(text: string, at: number, isKey: boolean): boolean {
  let end = at
  while (end < text.length && isSpace(text.charCodeAt(end))) end++
  const c = text.charAt(end)
  if (c === '') return true
  if (isKey && (c === ':' || c === '=')) return true
  if (',)]}'.includes(c)) return true
  if (end === at) return false
  // The string goes on in the next line, or another call begins there.
  if (text.slice(at, end).includes('\n') && (c === '"' || c === "'" || opensCall(text, end))) return true
  // A comma is missing.
  return c === '#' || text.startsWith('//', end) || keyEnd(text, end, '=') > 0
}

function opensCall(text: string, at: number): boolean {
  let end = at
  while (isWordPart(text.charCodeAt(end)) || text[end] === '.') end++
  return end > at && text[end] === '('
}

const escapes: ReadonlyMap<string, string> = new Map([
  ['n', '\n'],
  ['t', '\t'],
  ['r', '\r'],
  ['b', '\b'],
  ['f', '\f'],
  ['v', '\v'],
  ['a', '\x07'],
  ['\\', '\\'],
  ["'", "'"],
  ['"', '"'],
  ['`', '`'],
  ['/', '/'],
  ['\n', ''],
])

const hexDigits: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

/** What a string says. An escape that there is not keeps its backslash: `'\d+'` is a pattern. */
export function unescapeText(text: string): string {
  let at = text.indexOf('\\')
  if (at < 0) return text
  let result = ''
  let done = 0
  for (; at >= 0; at = text.indexOf('\\', done)) {
    result += text.slice(done, at)
    const next = text.charAt(at + 1)
    const plain = escapes.get(next)
    if (plain !== undefined) {
      result += plain
      done = at + 2
      continue
    }
    const code = /^(?:[xuU][\da-fA-F]+|[0-7]{1,3})/.exec(text.slice(at + 1, at + 10))?.[0] ?? ''
    const width = hexDigits.get(next)
    const digits = width === undefined ? code : code.slice(1, 1 + width)
    const point = digits === '' ? Number.NaN : Number.parseInt(digits, width === undefined ? 8 : 16)
    const valid = point <= 0x10ffff && (width === undefined || digits.length === width)
    // `\u12` is no escape, and `\1` is a reference far more often than a character.
    if (!valid || (width === undefined && digits !== '0')) {
      result += text.slice(at, at + 2)
      done = at + 2
    } else {
      result += String.fromCodePoint(point)
      done = at + 1 + (width === undefined ? digits.length : 1 + width)
    }
  }
  return result + text.slice(done)
}
