import { table } from './readme.ts'

export interface Target {
  what: string
  limit: number
  unit: 'x' | '' | ' MB'
  /** The figures that must all stay within the limit; the worst is shown. */
  figures: string[]
}

/** The targets of which all figures were measured in this run. */
export function showTargets(targets: Target[], figures: Map<string, number>): string {
  const rows: string[][] = []
  for (const { what, limit, unit, figures: names } of targets) {
    const found = names.map((name) => figures.get(name))
    const measured = found.filter((figure) => figure !== undefined)
    if (measured.length === 0) continue
    const worst = Math.max(...measured)
    const digits = unit === '' ? 2 : worst < 10 ? 2 : 1
    const verdict = worst > limit ? 'not met' : measured.length < names.length ? 'met where measured' : 'met'
    // A reading that is not right has no figure, and meets no target.
    const shown = !Number.isFinite(worst)
      ? 'not right'
      : worst < 0.005
        ? `< 0.01${unit}`
        : `${worst.toFixed(digits)}${unit}`
    rows.push([what, `≤ ${limit}${unit}`, shown, verdict])
  }
  return table(['target', 'limit', 'measured', 'verdict'], rows)
}
