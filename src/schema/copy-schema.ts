import { format as formats } from '@cfworker/json-schema'
import { LegibleError } from '../core/legible-error.ts'
import type { SchemaNode, SubSchema } from './schema-node.ts'

const words = (text: string) => new Set(text.split(' '))

const oneSchema = words(
  'items additionalItems unevaluatedItems contains additionalProperties unevaluatedProperties propertyNames not if then else components',
)
const manySchemas = words('anyOf allOf oneOf prefixItems')
const namedSchemas = words(
  'properties patternProperties dependentSchemas dependencies $defs definitions schemas',
)
/** What the validator reads besides. */
const checked = words(
  '$schema $id $anchor $ref $recursiveRef $recursiveAnchor type const enum required pattern dependentRequired minProperties maxProperties minItems maxItems uniqueItems minContains maxContains minimum maximum exclusiveMinimum exclusiveMaximum multipleOf minLength maxLength',
)

const maxDepth = 200

/**
 * A copy of a JSON Schema, because the validator writes into the one that it is given. On the way the structure
 * is checked, OpenAPI's `nullable` is put in terms of JSON Schema, and patterns in terms of the `u` flag.
 * Without `notes`, only what the validator understands is copied: it would take an `example` with an `id` for a
 * schema of its own.
 */
export function copySchema(schema: unknown, notes: boolean, where = '#', depth = 0): SubSchema {
  if (typeof schema === 'boolean') return schema
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema))
    throw invalid(where, `expected a schema, got ${JSON.stringify(schema) ?? typeof schema}`)
  if (depth > maxDepth) throw invalid('#', `nests more than ${maxDepth} schemas`)

  const below = (value: unknown, step: string) => copySchema(value, notes, `${where}/${step}`, depth + 1)
  const copy: SchemaNode = {}
  for (const [key, value] of Object.entries(schema)) {
    if (value === undefined) continue
    if (manySchemas.has(key) || (key === 'items' && Array.isArray(value))) {
      if (!Array.isArray(value)) throw invalid(`${where}/${key}`, 'expected a list of schemas')
      copy[key] = value.map((part, index) => below(part, `${key}/${index}`))
    } else if (oneSchema.has(key)) {
      copy[key] = below(value, key)
    } else if (namedSchemas.has(key)) {
      if (typeof value !== 'object' || value === null || Array.isArray(value))
        throw invalid(`${where}/${key}`, 'expected schemas by name')
      // fromEntries, because a property may be called __proto__.
      copy[key] = Object.fromEntries(
        Object.entries(value).map(([name, part]) => [
          name,
          key === 'dependencies' && Array.isArray(part) ? part : below(part, `${key}/${name}`),
        ]),
      )
    } else if ((key === 'required' || key === 'enum') && !Array.isArray(value)) {
      throw invalid(`${where}/${key}`, 'expected a list')
    } else if (key === 'pattern') {
      // The validator throws on a pattern that is none: it is left out, and the shape is not exact.
      const pattern = unicodePattern(value)
      if (pattern !== undefined) copy[key] = pattern
      else if (notes) copy[key] = value
    } else if (key === 'format' && !notes) {
      // It looks them up without a look at what it finds: `__proto__` would bring it down.
      if (Object.hasOwn(formats, value)) copy[key] = value
    } else if (notes || checked.has(key)) {
      copy[key] = value
    }
  }
  for (const pattern in copy.patternProperties as object)
    if (unicodePattern(pattern) !== pattern) throw invalid(where, `"${pattern}" is not a regular expression`)
  if ((schema as SchemaNode).nullable === true) allowNull(copy)
  return copy
}

function allowNull(copy: SchemaNode): void {
  const nothing = { type: 'null' }
  if (copy.$ref !== undefined) {
    copy.anyOf = [{ $ref: copy.$ref }, nothing]
    delete copy.$ref
    return
  }
  if (copy.type !== undefined) copy.type = [...new Set([copy.type, 'null'].flat())]
  if (Array.isArray(copy.enum) && !copy.enum.includes(null)) copy.enum = [...copy.enum, null]
  for (const key of ['anyOf', 'oneOf'])
    if (Array.isArray(copy[key])) copy[key] = [...(copy[key] as unknown[]), nothing]
}

/** The pattern as it can be read with the `u` flag, which forbids needless escapes such as `\_`. */
function unicodePattern(pattern: unknown): string | undefined {
  if (typeof pattern !== 'string') return undefined
  const escaped = () =>
    pattern.replace(/\\([^a-z0-9])/gi, (_, char: string) => `\\u{${char.codePointAt(0)!.toString(16)}}`)
  return compiles(pattern) ? pattern : compiles(escaped()) ? escaped() : undefined
}

function compiles(pattern: string): boolean {
  try {
    new RegExp(pattern, 'u')
    return true
  } catch {
    return false
  }
}

export function invalid(where: string, problem: string, cause?: unknown): LegibleError {
  return new LegibleError('schema.invalid_schema', `Invalid JSON Schema at ${where}: ${problem}.`, { cause })
}
