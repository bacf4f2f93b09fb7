import type { JsonValue, Type } from './agentfile.ts'
import { formatType } from './format-value.ts'

/** Whether the default of an input is a value of its type. Dates and durations are written as strings. */
export function fitsType(value: JsonValue, type: Type): boolean {
  switch (type.kind) {
    case 'string':
      return typeof value === 'string'
    case 'number':
      return typeof value === 'number'
    case 'integer':
      return Number.isInteger(value)
    case 'boolean':
      return typeof value === 'boolean'
    case 'date':
      return typeof value === 'string' && isDate(value)
    case 'duration':
      return typeof value === 'number' ? value >= 0 : typeof value === 'string' && isDuration(value)
    case 'enum':
      return typeof value === 'string' && type.values.includes(value)
    case 'list':
      return Array.isArray(value) && value.every((item) => fitsType(item, type.of))
    case 'object':
      return fitsFields(value, type)
  }
}

function fitsFields(value: JsonValue, { fields }: Extract<Type, { kind: 'object' }>): boolean {
  if (typeof value !== 'object' || Array.isArray(value)) return false
  const members = new Map(Object.entries(value))
  return (
    members.size === fields.length &&
    fields.every(({ name, type }) => {
      const member = members.get(name.text)
      return member !== undefined && (!type || fitsType(member, type))
    })
  )
}

/** What a value of this type is called. */
export function describeType(type: Type): string {
  const written = formatType(type)
  if (type.kind === 'date') return 'a date, as "2026-01-20"'
  if (type.kind === 'duration') return 'a duration, as "1h30m"'
  if (type.kind === 'enum') return `one of ${written.slice('enum('.length, -1)}`
  return `${/^[aeiou]/.test(written) ? 'an' : 'a'} ${written}`
}

const date = /^\d{4}-\d{2}-\d{2}(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/
const duration = /^(?:\d+(?:\.\d+)?(?:ms|[smhdw]))+$/
const isoDuration = /^P(?=\w)(?:\d+(?:\.\d+)?[YMWD])*(?:T(?:\d+(?:\.\d+)?[HMS])+)?$/

function isDate(text: string): boolean {
  if (!date.test(text)) return false
  // The day must exist: Date would make 30 February the 2nd of March.
  const day = new Date(`${text.slice(0, 10)}T00:00:00Z`)
  return (
    !Number.isNaN(+day) && day.toISOString().startsWith(text.slice(0, 10)) && !Number.isNaN(Date.parse(text))
  )
}

function isDuration(text: string): boolean {
  return duration.test(text.replace(/[ \t]+/g, '')) || isoDuration.test(text)
}
