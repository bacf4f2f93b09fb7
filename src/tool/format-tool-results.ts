import { isRecord } from '../core/is-record.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { Dialect } from '../dialects/dialect.ts'
import { rowToWrite } from '../dialects/write/row-to-write.ts'
import { type ResultToWrite, writeResults } from '../dialects/write/write-results.ts'

/** What a call came to: as text, or the output of a tool as it is in `raw.results` of a tool chain. */
export type ToolResultToWrite =
  | ResultToWrite
  | { readonly id?: string | undefined; readonly name: string; readonly output: unknown }

/**
 * Writes the results of calls as the models of a dialect are used to get them. Where the template has a role for
 * results, it is written as well; where they stand in a message of the user, that is left to you. Content cannot leave
 * its place: a mark of the dialect in it gets a backslash behind its first character.
 */
export function formatToolResults(
  results: readonly ToolResultToWrite[],
  options: { readonly dialect: string | Dialect },
): string {
  if (!Array.isArray(results)) throw invalid('The results of calls are a list.')
  return writeResults(results.map(asText), rowToWrite(options.dialect))
}

function asText(result: ToolResultToWrite): ResultToWrite {
  if (!isRecord(result) || typeof result.name !== 'string')
    throw invalid('A result has the name of its tool, and content or output.')
  const { id, name } = result
  if (id !== undefined && typeof id !== 'string') throw invalid(`The id of the result of ${name} is no text.`)
  const content = 'content' in result ? result.content : textOf(result.output)
  if (typeof content !== 'string')
    throw invalid(`The result of ${name} has no content that is text, and no output.`)
  return { id, name, content }
}

function textOf(output: unknown): unknown {
  if (typeof output === 'string') return output
  try {
    return JSON.stringify(output)
  } catch {
    return undefined
  }
}

const invalid = (problem: string) => new LegibleError('call.invalid_result', problem)
