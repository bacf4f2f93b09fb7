import { LegibleError } from '../core/legible-error.ts'
import type { Dialect } from './dialect.ts'
import { dialects } from './dialects.ts'

const alone = new WeakMap<Dialect, readonly Dialect[]>()

/** The rows that are meant: one by its name, a row of the user's own, or all there are. */
export function findDialect(dialect: string | Dialect): readonly Dialect[] {
  if (dialect === 'auto') return dialects
  const row = typeof dialect === 'string' ? dialects.find(({ name }) => name === dialect) : dialect
  if (!row)
    throw new LegibleError(
      'call.unknown_dialect',
      `There is no dialect ${JSON.stringify(dialect)}. There are auto, ${dialects.map(({ name }) => name).join(', ')}.`,
    )
  // The same list each time: what is made of it is remembered by it.
  const rows = alone.get(row) ?? [row]
  alone.set(row, rows)
  return rows
}
