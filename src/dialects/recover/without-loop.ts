/** A list that closes may well ask for the same thing this often. */
const LONGEST_LIST = 16

/** As often as this, and the model has lost its way. */
const ROUNDS = 3

/**
 * The indices of what is kept of a row of calls: all, unless the same ones come round and round; then each of them
 * once. `closed`: they stand in one list, and it ends.
 */
export function withoutLoop(keys: readonly string[], closed: boolean): number[] {
  const first = new Map<string, number>()
  for (const [index, key] of keys.entries()) if (!first.has(key)) first.set(key, index)
  const all = keys.map((_, index) => index)
  if (keys.length < 2 * ROUNDS || first.size * ROUNDS > keys.length) return all
  return closed && keys.length <= LONGEST_LIST ? all : [...first.values()]
}
