import { isRecord } from '../core/is-record.ts'
import { fold } from '../json/coerce/fold.ts'
import type { Shape } from '../schema/shape.ts'

/**
 * Whether what looks like a call only says what a tool is, as in a list of tools that the model repeats: it has a
 * description and no id, or a JSON Schema where arguments would stand.
 */
export function isDeclaration(
  record: Record<string, unknown>,
  args: unknown,
  argumentsKey: string | undefined,
  shape: Shape | undefined,
  hasId: boolean,
): boolean {
  const foreign =
    !hasId &&
    Object.keys(record).some((key) => {
      const folded = fold(key)
      if (folded !== 'description' && folded !== 'inputschema') return false
      // Without arguments of their own, they may stand beside the name.
      return argumentsKey !== undefined || !shape || !hasField(shape, key)
    })
  return foreign || (isSchema(args) && !(shape && hasField(shape, 'properties')))
}

const isSchema = (value: unknown) =>
  isRecord(value) && value.type === 'object' && Object.hasOwn(value, 'properties')

export function hasField(shape: Shape, key: string): boolean {
  if (shape.kind === 'union') return shape.variants.some((variant) => hasField(variant, key))
  if (shape.kind !== 'object') return false
  const folded = fold(key)
  for (const [name, field] of shape.fields)
    if ([name, ...field.aliases].some((one) => fold(one) === folded)) return true
  return false
}
