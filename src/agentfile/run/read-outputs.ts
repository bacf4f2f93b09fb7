import type { Issue } from '../../core/issue.ts'
import { readJson } from '../../json/read-json.ts'
import type { Output, Value } from './program.ts'
import { schemaOfOutputs } from './prompts.ts'

/** The fields of a reply, or what is wrong with them. */
export type OutputsRead =
  | { readonly ok: true; readonly values: Readonly<Record<string, Value>>; readonly issues: readonly Issue[] }
  | { readonly ok: false; readonly issues: readonly Issue[] }

/**
 * Reads the outputs of a goal or agent out of a reply. All of them must be there, and fit their types. A field is never
 * filled with the whole reply, however few there are.
 */
export function readOutputs(text: string, outputs: readonly Output[], whole = true): OutputsRead {
  const read = readJson(text, schemaOfOutputs(outputs))
  const { issues } = read
  const implied = issues.filter(({ code }) => code === 'json.implied_key')
  if (!read.ok || implied.length > 0 || !whole || !read.complete)
    return { ok: false, issues: issues.map((issue) => (implied.includes(issue) ? asError(issue) : issue)) }
  const found = read.value as Record<string, Value>
  // In the order of the declaration, and no more than was declared.
  return {
    ok: true,
    values: Object.fromEntries(outputs.map(({ name }) => [name, found[name] as Value])),
    issues,
  }
}

const asError = (issue: Issue): Issue => ({
  ...issue,
  severity: 'error',
  hint: `Write a JSON object with the field ${JSON.stringify(issue.params.key)}.`,
})
