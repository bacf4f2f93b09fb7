import { invalid } from './copy-schema.ts'
import type { SchemaNode, SubSchema } from './schema-node.ts'

export interface MergedSchema {
  readonly schema: SchemaNode
  /** The schemas that went into it. */
  readonly used: readonly SchemaNode[]
  /** False when the parts contradict each other, or say more together than one schema can. */
  readonly exact: boolean
}

/**
 * One schema in place of `allOf`: objects have the properties of all parts. Of two words for the same keyword the
 * later counts, and the result is not exact.
 */
export function mergeSchemas(
  parts: readonly SubSchema[],
  resolved: (schema: SubSchema) => SubSchema,
  open: readonly SchemaNode[],
): MergedSchema {
  const schema: SchemaNode = {}
  const used: SchemaNode[] = []
  let exact = true
  for (const part of parts) take(part, open)
  return { schema, used, exact }

  /** `open`: the schemas that this part is itself a part of. */
  function take(part: SubSchema, open: readonly SchemaNode[]): void {
    const target = resolved(part)
    if (typeof part === 'object' && target !== part) {
      const { $ref, ...beside } = part
      takeKeywords(beside, open)
    }
    if (typeof target === 'boolean') {
      exact &&= target
      return
    }
    if (open.includes(target)) throw invalid('#', 'a $ref leads back to itself')
    if (used.includes(target)) return
    used.push(target)
    takeKeywords(target, [...open, target])
  }

  function takeKeywords(part: SchemaNode, open: readonly SchemaNode[]): void {
    for (const [key, value] of Object.entries(part)) {
      const had = schema[key]
      if (key === 'allOf') {
        for (const nested of value as SubSchema[]) take(nested, open)
      } else if (key === 'properties') {
        schema[key] = mergeProperties(
          (had ?? {}) as Record<string, SubSchema>,
          value as Record<string, SubSchema>,
        )
      } else if (key === 'required') {
        schema[key] = [...new Set([had ?? [], value ?? []].flat())]
      } else if (key === 'additionalProperties' || key === 'unevaluatedProperties') {
        // Each part means its own properties by it, and so none of the whole.
        exact &&= value === true
      } else if (had === undefined || (had === 'number' && value === 'integer')) {
        schema[key] = value
      } else if (had !== value && !(had === 'integer' && value === 'number')) {
        if (/^(\$|title|desc|default|example|x-)/.test(key)) continue
        schema[key] = value
        exact = false
      }
    }
  }

  function mergeProperties(
    had: Record<string, SubSchema>,
    more: Record<string, SubSchema>,
  ): Record<string, SubSchema> {
    const entries = new Map(Object.entries(had))
    for (const [name, property] of Object.entries(more)) {
      const before = entries.get(name)
      if (before !== undefined) exact = false
      const mixable = [before, property].every((one) => typeof one === 'object' && !('$ref' in one))
      entries.set(name, mixable ? { ...(before as SchemaNode), ...(property as SchemaNode) } : property)
    }
    return Object.fromEntries(entries)
  }
}
