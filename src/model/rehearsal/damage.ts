import { randomNumbers } from '../../core/random-numbers.ts'

/** The ways in which models damage JSON, in the order in which they are applied. */
export const damages = [
  /** `'text'`. */
  'single-quotes',
  /** `“text”`. */
  'curly-quotes',
  /** `` `text` ``. */
  'back-quotes',
  /** `{key: 1}`, for keys that are one word, and no endless one. */
  'unquoted-keys',
  /** `[1, 2,]`. */
  'trailing-commas',
  /** No comma at the end of a line; only when pretty. */
  'missing-commas',
  /** Comments of lines and of blocks. */
  'comments',
  /** Line breaks in strings as they are, instead of `\n`. */
  'raw-newlines',
  /** Quotes in strings as they are, instead of `\"`, where a word follows them. */
  'inner-quotes',
  /** `True`, `False`, `None`. */
  'python-words',
  /** A code fence around the value. */
  'fence',
  /** A sentence before the value, without brackets. */
  'prose-before',
  /** A sentence after the value, without brackets. */
  'prose-after',
  /** Sentences around the value with `[1]` and `[links](…)`. */
  'footnotes',
  /** `<think>` with another value in it before everything else. */
  'reasoning',
  /** The end is missing. */
  'truncation',
] as const

export type Damage = (typeof damages)[number]

export interface DamageOptions {
  /** The same seed gives the same text; 1 unless said otherwise. */
  readonly seed?: number
  /** Which ways; all that are named are applied together. One way, chosen by the seed, unless said otherwise. */
  readonly damages?: readonly Damage[]
  /** On several lines, with indentation; chosen by the seed unless said otherwise. */
  readonly pretty?: boolean
  /** All that can be damaged is, not only some of it; chosen by the seed unless said otherwise. */
  readonly everywhere?: boolean
  /** Where `truncation` cuts, as an offset in the text; within the value, by the seed, unless said otherwise. */
  readonly cutAt?: number
}

export interface Damaged {
  readonly text: string
  /** The ways that found something to damage: a list of numbers has no keys to unquote. */
  readonly damages: readonly Damage[]
  /** A tolerant reader must give back the original value: everything that was damaged has only one meaning. */
  readonly exact: boolean
}

/**
 * Writes a JSON value as a careless model would: for tests of whatever reads model output.
 *
 *     damage({ city: 'Oslo' }, { damages: ['single-quotes'], pretty: false, everywhere: true })
 *     // { text: "{'city':'Oslo'}", damages: ['single-quotes'], exact: true }
 *
 * What is applied stays unambiguous, so that `exact` is true as often as possible: a comma is left out only where
 * the next value shows that it is missing, a quote is left unescaped only where it cannot be the end of its string.
 */
export function damage(value: unknown, options: DamageOptions = {}): Damaged {
  const random = randomNumbers(options.seed ?? 1)
  const pretty = options.pretty ?? random() < 0.5
  const wanted = new Set<Damage>(options.damages ?? [pick(damages, random)])
  const everywhere = options.everywhere ?? random() < 0.5
  const writer = new Writer(wanted, pretty, everywhere ? 1 : 0.4, random)
  const body = writer.write(value, '')
  const { before, after, marks } = surroundings(wanted, random)
  for (const mark of marks) writer.marks.add(mark)

  const whole = before + body + after
  const end = before.length + body.length
  let text = whole
  if (wanted.has('truncation')) {
    const cut = options.cutAt ?? before.length + 1 + Math.floor(random() * (body.length - 1))
    text = whole.slice(0, Math.max(0, cut))
    if (text.length < whole.length) writer.marks.add('truncation')
  }
  const exact = text.length >= end && isExact(value, writer.marks)
  return { text, damages: damages.filter((way) => writer.marks.has(way)), exact }
}

/** Whether prose leaves no doubt which value is meant. */
function isExact(value: unknown, marks: ReadonlySet<Damage>): boolean {
  if (typeof value !== 'object' || value === null) return [...marks].every((mark) => mark === 'fence')
  if (marks.has('fence') || !marks.has('footnotes')) return true
  // [1] beside a list of numbers: which of them is the footnote?
  const members = Object.values(value)
  if (members.length === 0) return false
  return !Array.isArray(value) || members.some((member) => typeof member === 'object')
}

interface Surroundings {
  readonly before: string
  readonly after: string
  readonly marks: readonly Damage[]
}

const openings = [
  'Sure! Here is what you asked for:\n',
  "I've read the mail; it's the customer's second one. The result: ",
  'Based on the "quarterly" report, this is my answer.\n\n',
  'Voilà, c’est prêt :\n',
]
const closings = [
  '\n\nLet me know if anything isn\'t clear, or if "more" is needed!',
  '\nHope this helps.',
  ' Stimmt das so?',
]
const openingNotes = [
  'The harbour froze twice [1], as [the almanac](https://example.org/a?b=1) says.\n',
  'See [2] and [3, 4] for the numbers.\n\n',
]
const closingNotes = [
  '\n\n[1] Almanac, p. 12\n[2] ibid.',
  '\nSources: [4, 8], [the policy](https://example.org).',
]
const thoughts = [
  '<think>\nMaybe {"draft": true, "n": [1, 2]}? No, that is not it.\n</think>\n',
  '<thinking>First idea: [{"draft": 1}]. Better to look again.</thinking>\n\n',
]

