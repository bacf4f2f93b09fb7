import { isRecord } from '../../core/is-record.ts'
import type { ArrayShape } from '../../schema/shape.ts'
import type { Coercion } from './coercion.ts'
import { found, wanted } from './describe.ts'
import { nested } from './object.ts'

export function coerceArray(value: unknown, shape: ArrayShape, c: Coercion): unknown {
  if (Array.isArray(value)) return coerceElements(value, shape, c)
  const inner = nested(value, '[')
  if (inner !== undefined) {
    c.note('nested_json', {})
    return coerceElements(inner as unknown[], shape, c)
  }
  const item = shape.prefix[0] ?? shape.items
  if (value === null || !item || c.wrapped > 1) {
    c.note('wrong_type', { expected: wanted(shape), found: found(value) })
    return value
  }
  const single = c.try(undefined, shape, () => {
    c.note('single_to_list', {})
    c.wrapped++
    const list = [c.within(0, undefined, () => c.read(value, item, c))]
    c.wrapped--
    c.comesFrom(list, 0, undefined)
    return list
  })
  // {"items": […]}
  const key = isRecord(value) ? onlyKey(value) : undefined
  if (key === undefined || !isRecord(value) || !Array.isArray(value[key])) return c.take(single)
  const unwrapped = c.try(undefined, shape, () => {
    c.note('unwrapped', { key })
    c.from.push(key)
    const list = coerceElements(value[key] as unknown[], shape, c)
    c.from.pop()
    return list
  })
  return c.take(unwrapped.cost < single.cost ? unwrapped : single)
}

function onlyKey(value: Record<string, unknown>): string | undefined {
  const keys = Object.keys(value)
  return keys.length === 1 ? keys[0] : undefined
}

function coerceElements(list: readonly unknown[], shape: ArrayShape, c: Coercion): unknown {
  const { prefix, items } = shape
  let changed: unknown[] | undefined
  const { wrapped } = c
  c.wrapped = 0
  for (let i = 0; i < list.length; i++) {
    const item = i < prefix.length ? prefix[i] : items
    if (!item) {
      changed ??= list.slice(0, i)
      c.within(i, i, () => c.note('dropped_element', { found: found(list[i]) }))
      continue
    }
    c.path.push(i)
    c.from.push(i)
    const before = list[i]
    const after = c.read(before, item, c)
    c.path.pop()
    c.from.pop()
    if (after !== before) changed ??= list.slice(0, i)
    if (changed) {
      changed.push(after)
      c.comesFrom(changed, changed.length - 1, i)
    }
  }
  c.wrapped = wrapped
  return changed ?? list
}
