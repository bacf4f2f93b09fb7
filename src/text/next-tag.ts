import { isLineEnd } from './line-matcher.ts'
import { isTagStart } from './tag-scanner.ts'

/** In a piece longer than this the engine is faster at looking for a character than a loop is. */
const LONG = 8

/** How far it looks at once: a text of triangles would else be searched to its end for `<` at each of them. */
const WINDOW = 512

/** Where something that may be a tag begins, at `from` or behind it; the length of the text if nowhere. */
export function nextTag(text: string, from: number): number {
  const { length } = text
  let at = from
  while (length - at > LONG) {
    const piece = at === 0 && length <= WINDOW ? text : text.slice(at, at + WINDOW)
    const found = firstIn(piece)
    if (found >= 0) return at + found
    at += piece.length
  }
  for (; at < length; at++) if (isTagStart(text.charCodeAt(at))) return at
  return length
}

function firstIn(piece: string): number {
  const sign = piece.indexOf('<')
  const triangle = piece.indexOf('\u25c1')
  if (sign < 0 || triangle < 0) return Math.max(sign, triangle)
  return Math.min(sign, triangle)
}

/** Whether a text holds no tag and its end is no line end: between tags nothing else needs a second look. */
export function isPlain(text: string): boolean {
  const { length } = text
  if (length > LONG) return nextTag(text, 0) === length && !isLineEnd(text.charCodeAt(length - 1))
  let c = 10
  for (let i = 0; i < length; i++) {
    c = text.charCodeAt(i)
    if (isTagStart(c)) return false
  }
  return !isLineEnd(c)
}
