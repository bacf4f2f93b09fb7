import type { EnumMember } from './shape.ts'

/** A JSON Schema object whose structure has been checked. */
export type SchemaNode = { [keyword: string]: unknown }

export type SubSchema = SchemaNode | boolean

/** Keywords that speak about one type of value, and give it away when `type` is missing. */
export const typeKeywords: readonly (readonly [type: string, ...keywords: string[]])[] = [
  ['object', 'properties', 'required', 'additionalProperties', 'propertyNames'],
  ['array', 'items', 'prefixItems', 'minItems', 'maxItems'],
  ['string', 'minLength', 'maxLength', 'pattern', 'format'],
  ['number', 'minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]

/** Keywords that restrict, and that a shape does not hold. The branch that reads one takes it out. */
export const beyondShapes =
  '$ref $dynamicRef $recursiveRef const enum not if anyOf allOf oneOf patternProperties unevaluatedProperties minProperties maxProperties dependentRequired dependentSchemas dependencies unevaluatedItems contains'.split(
    ' ',
  )

/** True when the schema says anything that a value may break, other than by the given keywords. */
export function restricts(schema: SchemaNode, ...except: string[]): boolean {
  for (const key in schema)
    if (!except.includes(key) && (beyondShapes.includes(key) || key === 'type' || isTypeKeyword(key)))
      return true
  return false
}

/** Of property names, which are strings anyway. */
export function saysNothing(schema: SubSchema): boolean {
  if (typeof schema === 'boolean') return schema
  return !restricts(schema, 'type') && (schema.type ?? 'string') === 'string'
}

function isTypeKeyword(key: string): boolean {
  return (
    typeKeywords.some((group) => group.includes(key, 1)) || key === 'uniqueItems' || key === 'additionalItems'
  )
}

export function notesOf(schema: SchemaNode): {
  description?: string
  default?: unknown
  example?: unknown
  name?: string
} {
  const { description, title, examples, example } = schema
  const shown = Array.isArray(examples) ? examples[0] : example
  return {
    ...(typeof description === 'string' && { description }),
    ...('default' in schema && { default: schema.default }),
    ...(shown !== undefined && { example: shown }),
    ...(typeof title === 'string' && { name: title }),
  }
}

const noteKeywords = ['description', 'default', 'title', 'examples', 'example']

/** The schema without what is said about it as a whole. */
export function bare(schema: SchemaNode): SchemaNode {
  return without(schema, ...noteKeywords)
}

export function without(schema: SchemaNode, ...names: string[]): SchemaNode {
  return Object.fromEntries(Object.entries(schema).filter(([key]) => !names.includes(key)))
}

/** A variant that is one word of a list, written out so that it can carry a description. */
export function constOf(schema: SubSchema, type: unknown): EnumMember | undefined {
  if (typeof schema === 'boolean') return undefined
  const [value, more] = 'const' in schema ? [schema.const] : ((schema.enum ?? []) as unknown[])
  if (
    !isScalar(value) ||
    value === null ||
    more !== undefined ||
    restricts(schema, 'const' in schema ? 'const' : 'enum', 'type')
  )
    return undefined
  if (
    (type !== undefined && !hasType(value, type)) ||
    (schema.type !== undefined && !hasType(value, schema.type))
  )
    return undefined
  const description = schema.description ?? schema.title
  return {
    value,
    ...(typeof description === 'string' && { description }),
    aliases: strings(schema['x-alias']),
  }
}

export function isScalar(value: unknown): value is EnumMember['value'] {
  return value === null || ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
}

export function hasType(value: unknown, type: unknown): boolean {
  if (Array.isArray(type)) return type.some((one) => hasType(value, one))
  if (type === 'integer') return Number.isInteger(value)
  return type === (value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value)
}

export function strings(value: unknown): string[] {
  return [value].flat().filter((item) => typeof item === 'string')
}

export function pick(value: unknown, key: string | number): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, key)
    ? (value as Record<string | number, unknown>)[key]
    : undefined
}

export function unescapeStep(step: string): string {
  let text = step
  try {
    text = decodeURIComponent(step)
  } catch {
    // A lone percent sign stands for itself.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~')
}

export function regExp(pattern: unknown): RegExp | undefined {
  for (const flags of ['u', '']) {
    try {
      return typeof pattern === 'string' ? new RegExp(pattern, flags) : undefined
    } catch {
      // Not with this flag.
    }
  }
  return undefined
}

/** Schemas that are referred to by `$id` or `$anchor`. */
export function identified(root: unknown, found = new Map<string, SchemaNode>()): Map<string, SchemaNode> {
  if (typeof root !== 'object' || root === null) return found
  const { $id, $anchor } = root as SchemaNode
  if (typeof $id === 'string') found.set($id, root as SchemaNode)
  if (typeof $anchor === 'string') found.set(`#${$anchor}`, root as SchemaNode)
  for (const part of Object.values(root)) identified(part, found)
  return found
}
