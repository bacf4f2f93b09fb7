import { isRecord } from '../../core/is-record.ts'
import type { Shape } from '../../schema/shape.ts'
import { objectShape } from '../literal/arguments-of.ts'
import { putMember } from '../literal/put-member.ts'
import { readLiteral } from '../literal/read-literal.ts'

/** What stands where arguments belong, as an object: also in a string, as pairs, or by order. */
export function argumentsIn(value: unknown, shape: Shape | undefined): Record<string, unknown> | undefined {
  if (value === null || value === undefined || value === '') return {}
  if (typeof value === 'string') {
    const inner = readLiteral(value)
    return inner && isRecord(inner.value) ? unwrapped(inner.value, shape) : undefined
  }
  if (isRecord(value)) return unwrapped(value, shape)
  if (!Array.isArray(value)) return undefined
  const result: Record<string, unknown> = {}
  if (value.every(isRecord)) {
    // [{"name": "a", "value": 1}, …] or [{"a": 1}, {"b": 2}]
    for (const one of value) {
      if (typeof one.name === 'string' && 'value' in one) putMember(result, one.name, one.value)
      else for (const [key, member] of Object.entries(one)) putMember(result, key, member)
    }
    return result
  }
  const fields = [...(objectShape(shape)?.fields.keys() ?? [])]
  for (const [index, one] of value.entries()) {
    const name = fields[index]
    if (name !== undefined) putMember(result, name, one)
  }
  return result
}

// {"f": {"arguments": {"a": 1}}}
function unwrapped(value: Record<string, unknown>, shape: Shape | undefined): Record<string, unknown> {
  const [only, ...others] = Object.keys(value)
  if (only === undefined || others.length > 0 || !/^(?:arguments|args|parameters|params|kwargs)$/i.test(only))
    return value
  const inner = value[only]
  return isRecord(inner) && !objectShape(shape)?.fields.has(only) ? inner : value
}
