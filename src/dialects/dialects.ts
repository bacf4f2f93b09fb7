import type { Dialect } from './dialect.ts'
import { jsonRows } from './rows/json-rows.ts'
import { literalRows, plainRows } from './rows/literal-rows.ts'
import { namedRows } from './rows/named-rows.ts'
import { taggedRows } from './rows/tagged-rows.ts'

/** Every dialect there is a row for. */
export const dialects: readonly Dialect[] = [
  ...jsonRows,
  ...namedRows,
  ...taggedRows,
  ...literalRows,
  ...plainRows,
]
