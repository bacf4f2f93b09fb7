import type { Issue } from '../core/issue.ts'
import { defaultLimits } from '../core/limits.ts'
import type { CompiledSchema } from '../schema/compile-schema.ts'
import { fits } from '../schema/fits.ts'
import { schemaIssues } from '../schema/issues.ts'
import { pathText } from '../schema/path-text.ts'
import { coerce, startCoercion } from './coerce/coerce.ts'
import type { Coercion, Source } from './coerce/coercion.ts'

/** A value as its schema wants it, and what was done to it. */
interface Judged {
  /** It could be fitted, and the schema accepts it. */
  readonly ok: boolean
  readonly value: unknown
  readonly issues: Issue[]
  /** Issues that were too many to list. */
  readonly unlisted: number
}

export interface Fitted extends Judged {
  /** What the liberties cost: of several values in a text, the one that costs least is meant. */
  readonly cost: number
}

/**
 * What `readJson` does with a value once it has found it, for values that were found by other means: YAML, the
 * arguments of a call. The value is fitted to the shape, and the user's own schema has the last word.
 */
export function fitValue(value: unknown, schema: CompiledSchema, source: Source): Fitted {
  const coercion = startCoercion(source)
  const fitted = fits(value, schema.shape) ? value : coerce(value, schema.shape, coercion)
  return { ...judge(fitted, schema, coercion, defaultLimits.maxIssues), cost: coercion.cost }
}

/** The last word of the schema about a value that was fitted to its shape. */
export function judge(
  fitted: unknown,
  schema: CompiledSchema | undefined,
  coercion: Coercion,
  maxIssues: number,
): Judged {
  const issues = coercion.issues(maxIssues)
  const unlisted = coercion.count - issues.length
  if (!schema || (schema.exact && fits(fitted, schema.shape)))
    return { ok: !coercion.failed, value: fitted, issues, unlisted }
  const validated = schema.validate(fitted)
  if (validated.ok) return { ok: !coercion.failed, value: validated.value, issues, unlisted }
  // What could not be fitted has been said already, in better words.
  const errors = issues.filter((issue) => issue.severity === 'error')
  const said = new Set(errors.map((issue) => pathText(issue.path ?? [])))
  for (const { path, message } of validated.problems.slice(0, maxIssues)) {
    const place = pathText(path)
    if (said.has(place)) continue
    const span = coercion.source.span(coercion.origin(fitted, path))
    issues.push(schemaIssues.issue('invalid', { path: place, problem: message }, { span, path }))
  }
  return { ok: false, value: fitted, issues, unlisted }
}
