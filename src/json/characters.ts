/** Space as models write it: also no-break, ideographic and zero-width spaces, and byte order marks. */
export function isSpace(c: number): boolean {
  if (c <= 32) return c === 32 || (c >= 9 && c <= 13)
  return c >= 160 && isOddSpace(c)
}

/** Space that JSON itself does not know. */
export function isOddSpace(c: number): boolean {
  return (
    c === 0xa0 ||
    c === 0xfeff ||
    (c >= 0x2000 && c <= 0x200d) ||
    c === 0x2028 ||
    c === 0x2029 ||
    c === 0x202f ||
    c === 0x2060 ||
    c === 0x3000
  )
}

/** `text` without the space at its end, of whatever kind. */
export function trimSpaceEnd(text: string): string {
  let end = text.length
  while (end > 0 && isSpace(text.charCodeAt(end - 1))) end--
  return text.slice(0, end)
}

/** What opens a string: straight, curly and angle quotes, and the backtick. */
export function isQuote(c: number): boolean {
  return (
    c === 34 ||
    c === 39 ||
    c === 96 ||
    c === 0x201c ||
    c === 0x201d ||
    c === 0x2018 ||
    c === 0x2019 ||
    c === 0x201e ||
    c === 0xab
  )
}

export function isIdentifierStart(c: number): boolean {
  return (
    (c >= 97 && c <= 122) ||
    (c >= 65 && c <= 90) ||
    c === 95 ||
    c === 36 ||
    (c > 160 && !isOddSpace(c) && !isQuote(c))
  )
}

export function isIdentifierPart(c: number): boolean {
  return isIdentifierStart(c) || (c >= 48 && c <= 57) || c === 45 || c === 46
}

export const isDigit = (c: number): boolean => c >= 48 && c <= 57
