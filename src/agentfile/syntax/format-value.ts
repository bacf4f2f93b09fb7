import type { Field, JsonValue, Type } from './agentfile.ts'
import { isReservedWord } from './keywords.ts'

const isName = /^[A-Za-z_][A-Za-z0-9_-]*$/

/** A value as it is written behind DEFAULT. */
export function formatValue(value: JsonValue): string {
  if (typeof value === 'string') return formatString(value)
  if (typeof value !== 'object') return String(value)
  if (isList(value)) return `[${value.map(formatValue).join(', ')}]`
  const members = Object.entries(value).map(([key, member]) => `${formatKey(key)}: ${formatValue(member)}`)
  return `{${members.join(', ')}}`
}

export function formatType(type: Type): string {
  if (type.kind === 'list') return `list<${formatType(type.of)}>`
  if (type.kind === 'enum') return `enum(${type.values.map(formatString).join(', ')})`
  if (type.kind === 'object') return `{${formatFields(type.fields)}}`
  return type.kind
}

export function formatFields(fields: readonly Field[]): string {
  return fields.map(({ name, type }) => (type ? `${name.text}: ${formatType(type)}` : name.text)).join(', ')
}

/** In plain quotes, on one line. */
export function formatString(text: string): string {
  const escaped = text
    .replace(/[\\"]/g, '\\$&')
    .replace(/\n/g, '\\n')
    .replace(/\t/g, '\\t')
    .replace(/\r/g, '\\r')
  return `"${escaped}"`
}

function formatKey(key: string): string {
  return isName.test(key) && !isReservedWord(key) ? key : formatString(key)
}

function isList(value: JsonValue): value is readonly JsonValue[] {
  return Array.isArray(value)
}
