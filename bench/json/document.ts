import { type Random, randomFrom } from '../random.ts'

/** A finding as a model would report it: nested objects, short and long strings, numbers, booleans, nulls. */
export interface Finding {
  id: number
  title: string
  category: 'pricing' | 'delivery' | 'quality' | 'support' | 'other'
  score: number
  verified: boolean
  reviewer: string | null
  place: { city: string; country: string; position: { lat: number; lon: number } }
  tags: string[]
  summary: string
  steps: { order: number; action: string; minutes: number | null }[]
}

/** Findings that take about `characters` as indented JSON. The same arguments always give the same ones. */
export function makeFindings(characters: number, seed = 1): Finding[] {
  const random = randomFrom(seed)
  const findings: Finding[] = []
  let length = 2
  while (length < characters - 200) {
    const finding = makeFinding(findings.length, random)
    findings.push(finding)
    length += JSON.stringify([finding], null, 2).length
  }
  return findings
}

function makeFinding(index: number, random: Random): Finding {
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!
  const upTo = (n: number) => Math.floor(random() * n)
  const [city, country] = pick(cities)
  return {
    id: 1000 + index,
    title: `${capital(pick(qualities))} ${pick(things)} ${pick(['in', 'near', 'for', 'after'])} ${pick(things)}`,
    category: pick(['pricing', 'delivery', 'quality', 'support', 'other'] as const),
    score: Number(random().toFixed(3)),
    verified: random() < 0.6,
    reviewer: random() < 0.3 ? null : pick(people),
    place: {
      city,
      country,
      position: {
        lat: Number((random() * 180 - 90).toFixed(4)),
        lon: Number((random() * 360 - 180).toFixed(4)),
      },
    },
    tags: Array.from({ length: 1 + upTo(4) }, () => pick(things)),
    summary: makeSummary(index, pick, upTo),
    steps: Array.from({ length: upTo(3) }, (_, i) => ({
      order: i + 1,
      action: `${capital(pick(verbs))} the ${pick(things)}`,
      minutes: random() < 0.25 ? null : 5 * (1 + upTo(12)),
    })),
  }
}

/**
 * Sentences with what makes strings hard to read: quotes, line breaks, apostrophes, typographic characters.
 * The first summary of a document has all of them, so that short documents are no easier than long ones.
 */
function makeSummary(index: number, pick: <T>(list: readonly T[]) => T, upTo: (n: number) => number): string {
  const first = index === 0
  const sentences: string[] = []
  const count = first ? 4 : 1 + upTo(5)
  for (let i = 0; i < count; i++) {
    const special = first ? i : upTo(9)
    const thing = pick(things)
    const other = pick(things)
    if (special === 0)
      sentences.push(`The so-called "${pick(qualities)} ${thing}" was reported by ${pick(people)}.`)
    else if (special === 1)
      sentences.push(`It didn't change the ${thing} — not even with ${pick(qualities)} ${other}.`)
    else if (special === 2)
      sentences.push(`Next time:\n- ${pick(verbs)} the ${thing}\n- ${pick(verbs)} the ${other}`)
    else if (special === 3)
      sentences.push(`${capital(pick(people))} wrote "${pick(verbs)} the ${thing}", then called again.`)
    else
      sentences.push(
        `${capital(pick(people))} says that ${pick(qualities)} ${thing} will ${pick(verbs)} every ${other}.`,
      )
  }
  return sentences.join(' ')
}

function capital(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1)
}

const qualities = [
  'cold',
  'late',
  'missing',
  'unusually fast',
  'second-hand',
  'reliable',
  'damaged',
  'hidden',
  'weekly',
]
const things = [
  'invoice',
  'parcel',
  'refund',
  'delivery window',
  'manual',
  'warranty',
  'battery',
  'display',
  'call',
]
const verbs = ['check', 'replace', 'measure', 'return', 'describe', 'compare', 'repeat', 'cancel']
const people = ['Amara Okafor', 'Jonas Lindqvist', 'Mei Tanaka', 'Rosa Delgado', 'Peter', 'the night shift']
const cities = [
  ['Lisbon', 'Portugal'],
  ['Nagoya', 'Japan'],
  ['Córdoba', 'Argentina'],
  ['Leeds', 'United Kingdom'],
  ['Accra', 'Ghana'],
] as const
