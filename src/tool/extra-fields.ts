import type { Span } from '../core/span.ts'
import { fold } from '../json/coerce/fold.ts'
import type { FoundValue } from '../section/found-value.ts'
import { LONGEST } from './key-in.ts'

/** A field of a call that is none of its name, id and arguments. */
export interface ExtraField {
  readonly key: string
  readonly value: unknown
  /** Where its key stands. */
  readonly keySpan: Span
  /** It stands twice, so that one of both is lost. */
  readonly isDuplicate: boolean
}

/** The fields of the object at a path that are one of these folded words, however they are spelled. */
export function extraFields(
  found: FoundValue,
  path: readonly PropertyKey[],
  record: Record<string, unknown>,
  words: readonly string[],
): ExtraField[] {
  if (words.length === 0) return []
  const twice = found.duplicatesAt?.(path) ?? []
  return Object.keys(record)
    .filter((key) => key.length < LONGEST && words.includes(fold(key)))
    .map((key) => ({
      key,
      value: record[key],
      keySpan: found.spanAt([...path, key], true),
      isDuplicate: twice.includes(key),
    }))
}
