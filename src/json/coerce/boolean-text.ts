import { isNegation } from './enum-text.ts'
import { foldWords } from './fold.ts'

const yes = new Set(['true', 'yes', 'y', 'on', '1', 'correct', 'ja', 'oui', 'si'])
const no = new Set(['false', 'no', 'n', 'off', '0', 'incorrect', 'untrue', 'nein', 'non'])
const proseYes = new Set(['true', 'yes', 'correct'])
const proseNo = new Set(['false', 'no', 'untrue', 'incorrect'])

/** Whether a text says yes or no; nothing when it says both, or neither. */
export function booleanInText(text: string): boolean | undefined {
  const words = foldWords(text)
  if (words.length === 1)
    return yes.has(words[0] as string) ? true : no.has(words[0] as string) ? false : undefined
  let found: boolean | undefined
  for (const [i, word] of words.entries()) {
    const value = proseYes.has(word) ? true : proseNo.has(word) ? false : undefined
    if (value === undefined) continue
    // "not true" is false, but "no" itself is no denial of what follows it.
    const said =
      i > 0 && word !== 'no' && words[i - 1] !== 'no' && isNegation(words[i - 1] as string) ? !value : value
    if (found !== undefined && found !== said) return undefined
    found = said
  }
  return found
}
