import { isRecord } from '../../core/is-record.ts'
import type { Template } from './contract.ts'

/** What an example says where any text will do. */
const placeholder = 'text'

/**
 * The example with words of its own: the first place for free text gets the first of the words, and so on; the last of
 * them is for all the rest. Everything else stays as it is, so that it still fits.
 */
export function fillTemplate({ example, free }: Template, words: readonly string[]): unknown {
  if (!free || words.length === 0) return example
  let used = 0
  return mapText(example, (text) => {
    if (text !== placeholder) return text
    return words[Math.min(used++, words.length - 1)] as string
  })
}

/** Every text of a value, keys aside, as something else. */
function mapText(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map((item) => mapText(item, change))
  if (!isRecord(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapText(item, change)]))
}

/** The word that marks a call which is only shown: it must never run. */
export const exampleMarker = 'EXAMPLE'

/** Arguments that carry the marker: in place of free text if there is some, of any text otherwise. */
export function markedArguments({ example }: Template): Record<string, unknown> {
  const given = isRecord(example) ? example : {}
  for (const isMarked of [(text: string) => text === placeholder, () => true]) {
    let marked = false
    const args = mapText(given, (text) => {
      if (!isMarked(text)) return text
      marked = true
      return exampleMarker
    })
    if (marked) return args as Record<string, unknown>
  }
  return { ...given, note: exampleMarker }
}
