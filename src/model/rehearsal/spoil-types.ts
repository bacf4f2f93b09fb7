import { isRecord } from '../../core/is-record.ts'

/** A value with at least one wrong type in it, as models write them. Some can be put right, some cannot. */
export function spoilTypes(value: unknown, random: () => number): unknown {
  const spoilt = spoil(value, random)
  if (JSON.stringify(spoilt) !== JSON.stringify(value)) return spoilt
  // Text may be right by chance.
  if (Array.isArray(value) || !isRecord(value)) return { value }
  const [first] = Object.keys(value)
  return first === undefined ? value : { ...value, [first]: [{ value: value[first] }] }
}

function spoil(value: unknown, random: () => number): unknown {
  if (Array.isArray(value))
    return value.length === 1 && random() < 0.7 ? value[0] : value.map((item) => spoil(item, random))
  if (isRecord(value))
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, spoil(item, random)]))
  const wrong = random() < 0.2
  if (typeof value === 'number') return wrong ? 'several' : String(value)
  if (typeof value === 'boolean') return wrong ? 'perhaps' : String(value)
  return wrong ? [{ value }] : value
}
