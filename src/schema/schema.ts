/** What every schema library that follows Standard Schema (spec v1) offers: zod, valibot, arktype, … */
export interface StandardSchema<T = unknown> {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: string
    readonly validate: (value: unknown) => StandardResult<T> | Promise<StandardResult<T>>
    readonly types?: { readonly input: unknown; readonly output: T } | undefined
    /** Standard JSON Schema: what the shape is made from. Without it, reading has nothing to go by. */
    readonly jsonSchema?: StandardJsonSchema | undefined
  }
}

interface StandardJsonSchema {
  readonly input: (options: StandardJsonSchemaOptions) => Record<string, unknown>
  readonly output: (options: StandardJsonSchemaOptions) => Record<string, unknown>
}

interface StandardJsonSchemaOptions {
  // The spec lists the usual targets and leaves the set open.
  readonly target: 'draft-2020-12' | 'draft-07' | 'openapi-3.0' | ({} & string)
  readonly libraryOptions?: Record<string, unknown> | undefined
}

type StandardResult<T> =
  | { readonly value: T; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] }

export interface StandardIssue {
  readonly message: string
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined
}

/** Plain JSON Schema, 2020-12 or draft-07. */
export type JsonSchema = boolean | { readonly [keyword: string]: unknown }

/** Whatever describes a value: zod, any other Standard Schema, or plain JSON Schema. */
export type Schema<T = unknown> = StandardSchema<T> | JsonSchema

/** The type of the values that a schema gives out; `unknown` for JSON Schema. */
export type Infer<S> = S extends { readonly '~standard': { readonly types?: infer Types } }
  ? NonNullable<Types> extends { readonly output: infer T }
    ? T
    : unknown
  : unknown

export function isStandardSchema(schema: unknown): schema is StandardSchema {
  // arktype's schemas are functions.
  if (schema === null || (typeof schema !== 'object' && typeof schema !== 'function')) return false
  const standard = (schema as Partial<StandardSchema>)['~standard']
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function'
}
