import { isRecord } from '../core/is-record.ts'
import { defaultLimits } from '../core/limits.ts'
import { type Candidate, JsonScanner } from '../json/scanner.ts'

/** The arguments of a call that are written as JSON within a string; nothing between the quotes is no arguments. */
export function argumentsInText(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'string') return undefined
  if (value.trim() === '') return {}
  return scan(value)?.record
}

/** A key that stands twice in such a text, however deep. */
export function duplicateInText(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const [keys] = scan(value)?.scanner.duplicates.values() ?? []
  return keys && [...keys][0]
}

function scan(text: string): { scanner: JsonScanner; record: Record<string, unknown> } | undefined {
  if (!/^\s*\{/.test(text)) return undefined
  const scanner = new JsonScanner(defaultLimits, true)
  scanner.push(text)
  scanner.end()
  const [only, ...others]: Candidate[] = scanner.candidates
  if (!only?.complete || others.length > 0 || !isRecord(only.value)) return undefined
  return { scanner, record: only.value }
}
