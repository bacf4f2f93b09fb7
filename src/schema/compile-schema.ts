import { type Schema as CheckedSchema, Validator } from '@cfworker/json-schema'
import { LegibleError } from '../core/legible-error.ts'
import { copySchema, invalid } from './copy-schema.ts'
import { explainErrors } from './explain-errors.ts'
import { jsonSchemaOf } from './json-schema-of.ts'
import { closest, expectedGot, type Problem, valueAt } from './problem.ts'
import {
  type Infer,
  isStandardSchema,
  type JsonSchema,
  type Schema,
  type StandardIssue,
  type StandardSchema,
} from './schema.ts'
import type { Shape } from './shape.ts'
import { buildShape } from './shape-of.ts'

type Validated<T = unknown> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** A schema, ready to read with. */
export interface CompiledSchema<T = unknown> {
  readonly shape: Shape
  /**
   * True when a value that `fits` the shape needs no `validate`. Never so for a schema library: it may transform,
   * and may check more than its JSON Schema shows.
   */
  readonly exact: boolean
  /** The user's own schema has the last word. The value may be another one than was given. */
  validate(value: unknown): Validated<T>
}

const compiled = new WeakMap<object, CompiledSchema>()

/** Made once for each schema object. Throws a LegibleError when the schema is broken. */
export function compileSchema<S extends Schema>(schema: S): CompiledSchema<Infer<S>>
export function compileSchema(schema: Schema): CompiledSchema {
  if (typeof schema === 'boolean') return compile(schema)
  let found = compiled.get(schema)
  if (!found) {
    found = compile(schema)
    compiled.set(schema, found)
  }
  return found
}

function compile(schema: Schema): CompiledSchema {
  const standard = isStandardSchema(schema)
  const json = jsonSchemaOf(schema, true)
  const shape = buildShape(copySchema(json, true), standard)
  return {
    shape,
    exact: shape.exact && !standard,
    validate: standard ? (value) => askLibrary(schema, value) : jsonValidator(json),
  }
}

/** A check or transform of the schema may throw because of what the model wrote: that is a problem of the value. */
function validateSync(
  schema: StandardSchema,
  value: unknown,
): ReturnType<StandardSchema['~standard']['validate']> | { readonly threw: string } {
  try {
    // zod takes a check that throws for one that is async, and throws again where nobody can catch it. Asked
    // directly, it tells the two apart.
    const { safeParse } = schema as {
      safeParse?: (value: unknown) => { data: unknown; error?: { issues: never[] } }
    }
    if (schema['~standard'].vendor === 'zod' && typeof safeParse === 'function') {
      const { data, error } = safeParse.call(schema, value)
      return error ? { issues: error.issues } : { value: data }
    }
    return schema['~standard'].validate(value)
  } catch (error) {
    if (error instanceof Error && /Async/.test(error.constructor.name)) return Promise.resolve({ value })
    return { threw: error instanceof Error ? error.message : String(error) }
  }
}

function askLibrary(schema: StandardSchema, value: unknown): Validated {
  const result = validateSync(schema, value)
  if ('threw' in result)
    return { ok: false, problems: [{ path: [], message: `the schema failed: ${result.threw}` }] }
  if ('then' in result)
    throw new LegibleError(
      'schema.async_schema',
      'This schema validates asynchronously (an async refinement or transform). Reading is synchronous: check that part after reading.',
    )
  if (!result.issues) return { ok: true, value: result.value }
  return { ok: false, problems: explainIssues(result.issues, [], value) }
}

function explainIssues(
  issues: readonly StandardIssue[],
  above: readonly PropertyKey[],
  value: unknown,
): readonly Problem[] {
  return issues.flatMap((issue) => {
    const path = [...above, ...(issue.path ?? []).map((step) => (typeof step === 'object' ? step.key : step))]
    // zod says of a union what each of its variants is missing; arktype puts the path into its message, and the
    // rest of it into `problem`.
    const { errors, problem } = issue as { errors?: StandardIssue[][]; problem?: unknown }
    if (errors?.length && issue.message === 'Invalid input')
      return closest(
        errors.map((variant) => explainIssues(variant, path, value)),
        path,
        value,
      )
    const message = typeof problem === 'string' ? problem : issue.message
    const found = valueAt(value, path)
    // valibot expects the key, and does not say what for.
    if (found === undefined && /^invalid key/i.test(message)) return { path, message: 'is missing' }
    // The usual words for a wrong type say what was expected; what was got is shown.
    const [, expected, must] =
      /^invalid \w+: expected (.+?)(?:(?:,| but) received .*)?$|^must be (.+?) \(was .*\)$/is.exec(message) ??
      []
    const wanted = expected ?? must
    return { path, message: wanted ? expectedGot(wanted, found) : message }
  })
}

function jsonValidator(schema: JsonSchema): CompiledSchema['validate'] {
  const uri = typeof schema === 'object' ? String(schema.$schema) : ''
  const draft = /draft-0?4/.test(uri) ? '4' : /draft-0?[67]/.test(uri) ? '7' : '2020-12'
  let validator: Validator
  try {
    validator = new Validator(copySchema(schema, false) as CheckedSchema, draft, false)
  } catch (error) {
    if (error instanceof LegibleError) throw error
    throw invalid('#', error instanceof Error ? error.message : String(error), error)
  }
  return (value) => {
    try {
      const { valid, errors } = validator.validate(value)
      return valid ? { ok: true, value } : { ok: false, problems: explainErrors(errors, value) }
    } catch (error) {
      // The validator gives up on half a surrogate pair in a key, and on values or error lists without measure.
      // Both can come from a model, so they are problems of the value.
      const problem =
        error instanceof URIError ? 'has a key that is not valid Unicode' : 'cannot be validated'
      return { ok: false, problems: [{ path: [], message: problem }] }
    }
  }
}
