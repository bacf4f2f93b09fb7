import { closestName } from '../../core/closest-name.ts'
import { LegibleError } from '../../core/legible-error.ts'
import { readJson } from '../../json/read-json.ts'
import type { Schema } from '../../schema/schema.ts'
import type { Program, Value } from './program.ts'

/**
 * The inputs of a run: those that were given, those that the file has defaults for. Text is read as what the file says
 * that the input is. Throws a LegibleError that says all that is wrong.
 */
export function readInputs(program: Program, given: Readonly<Record<string, unknown>>): Map<string, Value> {
  const problems: string[] = []
  const names = program.inputs.map(({ name }) => name)
  for (const name of Object.keys(given)) {
    if (names.includes(name)) continue
    const meant = closestName(name, names)
    const others = names.length === 0 ? 'there are none' : `there are: ${names.join(', ')}`
    problems.push(`there is no input ${JSON.stringify(name)}; ${meant ? `did you mean ${meant}?` : others}`)
  }
  const values = new Map<string, Value>()
  for (const { name, schema, default: otherwise } of program.inputs) {
    const value = Object.hasOwn(given, name) ? given[name] : otherwise
    if (value === undefined) {
      problems.push(`the input ${name} is missing`)
      continue
    }
    const read = schema === true ? { ok: true, value, issues: [] } : fitted(value, schema as Schema)
    if (read.ok) values.set(name, read.value as Value)
    else problems.push(`the input ${name}: ${read.issues.map(({ message }) => message).join('; ')}`)
  }
  if (problems.length > 0) throw new LegibleError('agentfile.invalid_input', `${problems.join('\n')}`)
  return values
}

/** `3`, `[1, 2]` and `yes` come as text from a command line; a text stays one, also if it looks like JSON. */
function fitted(value: unknown, schema: Schema) {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  const isText =
    (schema as { type?: unknown; format?: unknown }).type === 'string' || 'enum' in (schema as object)
  return readJson(isText ? JSON.stringify(value) : text, schema)
}
