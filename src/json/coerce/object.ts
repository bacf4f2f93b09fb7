import { isRecord } from '../../core/is-record.ts'
import { defaultLimits } from '../../core/limits.ts'
import type { FieldShape, ObjectShape } from '../../schema/shape.ts'
import { costs } from '../costs.ts'
import { parseStrict } from '../parse-strict.ts'
import type { Attempt, Coercion } from './coercion.ts'
import { found, wanted } from './describe.ts'
import { fold } from './fold.ts'

// A list for one value: this many of its elements are tried.
const MOST_ELEMENTS = 16

export function coerceObject(value: unknown, shape: ObjectShape, c: Coercion): unknown {
  if (isRecord(value)) return coerceRecord(value, shape, c)
  const attempts: Attempt[] = []
  const inner = nested(value, '{')
  if (inner !== undefined)
    attempts.push(
      c.try(undefined, shape, () => {
        c.note('nested_json', {})
        return coerceFields(inner as Record<string, unknown>, shape, c)
      }),
    )
  if (Array.isArray(value)) attempts.push(...elements(value, shape, c))
  const field = impliedField(shape)
  if (field && value !== null && c.wrapped < 2)
    attempts.push(c.try(undefined, shape, () => implied(value, field[0], field[1], c)))
  const [best] = attempts.sort((a, b) => a.cost - b.cost)
  if (best && best.cost < (costs.wrong_type as number)) return c.take(best)
  c.note('wrong_type', { expected: wanted(shape), found: found(value) })
  return value
}

/** One element of a list, where a single object is wanted. */
function elements(list: readonly unknown[], shape: ObjectShape, c: Coercion): Attempt[] {
  return [...list.slice(0, MOST_ELEMENTS).entries()].flatMap(([i, element]) =>
    !isRecord(element)
      ? []
      : c.try(undefined, shape, () => {
          c.note('list_to_single', { count: list.length })
          c.from.push(i)
          const value = coerceFields(element, shape, c)
          c.from.pop()
          return value
        }),
  )
}

/** `"Tokyo"` for `{ city: string }`. */
function implied(value: unknown, name: string, field: FieldShape, c: Coercion): unknown {
  c.note('implied_key', { key: name })
  c.wrapped++
  const object = { [name]: c.within(name, undefined, () => c.read(value, field.shape, c)) }
  c.wrapped--
  c.comesFrom(object, name, undefined)
  return object
}

function impliedField(shape: ObjectShape): [string, FieldShape] | undefined {
  const fields = [...shape.fields]
  const required = fields.filter(([, field]) => field.required)
  return fields.length === 1 ? fields[0] : required.length === 1 ? required[0] : undefined
}

function coerceRecord(value: Record<string, unknown>, shape: ObjectShape, c: Coercion): unknown {
  const key = wrapperKey(value, shape)
  if (key === undefined) return coerceFields(value, shape, c)
  // {"result": {…}}
  const plain = c.try(undefined, shape, () => coerceFields(value, shape, c))
  const unwrapped = c.try(undefined, shape, () => {
    c.note('unwrapped', { key })
    c.from.push(key)
    const inner = coerceFields(value[key] as Record<string, unknown>, shape, c)
    c.from.pop()
    return inner
  })
  return c.take(unwrapped.cost < plain.cost ? unwrapped : plain)
}

function wrapperKey(value: Record<string, unknown>, shape: ObjectShape): string | undefined {
  let only: string | undefined
  for (const key in value) {
    if (only !== undefined || shape.fields.has(key)) return undefined
    only = key
  }
  return only !== undefined && shape.fields.size > 0 && isRecord(value[only]) ? only : undefined
}

function coerceFields(
  value: Record<string, unknown>,
  shape: ObjectShape,
  c: Coercion,
): Record<string, unknown> {
  const { wrapped } = c
  c.wrapped = 0
  let seen = 0
  let missing = false
  let changed: Record<string, unknown> | undefined
  for (const [name, field] of shape.fields) {
    if (!Object.hasOwn(value, name)) {
      missing = true
      continue
    }
    seen++
    const before = value[name]
    c.path.push(name)
    c.from.push(name)
    const after = coerceField(before, field, c)
    c.path.pop()
    c.from.pop()
    if (after === before) continue
    changed ??= { ...value }
    if (after === undefined) delete changed[name]
    else changed[name] = after
  }
  const extra = countKeys(value) - seen
  const result = missing || extra > 0 ? settle(value, changed, shape, extra, c) : (changed ?? value)
  c.wrapped = wrapped
  return result
}

