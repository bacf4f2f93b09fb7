import type { Shape } from '../../schema/shape.ts'

const formats: Readonly<Record<string, string>> = {
  date: 'a date as YYYY-MM-DD',
  'date-time': 'a date and time as 2026-01-20T10:30:00Z',
  duration: 'a duration as PT1H30M',
}

/** What a shape wants, in a few words for a model. */
export function wanted(shape: Shape): string {
  switch (shape.kind) {
    case 'any':
      return 'a value'
    case 'string':
      return formats[shape.format ?? ''] ?? (shape.format ? `text (${shape.format})` : 'text')
    case 'number':
      return shape.integer ? 'a whole number' : 'a number'
    case 'bigint':
      return 'a whole number'
    case 'boolean':
      return 'true or false'
    case 'null':
      return 'null'
    case 'enum':
      return shape.members.length === 1
        ? JSON.stringify(shape.members[0]?.value)
        : `one of ${shape.members.map((member) => JSON.stringify(member.value)).join(', ')}`
    case 'date':
      return 'an ISO 8601 date'
    case 'duration':
      return 'a duration'
    case 'array':
      return 'a list'
    case 'object':
      return 'an object'
    case 'union':
      return [...new Set(shape.variants.map(wanted))].join(' or ')
  }
}

/** What was found, in a few words. */
export function found(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (value instanceof Date) return value.toISOString()
  if (typeof value === 'object') return 'an object'
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value)
  return text.length > 60 ? `${text.slice(0, 57)}…${typeof value === 'string' ? '"' : ''}` : text
}
