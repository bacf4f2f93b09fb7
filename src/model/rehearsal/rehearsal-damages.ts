/** The ways in which a rehearsal can go wrong, each as real models do it. */
export const rehearsalDamages = [
  /** A code fence around the whole reply, or around its value. */
  'fence',
  /** Chatter before and after. */
  'prose',
  /** JSON with other quotes, keys without quotes, commas too many. */
  'quotes',
  /** The reply stops in the middle, for want of tokens. */
  'truncated',
  /** Numbers as text, one value for a list, now and then something else altogether. */
  'types',
  /** A call that is only shown, with the word EXAMPLE in its arguments. It must not run. */
  'example',
  /** `<think>…</think>` before the reply, with a draft of a call in it that says EXAMPLE. It must not run. */
  'reasoning',
  /** The connection is lost in the middle, the first time that something is asked. */
  'break',
  /** A tool that does not exist. */
  'unknown-tool',
  /** No reply at all. */
  'empty',
  /** Several of the others, by the seed. */
  'mixed',
] as const

export type RehearsalDamage = (typeof rehearsalDamages)[number]

/** What spoils a reply for good. One that was complained about is not spoiled again. */
const spoiling: readonly RehearsalDamage[] = ['fence', 'truncated', 'types', 'unknown-tool', 'empty']

const MAX_DAMAGED_IN_A_ROW = 2

/**
 * What is done to one reply. `failures`: how many replies in a row were of no use. After the first of them nothing is
 * spoiled, after the second all is well: a loop that says what is wrong gets somewhere.
 */
export function chooseDamage(
  wanted: readonly RehearsalDamage[],
  rate: number,
  failures: number,
  random: () => number,
): Set<RehearsalDamage> {
  const chosen = new Set<RehearsalDamage>()
  if (random() >= rate || failures >= MAX_DAMAGED_IN_A_ROW) return chosen
  for (const one of wanted) {
    if (one !== 'mixed') chosen.add(one)
    else for (const other of rehearsalDamages) if (other !== 'mixed' && random() < 0.25) chosen.add(other)
  }
  if (failures > 0) for (const one of spoiling) chosen.delete(one)
  return chosen
}
