import { LegibleError } from '../core/legible-error.ts'
import { isStandardSchema, type JsonSchema, type Schema } from './schema.ts'

/**
 * The JSON Schema of what goes into a schema. Dates and big integers, which JSON Schema does not know, are
 * written as `string` and `integer`; with `marks` they also carry `x-js`, so that a shape can tell them apart.
 */
export function jsonSchemaOf(schema: Schema, marks: boolean): JsonSchema {
  if (!isStandardSchema(schema)) {
    if (typeof schema === 'boolean') return schema
    if (typeof schema === 'object' && schema !== null && !Array.isArray(schema)) return schema
    const got = schema === null ? 'null' : Array.isArray(schema) ? 'an array' : typeof schema
    throw new LegibleError(
      'schema.invalid_schema',
      `A schema is zod, another Standard Schema, or a JSON Schema object; this is ${got}.`,
    )
  }
  const written = {
    date: { type: 'string', format: 'date-time', ...(marks && { 'x-js': 'date' }) },
    bigint: { type: 'integer', ...(marks && { 'x-js': 'bigint' }) },
  }
  const { jsonSchema } = schema['~standard']
  try {
    const made = jsonSchema?.input({
      target: 'draft-2020-12',
      // Each library takes what it knows: zod the first two, arktype `fallback`, valibot the rest.
      libraryOptions: {
        unrepresentable: 'any',
        override(context: ZodOverride) {
          const { type, catchall } = context.zodSchema._zod.def
          if (type === 'date' || type === 'bigint') spread(written[type], context.jsonSchema)
          // It leaves out the keys that it does not know, and says so only of what comes out.
          if (marks && type === 'object' && !catchall)
            spread({ additionalProperties: false }, context.jsonSchema)
        },
        fallback: {
          date: (context: ArkFallback) => ({ ...context.base, ...written.date }),
          domain: (context: ArkFallback) => ({
            ...context.base,
            ...(context.domain === 'bigint' && written.bigint),
          }),
          default: (context: ArkFallback) => context.base,
        },
        errorMode: 'ignore',
        overrideSchema({ valibotSchema, jsonSchema }: ValibotOverride) {
          const { type } = valibotSchema
          return type === 'date' || type === 'bigint' ? { ...jsonSchema, ...written[type] } : undefined
        },
      },
    })
    if (made) return made
  } catch {
    // A schema that its own library cannot put into JSON Schema still validates: only the guidance is lost.
  }
  // A bare `{}` would claim that there is nothing to say.
  return marks ? { 'x-js': 'unknown' } : {}
}

// What the user wrote with `.meta()` wins.
function spread(from: Record<string, unknown>, into: Record<string, unknown>): void {
  for (const key in from) into[key] ??= from[key]
}

interface ZodOverride {
  zodSchema: { _zod: { def: { type: string; catchall?: unknown } } }
  jsonSchema: Record<string, unknown>
}

interface ValibotOverride {
  valibotSchema: { type: string }
  jsonSchema: Record<string, unknown>
}

interface ArkFallback {
  base: Record<string, unknown>
  domain?: string
}
