import type { Dialect } from '../dialects/dialect.ts'
import { rowToWrite } from '../dialects/write/row-to-write.ts'
import { type ResultToWrite, writeResults } from '../dialects/write/write-results.ts'

/**
 * Writes the results of calls as the models of a dialect are used to get them. Where the template has a role for
 * results, it is written as well; where they stand in a message of the user, that is left to you. Content cannot leave
 * its place: a mark of the dialect in it gets a backslash behind its first character.
 */
export function formatToolResults(
  results: readonly ResultToWrite[],
  options: { readonly dialect: string | Dialect },
): string {
  return writeResults(results, rowToWrite(options.dialect))
}
