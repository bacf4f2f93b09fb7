import { table } from './readme.ts'

interface Measured {
  what: string
  unit: 'x' | '' | ' MB' | ' ms' | '%' | ' rows' | '/s'
  /** The figures that must all keep to the limit; the worst is shown. */
  figures: string[]
}

/** What may not be exceeded, or what must at least be reached. */
export type Target = Measured & ({ limit: number; least?: never } | { least: number; limit?: never })

/** The targets of which all figures were measured in this run. */
export function showTargets(targets: Target[], figures: Map<string, number>): string {
  const rows: string[][] = []
  for (const { what, limit, least, unit, figures: names } of targets) {
    const found = names.map((name) => figures.get(name))
    const measured = found.filter((figure) => figure !== undefined)
    if (measured.length === 0) continue
    const worst = limit === undefined ? Math.min(...measured) : Math.max(...measured)
    const met = limit === undefined ? worst >= least : worst <= limit
    const verdict = !met ? 'not met' : measured.length < names.length ? 'met where measured' : 'met'
    const bound = limit === undefined ? `≥ ${least}${unit}` : `≤ ${limit}${unit}`
    rows.push([what, bound, shown(worst, unit), verdict])
  }
  return table(['target', 'limit', 'measured', 'verdict'], rows)
}

function shown(figure: number, unit: Measured['unit']): string {
  // A reading that is not right has no figure, and meets no target.
  if (!Number.isFinite(figure)) return 'not right'
  if (unit === '/s') return `${Math.round(figure).toLocaleString('en')}${unit}`
  if (unit === ' rows') return `${figure}${unit}`
  if (figure < 0.005 && unit !== '%') return `< 0.01${unit}`
  return `${figure.toFixed(unit === '' || unit === '%' || figure < 10 ? 2 : 1)}${unit}`
}
