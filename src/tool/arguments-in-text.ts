import { isRecord } from '../core/is-record.ts'
import { defaultLimits } from '../core/limits.ts'
import { JsonScanner } from '../json/scanner.ts'

/** The arguments of a call that are written as JSON within a string; nothing between the quotes is no arguments. */
export function argumentsInText(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'string') return undefined
  if (value.trim() === '') return {}
  if (!/^\s*\{/.test(value)) return undefined
  const scanner = new JsonScanner(defaultLimits)
  scanner.push(value)
  scanner.end()
  const [only, ...others] = scanner.candidates
  return only?.complete && others.length === 0 && isRecord(only.value) ? only.value : undefined
}
