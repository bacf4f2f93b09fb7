import { LegibleError } from '../../core/legible-error.ts'

/** What can be written: JSON, and integers of any size. */
export type Plain = string | number | bigint | boolean | null | readonly Plain[] | PlainObject
export interface PlainObject {
  readonly [key: string]: Plain
}

/** A value as JSON has it: dates as text, members that are undefined left out. */
export function plainValue(value: unknown, open: readonly unknown[] = []): Plain {
  if (typeof value === 'string' || typeof value === 'boolean' || typeof value === 'bigint') return value
  if (typeof value === 'number') return Number.isFinite(value) ? value : null
  if (typeof value !== 'object' || value === null) return null
  if (open.includes(value) || open.length > MOST_DEPTH)
    throw new LegibleError(
      'call.not_json',
      'A value that holds itself, or is nested without end, is no JSON.',
    )
  const inside = [...open, value]
  if ('toJSON' in value && typeof value.toJSON === 'function') return plainValue(value.toJSON(), inside)
  if (Array.isArray(value)) return value.map((item) => plainValue(item, inside))
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, member]) => !['undefined', 'function', 'symbol'].includes(typeof member))
      .map(([key, member]) => [key, plainValue(member, inside)]),
  )
}

/** Readers take no more. */
const MOST_DEPTH = 256
