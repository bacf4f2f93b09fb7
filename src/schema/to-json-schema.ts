import { jsonSchemaOf } from './json-schema-of.ts'
import type { JsonSchema, Schema } from './schema.ts'

/**
 * The JSON Schema of what goes into a schema, for APIs that ask for one. Plain JSON Schema is handed back as it is.
 * Dates are written as `date-time` strings and big integers as integers, which is how the reader takes them in.
 */
export function toJsonSchema(schema: Schema): JsonSchema {
  return jsonSchemaOf(schema, false)
}
