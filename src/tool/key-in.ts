import { fold } from '../json/coerce/fold.ts'

/** No key that is looked for is longer. */
export const LONGEST = 40

/** The key of an object that is one of these folded words, however it is spelled; the first word there is wins. */
export function keyIn(value: Record<string, unknown>, words: readonly string[]): string | undefined {
  const keys = Object.keys(value).filter((key) => key.length < LONGEST)
  for (const word of words) {
    const key = keys.find((one) => fold(one) === word)
    if (key !== undefined) return key
  }
  return undefined
}
