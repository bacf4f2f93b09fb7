import { readDate } from '../../schema/date.ts'
import { readDuration } from '../../schema/duration.ts'
import type { EnumShape, NumberShape, Shape, StringShape } from '../../schema/shape.ts'
import { costs } from '../costs.ts'
import { booleanInText } from './boolean-text.ts'
import type { Attempt, Coercion } from './coercion.ts'
import { found, wanted } from './describe.ts'
import { enumInText } from './enum-text.ts'
import { numberInText } from './number-text.ts'

export function coerceScalar(value: unknown, shape: Shape, c: Coercion): unknown {
  if (c.isCut()) return fitCut(value, shape, c)
  if (isPlainly(value, shape)) return value
  const read = fitted(value, shape, c)
  if (read !== undefined) return read
  const [best] = [...elements(value, shape, c), ...wrapped(value, shape, c)].sort((a, b) => a.cost - b.cost)
  if (best && best.cost < (costs.wrong_type as number)) return c.take(best)
  if (shape.kind === 'string' && value !== null) return sourceText(value, shape, c)
  c.note('wrong_type', { expected: wanted(shape), found: found(value) })
  return value
}

/** A string that the end of the text has cut is as good as it goes, but it is not yet a date or a number. */
function fitCut(value: unknown, shape: Shape, c: Coercion): unknown {
  if (shape.kind === 'string' && !shape.format) return value
  c.note('wrong_type', { expected: wanted(shape), found: `${found(value)}, which is cut off` })
  return value
}

// A list for one value: this many of its elements are tried.
const MOST_ELEMENTS = 16

function elements(value: unknown, shape: Shape, c: Coercion): Attempt[] {
  if (!Array.isArray(value)) return []
  return value
    .slice(0, MOST_ELEMENTS)
    .flatMap((element, i) =>
      typeof element === 'object' && element !== null
        ? []
        : inside(i, element, shape, c, () => c.note('list_to_single', { count: value.length })),
    )
}

/** `{"answer": 42}` for a number, where that is all that was asked for. */
function wrapped(value: unknown, shape: Shape, c: Coercion): Attempt[] {
  if (
    c.path.length > 0 ||
    shape.kind === 'string' ||
    typeof value !== 'object' ||
    value === null ||
    Array.isArray(value)
  )
    return []
  const [entry, another] = Object.entries(value)
  if (!entry || another || typeof entry[1] === 'object') return []
  const [key, inner] = entry
  return [inside(key, inner, shape, c, () => c.note('unwrapped', { key }))]
}

function inside(key: PropertyKey, value: unknown, shape: Shape, c: Coercion, say: () => void): Attempt {
  return c.try(undefined, shape, () => {
    say()
    c.from.push(key)
    const read = coerceScalar(value, shape, c)
    c.from.pop()
    return read
  })
}

/** Whether a scalar is what the shape wants, with nothing to look at twice. */
export function isPlainly(value: unknown, shape: Shape): boolean {
  switch (shape.kind) {
    case 'string':
      return typeof value === 'string' && shape.format === undefined
    case 'number':
      return (
        typeof value === 'number' && (shape.integer ? Number.isSafeInteger(value) : Math.abs(value) < 2 ** 53)
      )
    case 'boolean':
      return typeof value === 'boolean'
    case 'null':
      return value === null
    case 'enum':
      for (const member of shape.members) if (member.value === value) return true
      return false
    default:
      return false
  }
}

/** The value as the shape wants it, or `undefined`. */
function fitted(value: unknown, shape: Shape, c: Coercion): unknown {
  switch (shape.kind) {
    case 'string':
      return fitString(value, shape, c)
    case 'number':
      return fitNumber(value, shape, c)
    case 'boolean':
      if (typeof value === 'boolean') return value
      return converted(value, typeof value === 'string' ? booleanInText(value) : fromBit(value), shape, c)
    case 'null':
      if (value === null) return value
      return value === '' || value === 'null' || value === 'None'
        ? converted(value, null, shape, c)
        : undefined
    case 'enum':
      return fitEnum(value, shape, c)
    case 'bigint':
      return fitBigInt(value, shape, c)
    case 'date': {
      if (typeof value === 'number') return converted(value, dateOf(value), shape, c)
      if (typeof value !== 'string') return undefined
      const date = readDate(value)?.date
      return /^\d{4}-\d\d-\d\d/.test(value) ? date : converted(value, date, shape, c)
    }
    case 'duration':
      if (typeof value === 'number') return value
      return typeof value === 'string' ? readDuration(value) : undefined
    default:
      return undefined
  }
}

function converted(before: unknown, after: unknown, shape: Shape, c: Coercion): unknown {
  if (after !== undefined)
    c.note('converted', { from: found(before), to: wanted(shape), value: found(after) })
  return after
}

