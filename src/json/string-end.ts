import { isDigit, isIdentifierPart, isIdentifierStart, isQuote, isSpace } from './characters.ts'
import { KEY_WORDS, keyColon } from './key-words.ts'

/** Where a value stands: what may follow it depends on this. */
export const KEY = 0
export const MEMBER = 1
export const ELEMENT = 2
export type Place = typeof KEY | typeof MEMBER | typeof ELEMENT

/** Whether a quote ends its string, is a part of it, or can't be told before more text is seen. */
export const END = 0
export const INNER = 1
export const WAIT = 2
export type Verdict = typeof END | typeof INNER | typeof WAIT

// How far a verdict may look ahead. It is asked again at every chunk until enough text is there, so this also
// bounds the work: beyond it, a key is taken for one without its end, and space for the end of the string.
const LOOKAHEAD = 160

/**
 * Models forget to escape quotes: `"He said "hello", and left", "b": 1`. A quote ends its string only if what
 * follows fits the place. `at` is the offset behind the quote; `inArray`/`inObject` tell whether such a
 * container is open further out; `ending` that no more text will come; `quoteBefore` that the string has kept a
 * quote already, so that this one may be its partner.
 */
export function stringEnd(
  text: string,
  at: number,
  place: Place,
  inArray: boolean,
  inObject: boolean,
  ending: boolean,
  quoteBefore = true,
): Verdict {
  const next = skipSpace(text, at)
  if (next === at + LOOKAHEAD) return END
  if (next >= text.length) return ending ? END : WAIT
  const c = text.charCodeAt(next)
  if (place === KEY) return afterKey(c, next > at)
  switch (c) {
    case 44: // ,
      return afterComma(text, next + 1, place, ending, quoteBefore)
    case 59: // ; for a comma, but the end of a statement if a bracket follows
      return afterSemicolon(text, next + 1, place, ending)
    case 125: // }
      return place === MEMBER || inObject ? END : INNER
    case 93: // ]
      return place === ELEMENT || inArray ? END : INNER
    case 35: // #
      return next > at ? END : INNER
    case 47: // "a" // comment
      if (next + 1 >= text.length) return ending ? END : WAIT
      return text[next + 1] === '/' || text[next + 1] === '*' ? END : INNER
    case 43: // "a" + "b"
      return joins(text, next + 1, ending)
    case 58: // ["a", "key": 1, in a list that was not closed
      return place === ELEMENT && inObject ? END : INNER
    case 92: // literal \n between tokens of escaped JSON
      return END
  }
  const breaks = lineBreaks(text, at, next)
  const newLine = breaks > 0
  // Nothing within a string stands alone before an empty line.
  if (breaks > 1 && !isQuote(c)) return END
  // A fence ends whatever is still open within it.
  if (c === 96 && newLine) return END
  if (isQuote(c)) {
    // "He said "no"": the last of several quotes is the end, if it can be.
    if (next === at && c === text.charCodeAt(at - 1)) {
      let last = at
      while (last < at + LOOKAHEAD && text.charCodeAt(last) === c) last++
      if (last === at + LOOKAHEAD) return INNER
      const verdict = stringEnd(text, last, place, inArray, inObject, ending, quoteBefore)
      if (verdict !== INNER) return verdict === END ? INNER : WAIT
    }
    if (place === MEMBER) return keyAhead(text, next, ending)
    return newLine ? END : element(text, next, ending)
  }
  if (place === MEMBER) return newLine && isIdentifierStart(c) ? keyAhead(text, next, ending) : INNER
  return newLine && (c === 123 || c === 91) ? END : INNER
}

/** Whether the comma before `at` separates two values, or belongs to the text before it. */
export function afterComma(
  text: string,
  at: number,
  place: Place,
  ending: boolean,
  quoteBefore = true,
): Verdict {
  // The first quote of a pair is not followed by a comma and the end of the line: no need to see more.
  if (!quoteBefore && text.charCodeAt(at) === 10) return END
  const next = skipSpace(text, at)
  if (next === at + LOOKAHEAD) return END
  if (next >= text.length) return ending ? END : WAIT
  const c = text.charCodeAt(next)
  if (c === 47 || c === 35 || c === 44 || c === 92) return END
  if (place === MEMBER) {
    if (c === 125 || c === 93) return END
    if (c === 46) return next + 1 >= text.length && !ending ? WAIT : text.startsWith('..', next) ? END : INNER
    if (c === 0x2026 || c === 123) return END
    // Nor by a comma and a quote.
    if (!quoteBefore && isQuote(c)) return END
    return isQuote(c) || isIdentifierStart(c) || isDigit(c) ? keyAhead(text, next, ending) : INNER
  }
  if (
    c === 93 ||
    c === 125 ||
    c === 123 ||
    c === 91 ||
    c === 45 ||
    c === 46 ||
    c === 0x2026 ||
    isQuote(c) ||
    isDigit(c)
  )
    return END
  return isIdentifierStart(c) ? word(text, next, ending) : INNER
}

