import type { Issue } from '../core/issue.ts'
import type { CompiledSchema } from '../schema/compile-schema.ts'
import { fits } from '../schema/fits.ts'
import { schemaIssues } from '../schema/issues.ts'
import { pathText } from '../schema/path-text.ts'
import { coerce, startCoercion } from './coerce/coerce.ts'
import type { Source } from './coerce/coercion.ts'

/** A value as its schema wants it, and what was done to it. */
export interface Fitted {
  /** No issue is an error. */
  readonly ok: boolean
  readonly value: unknown
  readonly issues: Issue[]
  /** What the liberties cost: of several values in a text, the one that costs least is meant. */
  readonly cost: number
}

/**
 * What `readJson` does with a value once it has found it, for values that were found by other means: YAML, the
 * arguments of a call. The value is fitted to the shape, and the user's own schema has the last word.
 */
export function fitValue(value: unknown, schema: CompiledSchema, source: Source): Fitted {
  const { shape } = schema
  if (fits(value, shape) && schema.exact) return { ok: true, value, issues: [], cost: 0 }
  const coercion = startCoercion(source)
  const fitted = fits(value, shape) ? value : coerce(value, shape, coercion)
  const issues = coercion.issues()
  let result = fitted
  if (!(schema.exact && fits(fitted, shape))) {
    const validated = schema.validate(fitted)
    if (validated.ok) result = validated.value
    else
      for (const { path, message } of validated.problems) {
        // What could not be fitted has been said already, in better words.
        if (issues.some((issue) => issue.severity === 'error' && samePath(issue.path, path))) continue
        const span = source.span(coercion.origin(fitted, path))
        issues.push(schemaIssues.issue('invalid', { path: pathText(path), problem: message }, { span, path }))
      }
  }
  const ok = !issues.some((issue) => issue.severity === 'error')
  return { ok, value: result, issues, cost: coercion.cost }
}

function samePath(a: readonly PropertyKey[] | undefined, b: readonly PropertyKey[]): boolean {
  return a !== undefined && a.length === b.length && a.every((key, i) => key === b[i])
}
