import type { Schema } from './schema.ts'
import type { ArrayShape, NumberBounds, ObjectShape, Shape, StringShape } from './shape.ts'
import { shapeOf } from './shape-of.ts'

/**
 * A value that fits the schema, always the same: the schema's own `examples` and `default` where it has them, and
 * otherwise something plain. It is JSON, as a model would write it: dates are text.
 */
export function exampleOf(schema: Schema): unknown {
  return exampleOfShape(shapeOf(schema))
}

export function exampleOfShape(shape: Shape): unknown {
  const example = sample(shape, [], { left: 5000 })
  return example === undefined ? null : example
}

/** Undefined when there is no end to it here: whoever can do without it leaves it out. */
function sample(shape: Shape, open: readonly unknown[], budget: { left: number }): unknown {
  // Schemas that use their parts twice at each level grow without measure.
  if (budget.left-- < 0) return undefined
  if (shape.example !== undefined) return shape.example
  if (shape.default !== undefined && shape.default !== null) return shape.default
  switch (shape.kind) {
    case 'any':
      return 'anything'
    case 'string':
      return sampleString(shape)
    case 'number':
      return sampleNumber(shape, 1)
    case 'duration':
      return sampleNumber(shape, 5_400_000)
    case 'bigint':
      return 1
    case 'boolean':
      return true
    case 'null':
      return null
    case 'enum':
      return shape.members[0]?.value
    case 'date':
      return samples['date-time']
    case 'union': {
      if (open.includes(shape.variants)) return undefined
      const parts = shape.variants.filter((variant) => variant.kind !== 'null')
      for (const variant of [...parts, ...shape.variants]) {
        const value = sample(variant, [...open, shape.variants], budget)
        if (value !== undefined) return value
      }
      return undefined
    }
    case 'array':
      return sampleArray(shape, open, budget)
    case 'object':
      return sampleObject(shape, open, budget)
  }
}

function sampleArray(shape: ArrayShape, open: readonly unknown[], budget: { left: number }): unknown {
  const { prefix, items, minItems = 0, maxItems = Infinity } = shape
  if (open.includes(prefix)) return minItems ? undefined : []
  const inside = [...open, prefix]
  const list: unknown[] = []
  const size = Math.min(Math.max(minItems, prefix.length, items && !prefix.length ? 1 : 0), maxItems, 100)
  while (list.length < size) {
    const part = prefix[list.length] ?? items
    const value = part && sample(part, inside, budget)
    if (value === undefined || part === false) break
    list.push(value)
  }
  return list.length < minItems ? undefined : list
}

function sampleObject(shape: ObjectShape, open: readonly unknown[], budget: { left: number }): unknown {
  if (open.includes(shape.fields)) return undefined
  const inside = [...open, shape.fields]
  const entries: [string, unknown][] = []
  for (const [name, field] of shape.fields) {
    const value = sample(field.shape, inside, budget)
    if (value !== undefined) entries.push([name, value])
    else if (field.required) return undefined
  }
  if (!shape.fields.size && shape.additional && shape.additional.kind !== 'any') {
    const value = sample(shape.additional, inside, budget)
    if (value !== undefined) entries.push(['key', value])
  }
  return Object.fromEntries(entries)
}

const samples: Record<string, string> = {
  date: '2026-01-20',
  'date-time': '2026-01-20T15:30:00Z',
  time: '15:30:00Z',
  duration: 'PT1H30M',
  email: 'name@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/page',
  url: 'https://example.com/page',
  'uri-reference': '/page',
  uuid: '3f0e5c1a-7b1d-4c8e-9a2f-5d6b7c8e9f01',
  regex: '^a+$',
  'json-pointer': '/a/0',
}

function sampleString({ format = '', pattern, minLength = 0, maxLength = Infinity }: StringShape): string {
  const sized = (text: string) => text.padEnd(minLength, text).slice(0, maxLength)
  const candidates = [samples[format] ?? 'text', ...Object.values(samples), ...patternSamples]
  return (
    (pattern && candidates.map(sized).find((text) => pattern.test(text))) ?? sized(candidates[0] as string)
  )
}

/** What patterns usually ask for: codes, numbers, slugs, times, money, versions, colours. */
const patternSamples =
  'TEXT Text a A 1 12 123 1234 12345 123456 A1 AB AB1 AB12 AB-12 ABC-123 AB-1234 abc-123 a_b 15:30 1h30m 9.99 1.0 1.2.3 v1.2.3 #ff8800 +14155550100 415-555-0100 en en-US USD @name #tag https://example.com /path file.txt'.split(
    ' ',
  )

function sampleNumber(bounds: NumberBounds, usual: number): number {
  const {
    integer,
    min = -Infinity,
    max = Infinity,
    exclusiveMin = -Infinity,
    exclusiveMax = Infinity,
  } = bounds
  const low = Math.max(min, exclusiveMin)
  const high = Math.min(max, exclusiveMax)
  const step = bounds.multipleOf ?? (integer ? 1 : undefined)
  if (step === undefined) {
    if (usual > low && usual < high) return usual
    if (Number.isFinite(low) && Number.isFinite(high)) return low === high ? low : (low + high) / 2
    return Number.isFinite(low) ? low + 1 : high - 1
  }
  const start = Number.isFinite(low) ? low : Math.min(usual, high)
  let count = Number.isFinite(low) ? Math.ceil(start / step) : Math.floor(start / step)
  if (usual >= low && usual <= high && usual % step === 0) count = usual / step
  if (count * step <= exclusiveMin) count++
  if (count * step >= exclusiveMax) count--
  if (count === 0 && step <= high && step > exclusiveMin && step < exclusiveMax) count = 1
  // 3 * 0.1 is 0.30000000000000004.
  return Number((count * step).toPrecision(12))
}
