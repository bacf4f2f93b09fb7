/** A key without quotes may be of several words, {first name: …}, of this many characters together. */
export const KEY_WORDS = 60

const rest = /(?: [\w$.-]+)+ ?:/y

/** Where the colon stands behind the words that follow the first one of a key; -1 if they are no key. */
export function keyColon(text: string, firstEnd: number): number {
  rest.lastIndex = firstEnd
  const match = rest.exec(text.length > firstEnd + KEY_WORDS ? text.slice(0, firstEnd + KEY_WORDS) : text)
  return match ? firstEnd + match[0].length - 1 : -1
}