function surroundings(wanted: ReadonlySet<Damage>, random: () => number): Surroundings {
  let before = ''
  let after = ''
  if (wanted.has('fence')) {
    const mark = pick(['```', '```', '~~~'], random)
    before = `${mark}${pick(['json', 'json', ''], random)}\n`
    after = `\n${mark}`
  }
  // A fence begins on a line of its own.
  const line = (text: string) => (wanted.has('fence') ? `${text.trimEnd()}\n` : text)
  if (wanted.has('footnotes')) {
    before = line(pick(openingNotes, random)) + before
    after += pick(closingNotes, random)
  }
  if (wanted.has('prose-before')) before = line(pick(openings, random)) + before
  if (wanted.has('prose-after')) after += `${after.endsWith('~~~') ? '\n' : ''}${pick(closings, random)}`
  if (wanted.has('reasoning')) before = pick(thoughts, random) + before
  const around: Damage[] = ['fence', 'footnotes', 'prose-before', 'prose-after', 'reasoning']
  return { before, after, marks: around.filter((way) => wanted.has(way)) }
}

/** One quote and how its content is written, if it can be. */
interface Quotes {
  readonly way: Damage
  readonly open: string
  readonly close: string
  readonly fits: (text: string) => boolean
}

const quotes: readonly Quotes[] = [
  { way: 'single-quotes', open: "'", close: "'", fits: () => true },
  { way: 'curly-quotes', open: '“', close: '”', fits: (text) => !/[“”]/.test(text) },
  { way: 'back-quotes', open: '`', close: '`', fits: (text) => text !== '' && !text.includes('`') },
]

const lineComments = ['// as in the mail', '# to be checked', '// e.g. {"a": [1]}, \'x\'', '// ✓']
const blockComments = ['/* required */', '/* "id", see [2] */', '/* * */']

/** Writes a value with the damages that lie within it. */
class Writer {
  /** The damages that were done. */
  readonly marks = new Set<Damage>()
  private readonly wanted: ReadonlySet<Damage>
  private readonly pretty: boolean
  private readonly random: () => number
  /** How much of what can be damaged is. */
  private readonly share: number

  constructor(wanted: ReadonlySet<Damage>, pretty: boolean, share: number, random: () => number) {
    this.wanted = wanted
    this.pretty = pretty
    this.random = random
    this.share = share
  }

  write(value: unknown, indent: string): string {
    if (typeof value === 'string') return this.string(value, true)
    if (typeof value !== 'object' || value === null) return this.word(value)
    const array = Array.isArray(value)
    const inner = `${indent}  `
    const items = array
      ? value.map((item) => this.write(item, inner))
      : Object.entries(value).map(([key, item]) => this.key(key) + this.write(item, inner))
    const [open, close] = array ? '[]' : '{}'
    if (items.length === 0) return `${open}${close}`
    const lead = this.pretty ? `\n${inner}` : ''
    let text = open as string
    for (const [i, item] of items.entries()) {
      const comment = this.damages('comments') ? `${pick(blockComments, this.random)} ` : ''
      text += `${lead}${comment}${item}${this.separator(item, items[i + 1], array)}`
    }
    return `${text}${this.pretty ? `\n${indent}` : ''}${close}`
  }

  private damages(way: Damage): boolean {
    if (!this.wanted.has(way) || this.random() >= this.share) return false
    this.marks.add(way)
    return true
  }

  /** What stands between an item and the next one, or the end. */
  private separator(item: string, next: string | undefined, array: boolean): string {
    let text = ','
    if (next === undefined) text = this.damages('trailing-commas') ? ',' : ''
    else if (this.pretty && this.showsMissingComma(item, next, array) && this.damages('missing-commas'))
      text = ''
    return this.pretty && this.damages('comments') ? `${text} ${pick(lineComments, this.random)}` : text
  }

  /** Whether two items on two lines are two without a comma between them. */
  private showsMissingComma(item: string, next: string, array: boolean): boolean {
    const plain = /^["'“`{[]/.test(next)
    // In prose a word that follows nothing is a sign that the brackets were no JSON.
    const inProse = !this.wanted.has('fence') && /prose-before|footnotes/.test([...this.wanted].join())
    if (inProse && !plain) return false
    return !array || plain || !/["'”`]$/.test(item)
  }

  private key(key: string): string {
    const colon = this.pretty ? ': ' : ':'
    if (/^[A-Za-z_$][\w$]{0,60}$/.test(key) && this.damages('unquoted-keys')) return key + colon
    return this.string(key, false) + colon
  }

  private string(text: string, isValue: boolean): string {
    const [other] = quotes
      .filter(({ way, fits }) => this.wanted.has(way) && fits(text))
      .map((found) => ({ found, order: this.random() }))
      .sort((a, b) => a.order - b.order)
    let inner = JSON.stringify(text).slice(1, -1)
    if (/\n/.test(text) && this.damages('raw-newlines'))
      inner = inner.replace(/\\(.)/g, (found, c) => (c === 'n' ? '\n' : found))
    if (other && this.damages(other.found.way)) {
      const { open, close } = other.found
      if (open === "'") inner = inner.replace(/\\(.)|'/gs, (found, c) => (c === '"' ? c : c ? found : "\\'"))
      return open + inner + close
    }
    // A quote before a word ends nothing: "the "new" flat"; the second one is not touched if the string ends there.
    const loose = inner.replace(/\\(.)(?= ?([A-Za-z])?)/gs, (found, c, word) =>
      c === '"' && word ? c : found,
    )
    return `"${isValue && loose !== inner && this.damages('inner-quotes') ? loose : inner}"`
  }

  private word(value: unknown): string {
    const text = JSON.stringify(value) ?? 'null'
    const python = { true: 'True', false: 'False', null: 'None' }[text]
    return python && this.damages('python-words') ? python : text
  }
}

function pick<T>(list: readonly T[], random: () => number): T {
  return list[Math.floor(random() * list.length)] as T
}
