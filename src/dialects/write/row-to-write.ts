import { LegibleError } from '../../core/legible-error.ts'
import type { Dialect } from '../dialect.ts'
import { dialects } from '../dialects.ts'
import { findDialect as rowsOf } from '../find-dialect.ts'

/** The one row that is meant. Whoever writes has to choose: `auto` is a way to read. */
export function rowToWrite(dialect: string | Dialect): Dialect {
  const [row] = dialect === 'auto' ? [] : rowsOf(dialect)
  if (row) return row
  throw new LegibleError(
    'call.unknown_dialect',
    `Writing needs one dialect, not "auto". There are ${dialects.map(({ name }) => name).join(', ')}.`,
  )
}