function coerceField(value: unknown, field: FieldShape, c: Coercion): unknown {
  const { shape } = field
  if (value !== null || shape.kind === 'any' || shape.kind === 'null' || shape.kind === 'union')
    return c.read(value, shape, c)
  // null where the schema wants none: an optional field is left out, a default used.
  const attempt = c.try(undefined, shape, () => c.read(value, shape, c))
  if (attempt.cost === 0 || (field.required && shape.default === undefined)) return c.take(attempt)
  c.note('used_default', {
    instead: 'null',
    value: shape.default === undefined ? 'left out' : found(shape.default),
  })
  return shape.default
}

function countKeys(value: object): number {
  let count = 0
  for (const _ in value) count++
  return count
}

/** Fields that are missing, and keys that are none: some are the same under another name. */
function settle(
  value: Record<string, unknown>,
  changed: Record<string, unknown> | undefined,
  shape: ObjectShape,
  extra: number,
  c: Coercion,
): Record<string, unknown> {
  let result = changed
  const unknown = extra > 0 ? Object.keys(value).filter((key) => !shape.fields.has(key)) : []
  for (const [name, field] of shape.fields) {
    if (Object.hasOwn(value, name)) continue
    const at = unknown.findIndex((key) => field.aliases.includes(key))
    const index = at >= 0 ? at : findFolded(unknown, name, field)
    if (index >= 0) {
      const [key] = unknown.splice(index, 1) as [string]
      result ??= { ...value }
      c.within(name, key, () => {
        c.note('renamed_key', { key }, true)
        ;(result as Record<string, unknown>)[name] = coerceField(value[key], field, c)
      })
      delete result[key]
      c.comesFrom(result, name, key)
    } else if (field.shape.default !== undefined) {
      if (!field.required) continue
      result ??= { ...value }
      result[name] = field.shape.default
      c.path.push(name)
      c.note('used_default', { instead: '', value: found(field.shape.default) })
      c.path.pop()
    } else if (field.required) {
      c.path.push(name)
      if (acceptsNull(field)) {
        result ??= { ...value }
        result[name] = null
        c.note('used_default', { instead: '', value: 'null' })
      } else c.note('missing_field', { expected: wanted(field.shape) })
      c.path.pop()
    }
  }
  const { additional } = shape
  for (const key of unknown) {
    if (additional === false || isForbidden(key, shape)) {
      result ??= { ...value }
      delete result[key]
      c.within(key, key, () => c.note('extra_key', { key }, true))
    } else if (additional.kind === 'any') {
      // Kept, but a variant of a union that knows the key is the better one.
      if (shape.fields.size > 0) c.cost++
    } else {
      const after = c.within(key, key, () => c.read(value[key], additional, c))
      if (after === value[key]) continue
      result ??= { ...value }
      result[key] = after
    }
  }
  return result ?? value
}

function findFolded(keys: readonly string[], name: string, field: FieldShape): number {
  if (keys.length === 0) return -1
  const names = new Set([name, ...field.aliases].map(fold))
  return keys.findIndex((key) => names.has(fold(key)))
}

/** A long key is none that a schema was made for, and patterns may take their time with it. */
const LONGEST_KEY = 64

function isForbidden(key: string, { forbidden }: ObjectShape): boolean {
  if (!forbidden || key.length > LONGEST_KEY) return false
  return forbidden.names.has(key) || forbidden.patterns.some((pattern) => pattern.test(key))
}

function acceptsNull({ shape }: FieldShape): boolean {
  return (
    shape.kind === 'null' ||
    (shape.kind === 'union' && shape.variants.some((variant) => variant.kind === 'null'))
  )
}

/** The value of a string that holds JSON text of the wanted kind. */
export function nested(value: unknown, open: '{' | '['): unknown {
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (!text.startsWith(open)) return undefined
  return parseStrict(text, defaultLimits.maxDepth)?.value
}
