/** Longer names are compared by their beginnings. */
const LONGEST = 64

/** Of several names the one that was probably meant, if one is near: for suggestions, never for choosing. */
export function closestName(name: string, names: Iterable<string>): string | undefined {
  const asked = name.slice(0, LONGEST).toLowerCase()
  let best: string | undefined
  // A third of the letters may be wrong, but of a short name no more than one.
  let fewest = Math.max(1, Math.floor(asked.length / 3)) + 1
  for (const one of names) {
    const edits = editsBetween(asked, one.slice(0, LONGEST).toLowerCase())
    if (edits >= fewest) continue
    best = one
    fewest = edits
  }
  return best
}

/** How many letters must be added, left out, replaced or swapped with their neighbour to make one of the other. */
function editsBetween(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let edits = Math.min(row[j - 1]! + 1, last[j]! + 1, last[j - 1]! + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        edits = Math.min(edits, beforeLast[j - 2]! + 1)
      row.push(edits)
    }
    beforeLast = last
    last = row
  }
  return last[b.length]!
}
