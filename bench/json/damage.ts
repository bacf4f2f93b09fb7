import { flat } from '../chunks.ts'
import type { Finding } from './document.ts'

/** What models do to JSON, one by one. */
export const damages = {
  fence: 'fence and prose',
  commas: 'trailing commas',
  quotes: 'single quotes',
  keys: 'unquoted keys',
  newlines: 'raw newlines',
  inner: 'inner quotes',
  cut: 'truncated',
} as const
export type Damage = keyof typeof damages
export const everyDamage = Object.keys(damages) as Damage[]

/** A damaged text, and the value that a perfect reader finds in it. */
export interface Case {
  text: string
  expected: unknown
}

// A private-use character marks where the text ends; it stands in no document.
const cutMark = '\uE000'

/** Writes the findings as indented JSON that has the damages. */
export function writeDamaged(findings: Finding[], kinds: Iterable<Damage>): Case {
  const has = new Set(kinds)
  if (!has.has('cut')) return { text: flat(wrap(writeValue(findings, '', has), has)), expected: findings }
  const { marked, expected } = markCut(findings)
  const text = wrap(writeValue(marked, '', has), has)
  return { text: flat(text.slice(0, text.indexOf(cutMark))), expected }
}

/** The text ends within the summary of a late finding: what stood before is expected, half the summary too. */
function markCut(findings: Finding[]): { marked: Finding[]; expected: unknown } {
  const last = Math.floor(findings.length * 0.95)
  const { steps: _, ...finding } = findings[last]!
  // Cut within a word: whether a space or a quote at the end belongs to the string is nobody's mistake.
  let at = finding.summary.length >> 1
  while (!/^[a-z]{2}/i.test(finding.summary.slice(at - 1))) at--
  const expected = [...findings.slice(0, last), { ...finding, summary: finding.summary.slice(0, at) }]
  const marked = findings.slice(0, last + 1)
  marked[last] = { ...findings[last]!, summary: finding.summary.slice(0, at) + cutMark }
  return { marked, expected }
}

function wrap(json: string, has: Set<Damage>): string {
  if (!has.has('fence')) return json
  return `I looked at every report. Here is what I found:\n\n\`\`\`json\n${json}\n\`\`\`\n\nTell me if any of it should be checked again.`
}

/** Like JSON.stringify(value, null, 2), with the damages. */
function writeValue(value: unknown, indent: string, has: Set<Damage>): string {
  if (typeof value === 'string') return writeString(value, has)
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const deeper = `${indent}  `
  const items = Array.isArray(value)
    ? value.map((item) => deeper + writeValue(item, deeper, has))
    : Object.entries(value).map(
        ([key, item]) =>
          `${deeper}${has.has('keys') ? key : writeString(key, has)}: ${writeValue(item, deeper, has)}`,
      )
  const [open, close] = Array.isArray(value) ? '[]' : '{}'
  if (items.length === 0) return `${open}${close}`
  return `${open}\n${items.join(',\n')}${has.has('commas') ? ',' : ''}\n${indent}${close}`
}

function writeString(value: string, has: Set<Damage>): string {
  // Single quotes as Python writes them: not around a string that has an apostrophe. A string whose inner quotes
  // are to stay unescaped keeps double quotes around it, or the damage would be none.
  const single = has.has('quotes') && !value.includes("'") && !(has.has('inner') && value.includes('"'))
  let written = JSON.stringify(value).slice(1, -1)
  if (single || has.has('inner')) written = written.replaceAll('\\"', '"')
  if (has.has('newlines')) written = written.replaceAll('\\n', '\n')
  return single ? `'${written}'` : `"${written}"`
}