function afterSemicolon(text: string, at: number, place: Place, ending: boolean): Verdict {
  const next = skipSpace(text, at)
  if (next >= text.length) return ending ? INNER : WAIT
  const c = text.charCodeAt(next)
  return isQuote(c) || isIdentifierStart(c) ? afterComma(text, at, place, ending) : INNER
}

// A key and its colon: `"b":`, `b:`.
export function keyAhead(text: string, at: number, ending: boolean): Verdict {
  const quote = text.charCodeAt(at)
  const most = Math.min(text.length, at + LOOKAHEAD)
  let i = at + 1
  if (isQuote(quote)) {
    for (; i < most; i++) {
      const c = text.charCodeAt(i)
      if (c === 92) i++
      else if (c === quote || (quote === 0x201c && c === 0x201d) || (quote === 0x2018 && c === 0x2019)) break
    }
    i++
  } else while (i < most && isIdentifierPart(text.charCodeAt(i))) i++
  if (i >= most && most === at + LOOKAHEAD) return END
  const next = skipSpace(text, i)
  if (next === i + LOOKAHEAD) return END
  if (next >= text.length) return ending ? END : WAIT
  const c = text.charCodeAt(next)
  if (c === 58 || c === 61) return END
  // b": has lost its first quote.
  if (c === 34 && next === i && !isQuote(quote)) {
    const colon = skipSpace(text, next + 1)
    if (colon >= text.length) return ending ? INNER : WAIT
    return text.charCodeAt(colon) === 58 ? END : INNER
  }
  // "b" [ has lost its colon.
  return isQuote(quote) ? (c === 91 || c === 123 ? END : INNER) : words(text, i, ending)
}

// A key of several words, as far as a value follows it: `first name: "`.
function words(text: string, at: number, ending: boolean): Verdict {
  const colon = keyColon(text, at)
  if (colon < 0)
    return text.length < at + KEY_WORDS && !ending && !/[^\w $.-]/.test(text.slice(at)) ? WAIT : INNER
  // Running text has sentences and line breaks, a key has none.
  if (text.slice(at, colon).includes('. ')) return INNER
  let next = colon + 1
  while (text.charCodeAt(next) === 32) next++
  if (next >= text.length) return ending ? INNER : WAIT
  const c = text.charCodeAt(next)
  return isQuote(c) || isDigit(c) || c === 123 || c === 91 ? END : INNER
}

// A string that is followed as an element is: `"b",`, `"b"]`.
function element(text: string, at: number, ending: boolean): Verdict {
  const close = text.indexOf(text[at] as string, at + 1)
  if (close < 0 || close > at + LOOKAHEAD) return text.length > at + LOOKAHEAD || ending ? INNER : WAIT
  const next = skipSpace(text, close + 1)
  if (next >= text.length) return ending ? END : WAIT
  const c = text.charCodeAt(next)
  return c === 44 || c === 93 || isQuote(c) ? END : INNER
}

// One bare word as an element: `red,`, `red]`.
function word(text: string, at: number, ending: boolean): Verdict {
  let i = at + 1
  while (i < text.length && i < at + LOOKAHEAD && isIdentifierPart(text.charCodeAt(i))) i++
  const next = skipSpace(text, i)
  if (next === i + LOOKAHEAD || i === at + LOOKAHEAD) return END
  if (next >= text.length) return ending ? END : WAIT
  const c = text.charCodeAt(next)
  return c === 44 || c === 93 || /^(?:true|false|null|None|True|False)$/.test(text.slice(at, i)) ? END : INNER
}

function joins(text: string, at: number, ending: boolean): Verdict {
  const next = skipSpace(text, at)
  if (next >= text.length) return ending ? INNER : WAIT
  return isQuote(text.charCodeAt(next)) ? END : INNER
}

function afterKey(c: number, spaced: boolean): Verdict {
  // : , } =
  if (c === 58 || c === 44 || c === 125 || c === 61) return END
  // A value directly behind: the colon is missing.
  return spaced && (isQuote(c) || isDigit(c) || c === 123 || c === 91) ? END : INNER
}

function skipSpace(text: string, at: number): number {
  const most = Math.min(text.length, at + LOOKAHEAD)
  let i = at
  while (i < most && isSpace(text.charCodeAt(i))) i++
  return i
}

function lineBreaks(text: string, from: number, to: number): number {
  let count = 0
  for (let i = from; i < to; i++) if (text.charCodeAt(i) === 10) count++
  return count
}
