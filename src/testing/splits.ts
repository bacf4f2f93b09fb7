import { randomNumbers } from '../core/random-numbers.ts'

/**
 * Ways in which a text may arrive: character by character, and cut at random places. A reader that is right gives
 * the same for each of them. The same seed gives the same cuts.
 */
export function splits(text: string, seed = 1, count = 3): string[][] {
  const random = randomNumbers(seed)
  const ways = [text.split('')]
  for (let i = 0; i < count; i++) ways.push(cut(text, random))
  return ways
}

function cut(text: string, random: () => number): string[] {
  const most = 1 + Math.floor(random() * 24)
  const chunks: string[] = []
  for (let at = 0; at < text.length; ) {
    const size = Math.floor(random() * (most + 1))
    chunks.push(text.slice(at, at + size)) // now and then an empty chunk, as real streams have them
    at += size
  }
  return chunks
}
