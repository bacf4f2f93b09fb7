/** What a word without quotes stands for, and which code says so; no code: plain JSON. */
export interface BareValue {
  readonly value: unknown
  readonly code: 'foreign_word' | 'loose_number' | 'unquoted_text' | undefined
}

const jsonNumber = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/
const looseNumber = /^[+-]?(?:\d{1,3}(?:,\d{3})+|\d+(?:_\d+)*)?(?:\.\d*)?(?:[eE][+-]?\d+)?$/
const leadingZero = /^[+-]?0\d/

const words: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['none', null],
  ['nil', null],
  ['undefined', null],
  ['nan', Number.NaN],
  ['infinity', Number.POSITIVE_INFINITY],
  ['-infinity', Number.NEGATIVE_INFINITY],
  ['inf', Number.POSITIVE_INFINITY],
  ['-inf', Number.NEGATIVE_INFINITY],
])

/** The value of a few plain digits, by far the most numbers there are; -1 for anything else. */
export function smallInteger(text: string): number {
  const { length } = text
  if (length > 15 || length === 0 || (length > 1 && text.charCodeAt(0) === 48)) return -1
  let value = 0
  for (let i = 0; i < length; i++) {
    const digit = text.charCodeAt(i) - 48
    if (digit < 0 || digit > 9) return -1
    value = value * 10 + digit
  }
  return value
}

/** Reads `12`, `true`, `None`, `+1`, `hello world`. */
export function bareValue(text: string): BareValue {
  const small = smallInteger(text)
  if (small >= 0) return { value: small, code: undefined }
  if (jsonNumber.test(text)) return { value: Number(text), code: undefined }
  if (text === 'true') return { value: true, code: undefined }
  if (text === 'false') return { value: false, code: undefined }
  if (text === 'null') return { value: null, code: undefined }
  const word = text.length < 10 ? words.get(text.toLowerCase()) : undefined
  if (word !== undefined) return { value: word, code: 'foreign_word' }
  // 007 is a code of some kind, not the number seven.
  if (looseNumber.test(text) && /\d/.test(text) && !leadingZero.test(text))
    return { value: Number(text.replace(/[,_]/g, '')), code: 'loose_number' }
  return { value: text, code: 'unquoted_text' }
}

/** A word that the end of the text has cut: `tru`, `nul`, `-`, `12.`; `undefined` if it is no such thing. */
export function cutValue(text: string): { value: unknown } | undefined {
  if (text === '-' || text === '+') return undefined
  for (const word of ['true', 'false', 'null']) if (word.startsWith(text)) return { value: JSON.parse(word) }
  const number = /^-?\d+(?:\.\d+)?/.exec(text)
  if (number && /^-?\d+(?:\.\d*)?(?:[eE][+-]?\d*)?$/.test(text)) {
    const exact = Number(text)
    return { value: Number.isNaN(exact) ? Number(number[0]) : exact }
  }
  return undefined
}
