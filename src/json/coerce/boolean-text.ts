import { isNegation } from './enum-text.ts'
import { foldWords } from './fold.ts'

const yes = new Set(['true', 'yes', 'y', 'on', '1', 'correct', 'ja', 'oui', 'si'])
const no = new Set(['false', 'no', 'n', 'off', '0', 'incorrect', 'untrue', 'nein', 'non'])

// In a sentence only these words answer, and only where a judgement stands: alone, or at the end of a clause.
const judgements: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['correct', true],
  ['false', false],
  ['untrue', false],
  ['incorrect', false],
])

/** Whether a text says yes or no; nothing when it says both, or neither. */
export function booleanInText(text: string): boolean | undefined {
  if (foldWords(text).length === 1) return answer(foldWords(text)[0] as string)
  const said = new Set<boolean>()
  for (const clause of text.slice(-2000).split(/[.,;:!?()\n—–]+/)) {
    const words = foldWords(clause)
    const last = words.at(-1)
    if (last === undefined) continue
    // "no idea" says nothing, "No, …" does.
    const value = words.length === 1 && /^(?:yes|no)$/.test(last) ? last === 'yes' : judgements.get(last)
    if (value === undefined) continue
    // "true or false" is a question.
    if (words.some((word) => judgements.get(word) === !value)) return undefined
    said.add(words.slice(-4, -1).some(isNegation) ? !value : value)
  }
  return said.size === 1 ? [...said][0] : undefined
}

const answer = (word: string) => (yes.has(word) ? true : no.has(word) ? false : undefined)
