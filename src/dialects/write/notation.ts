import type { Plain } from './plain-value.ts'

/** How a language writes values. */
export interface Notation {
  text(text: string): string
  key(key: string): string
  readonly words: { readonly true: string; readonly false: string; readonly null: string }
  readonly comma: string
  readonly colon: string
}

const words = { true: 'true', false: 'false', null: 'null' }

/** JSON as Python writes it, which is what templates have taught models: with a space behind commas and colons. */
export function json(marks: RegExp): Notation {
  const text = (content: string) => quoted(content, marks)
  return { text, key: text, words, comma: ', ', colon: ': ' }
}

export function python(marks: RegExp): Notation {
  return { ...json(marks), words: { true: 'True', false: 'False', null: 'None' } }
}

/** `{a:1,b:<|"|>x<|"|>}`: such quotes know no escapes, so what cannot stand between them is written as in JSON. */
export function braces(marks: RegExp, quote: string): Notation {
  const text = (content: string) =>
    content.search(marks) >= 0 || (content.includes(quote[0] as string) && overlaps(content, quote))
      ? quoted(content, marks)
      : quote + content + quote
  const key = (name: string) => (/^[\p{L}_][\p{L}\p{N}_]*$/u.test(name) ? name : quoted(name, marks))
  return { text, key, words, comma: ',', colon: ':' }
}

/** Whether the end of a text and the quote behind it would look like a quote before the end. */
function overlaps(content: string, quote: string): boolean {
  return (content + quote).indexOf(quote) < content.length
}

export function valueText(value: Plain, notation: Notation): string {
  const { comma, colon } = notation
  if (typeof value === 'string') return notation.text(value)
  if (typeof value === 'boolean' || value === null) return notation.words[`${value}`]
  if (typeof value === 'number') return numberText(value)
  if (typeof value === 'bigint') return String(value)
  if (Array.isArray(value)) return `[${value.map((item) => valueText(item, notation)).join(comma)}]`
  const members = Object.entries(value).map(
    ([key, member]) => notation.key(key) + colon + valueText(member, notation),
  )
  return `{${members.join(comma)}}`
}

/** Digits that do not fit into a number are read as text: an integer of that size is written with an exponent. */
const numberText = (value: number) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) ? value.toExponential() : String(value)

/** A string of JSON, in which no mark stands as it is: its first character is written as its number. */
export function quoted(text: string, marks: RegExp): string {
  return `"${eachMark(text, marks, escaped, (first) => `\\u${first.charCodeAt(0).toString(16).padStart(4, '0')}`)}"`
}

const escaped = (text: string) => JSON.stringify(text).slice(1, -1)

/**
 * The text with other characters where marks begin. A mark may begin within another one: each is looked for from
 * behind the first character of the last.
 */
export function eachMark(
  text: string,
  marks: RegExp,
  between: (text: string) => string,
  first: (character: string) => string,
): string {
  let result = ''
  let done = 0
  marks.lastIndex = 0
  for (let found = marks.exec(text); found; found = marks.exec(text)) {
    result += between(text.slice(done, found.index)) + first(text.charAt(found.index))
    done = found.index + 1
    marks.lastIndex = done
  }
  return result + between(text.slice(done))
}
