import { isRecord } from '../core/is-record.ts'
import { LegibleError } from '../core/legible-error.ts'

const known = ['tools', 'dialect', 'expect', 'reasoning', 'limits', 'onEvent']
const kinds = ['json', 'named', 'tagged', 'pythonic', 'brace', 'tool-tag']

/** Mistakes of the calling program are said at once, and not when a model writes something. */
export function checkCallOptions(options: unknown): void {
  if (!isRecord(options)) throw invalid('The options of a reader of calls are an object.')
  for (const name of Object.keys(options))
    if (!known.includes(name)) throw invalid(`There is no option "${name}". There are ${known.join(', ')}.`)
  const { tools, dialect, expect, reasoning, limits, onEvent } = options
  const isList = Array.isArray(tools) || (isRecord(tools) && Array.isArray(tools.tools))
  if (tools !== undefined && !isList) throw invalid('tools is a list of tools, or a registry.')
  if (dialect !== undefined && typeof dialect !== 'string') checkDialect(dialect)
  if (expect !== undefined && expect !== 'calls') throw invalid("expect is 'calls', or left out.")
  if (reasoning !== undefined && !['auto', 'open', 'none'].includes(reasoning as string))
    throw invalid("reasoning is 'auto', 'open' or 'none'.")
  if (limits !== undefined && !isRecord(limits)) throw invalid('limits is an object.')
  if (onEvent !== undefined && typeof onEvent !== 'function') throw invalid('onEvent is a function.')
}

/** A row of the user's own. */
function checkDialect(row: unknown): void {
  if (!isRecord(row) || typeof row.name !== 'string' || !isRecord(row.form))
    throw invalid('dialect is the name of one, or a row with a name and a form.')
  if (!kinds.includes(row.form.kind as string))
    throw invalid(`The form of the dialect ${row.name} has no kind that is known: ${kinds.join(', ')}.`)
  for (const field of ['open', 'close', 'separators', 'tokens'])
    if (row[field] !== undefined && !isTexts(row[field]))
      throw invalid(`${field} of the dialect ${row.name} is a list of texts.`)
  for (const field of ['reasoning', 'answer'])
    if (row[field] !== undefined && !(Array.isArray(row[field]) && row[field].every(isPair)))
      throw invalid(`${field} of the dialect ${row.name} is a list of pairs of texts.`)
  if (row.form.kind === 'tagged' && !isPair(row.form.parameter))
    throw invalid(
      `The form of the dialect ${row.name} needs the tags of an argument: parameter, a pair of texts.`,
    )
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((item) => typeof item === 'string' && item !== '')
const isPair = (value: unknown): boolean => Array.isArray(value) && value.length === 2 && isTexts(value)

const invalid = (problem: string) => new LegibleError('call.invalid_option', problem)
