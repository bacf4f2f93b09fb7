import { isDigit, isIdentifierPart, isIdentifierStart, isQuote, isSpace } from './characters.ts'
import { KEY_WORDS, keyColon } from './key-words.ts'

// A verdict may look this far ahead; see string-end.ts.
const LOOKAHEAD = 160

/**
 * Whether the bracket at `at` opens a JSON value. In prose most brackets do not: [1], [link](…), {placeholder};
 * where a value is expected, less is asked. `undefined`: more text is needed to tell.
 */
export function valueStart(
  text: string,
  at: number,
  expected: boolean,
  ending: boolean,
): boolean | undefined {
  const next = skip(text, at + 1, isSpace)
  if (next === at + 1 + LOOKAHEAD) return true
  // Nothing but the bracket: the text was cut off right behind it.
  if (next >= text.length) return ending ? true : undefined
  const c = text.charCodeAt(next)
  // , # + . …
  if (expected && (c === 44 || c === 35 || c === 43 || c === 46 || c === 0x2026)) return true
  return text.charCodeAt(at) === 123
    ? objectStart(text, next, expected, ending)
    : arrayStart(text, next, expected, ending)
}

// {"a": …   {a: …   {1: …   {}
//  ^         ^       ^       ^
function objectStart(text: string, at: number, expected: boolean, ending: boolean): boolean | undefined {
  const c = text.charCodeAt(at)
  if (isQuote(c) || c === 125 || c === 92 || c === 47) return true
  if (!isIdentifierStart(c) && !isDigit(c)) return false
  const end = skip(text, at, isIdentifierPart)
  const next = skip(text, end, isSpace)
  if (next >= text.length) return ending ? false : undefined
  if (text.charCodeAt(next) === 58 || text.charCodeAt(next) === 61) return true
  if (!expected) return false
  const colon = keyColon(text, end)
  return colon < 0 && text.length < end + KEY_WORDS && !ending ? undefined : colon >= 0
}

// ["a", …   [{…   [1, …   [red, …   []
//  ^         ^     ^       ^         ^
function arrayStart(text: string, at: number, expected: boolean, ending: boolean): boolean | undefined {
  const c = text.charCodeAt(at)
  if (isQuote(c) || c === 123 || c === 91 || c === 93 || c === 92 || c === 47) return true
  const number = isDigit(c) || c === 45
  if (number && expected) return true
  if (!isIdentifierStart(c) && !number) return false
  const end = skip(text, at + 1, number ? isNumberPart : isIdentifierPart)
  const next = skip(text, end, isSpace)
  if (end === at + 1 + LOOKAHEAD || next === end + LOOKAHEAD) return true
  if (next >= text.length) return ending ? expected : undefined
  const follows = text.charCodeAt(next)
  if (follows === 44) return true
  if (follows !== 93)
    return (
      (number || expected || /^(?:true|false|null)$/.test(text.slice(at, end))) &&
      (follows === 47 || /[\n\r]/.test(text.slice(end, next)))
    )
  // [link](…)
  if (next + 1 >= text.length) return ending ? true : undefined
  return text.charCodeAt(next + 1) !== 40
}

const isNumberPart = (c: number) => isIdentifierPart(c) || c === 43

function skip(text: string, at: number, is: (c: number) => boolean): number {
  const most = Math.min(text.length, at + LOOKAHEAD)
  let i = at
  while (i < most && is(text.charCodeAt(i))) i++
  return i
}
