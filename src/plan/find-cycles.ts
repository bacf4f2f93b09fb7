/** For each knot of steps that wait for each other, one cycle in it: each step waits for the next, the last for the first. */
export function findCycles(needs: ReadonlyMap<string, readonly string[]>): string[][] {
  const cycles: string[][] = []
  const told = new Set<string>()
  const left = new Set<string>()
  /** The steps from which the search came here. */
  const trail = new Map<string, number>()

  const visit = (id: string): void => {
    trail.set(id, trail.size)
    for (const next of needs.get(id) ?? []) {
      const from = trail.get(next)
      if (from !== undefined) {
        const cycle = [...trail.keys()].slice(from)
        if (cycle.some((one) => told.has(one))) continue
        for (const one of cycle) told.add(one)
        cycles.push(cycle)
      } else if (needs.has(next) && !left.has(next)) visit(next)
    }
    trail.delete(id)
    left.add(id)
  }
  for (const id of needs.keys()) if (!left.has(id)) visit(id)
  return cycles
}