/** The moment that many milliseconds after 1970, or seconds where milliseconds would lie before 1973. */
function dateOf(time: number): Date | undefined {
  const date = new Date(Math.abs(time) < 1e11 ? time * 1000 : time)
  return Number.isNaN(date.getTime()) ? undefined : date
}

const fromBit = (value: unknown) => (value === 1 ? true : value === 0 ? false : undefined)

function fitString(value: unknown, shape: StringShape, c: Coercion): unknown {
  if (typeof value === 'string') {
    const { format } = shape
    if (format !== 'date' && format !== 'date-time' && format !== 'duration') return value
    return fitFormat(value, shape, c)
  }
  return typeof value === 'number' || typeof value === 'boolean' ? sourceText(value, shape, c) : undefined
}

/** The text as it stands, not a rendering of the value: 1.0 stays 1.0. */
function sourceText(value: unknown, shape: Shape, c: Coercion): unknown {
  return converted(value, c.source.text(c.from) ?? JSON.stringify(value), shape, c)
}

const isoDuration =
  /^-?P(?=\d|T\d)(?:\d+W|(?:\d+Y)?(?:\d+M)?(?:\d+D)?(?:T(?:\d+H)?(?:\d+M)?(?:\d+(?:\.\d+)?S)?)?)$/

function fitFormat(value: string, shape: StringShape, c: Coercion): string {
  if (shape.format === 'duration') {
    const milliseconds = isoDuration.test(value) ? undefined : readDuration(value)
    if (milliseconds === undefined) return value
    return converted(
      value,
      `${milliseconds < 0 ? '-' : ''}PT${Math.abs(milliseconds) / 1000}S`,
      shape,
      c,
    ) as string
  }
  const date = readDate(value)
  if (!date) return value
  const iso = shape.format === 'date' ? date.iso.slice(0, 10) : date.date.toISOString()
  // Any offset is as good as ours.
  if (
    value === iso ||
    (shape.format === 'date-time' &&
      /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/.test(value))
  )
    return value
  return converted(value, iso, shape, c) as string
}

function fitNumber(value: unknown, shape: NumberShape, c: Coercion): unknown {
  if (typeof value === 'number') {
    if (!Number.isFinite(value)) return undefined
    if (!Number.isInteger(value)) return shape.integer && Number.isFinite(value) ? rounded(value, c) : value
    if (!Number.isSafeInteger(value) && !/[.eE]/.test(c.source.text(c.from) ?? ''))
      c.note('lost_digits', { text: c.source.text(c.from) ?? String(value) })
    return value
  }
  if (typeof value !== 'string') return undefined
  // A whole number has no fraction: 1.200 is grouped.
  const number = numberInText(shape.integer ? value.replace(/^\s*(\d{1,3})\.(\d{3})\s*$/, '$1$2') : value)
  if (number === undefined || !Number.isFinite(number)) return undefined
  // "1,2" is no whole number in any country.
  if (shape.integer && !Number.isInteger(number) && !/\.\d/.test(value)) return undefined
  if (/^\d{16,}$/.test(value.trim()) && !Number.isSafeInteger(number))
    c.note('lost_digits', { text: value.trim() })
  converted(value, number, shape, c)
  return shape.integer && !Number.isInteger(number) ? rounded(number, c) : number
}

function rounded(value: number, c: Coercion): number {
  const whole = Math.round(value)
  c.note('rounded', { from: String(value), to: String(whole) })
  return whole
}

function fitBigInt(value: unknown, shape: Shape, c: Coercion): unknown {
  if (typeof value === 'number') {
    const text = Number.isSafeInteger(value) ? String(value) : (c.source.text(c.from) ?? '')
    return /^-?\d+$/.test(text) ? BigInt(text) : undefined
  }
  if (typeof value !== 'string') return undefined
  const text = value.replace(/[,_\s]/g, '').replace(/n$/, '')
  return /^[+-]?\d+$/.test(text) ? converted(value, BigInt(text.replace('+', '')), shape, c) : undefined
}

function fitEnum(value: unknown, shape: EnumShape, c: Coercion): unknown {
  for (const member of shape.members) if (member.value === value) return value
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') return undefined
  const match = enumInText(String(value), shape.members)
  if (!match) return undefined
  if ('between' in match) {
    const between = match.between.map((member) => JSON.stringify(member.value))
    c.note('ambiguous', { found: found(value), between })
    return value
  }
  const { member, how } = match
  if (how === 'exact')
    c.note('converted', { from: found(value), to: JSON.stringify(member.value), value: found(member.value) })
  else c.note('matched', { found: found(value), to: JSON.stringify(member.value), how })
  return member.value
}
