import { isRecord } from '../../core/is-record.ts'

/** A JSON Schema, or what has one, says what a tool is. */
export function isDeclared(value: unknown): boolean {
  if (!isRecord(value)) return false
  if (typeof value.type === 'string' && isRecord(value.properties)) return true
  return typeof value.description === 'string' && isDeclared(value.parameters)
}
