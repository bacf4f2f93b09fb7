import type { Limits } from '../core/limits.ts'
import type { Span } from '../core/span.ts'
import type { Source } from './coerce/coercion.ts'
import { type Candidate, JsonScanner } from './scanner.ts'

/** Where the members of the values of a text stand. */
export type Places = () => Pick<JsonScanner, 'candidates' | 'spans'>

/**
 * Nobody keeps the places of members while reading, because most are never asked for; with the first question the
 * text is read once more.
 */
export function placesOf(source: () => string, limits: Limits): Places {
  let scanner: JsonScanner | undefined
  return () => {
    if (!scanner) {
      scanner = new JsonScanner(limits, true)
      scanner.push(source())
      scanner.end()
    }
    return scanner
  }
}

/** Finds the places of one of the values. */
export function locate(source: () => string, candidate: Candidate, places: Places): Source {
  const find = (
    path: readonly PropertyKey[],
    key: boolean,
  ): { readonly span: Span; readonly whole: boolean } => {
    const { candidates, spans } = places()
    let steps = path
    let from = candidate
    if (candidate.parts && path.length > 0) {
      from = candidate.parts[path[0] as number] ?? candidate
      steps = path.slice(1)
    }
    let at = candidates.find((other) => other.start === from.start)?.value
    let span: Span = [from.start, from.end]
    for (const [i, step] of steps.entries()) {
      const member = spans?.get(at as object)?.get(step)
      // Made up while reading: its place is that of what it was made from.
      if (!member) return { span, whole: false }
      span = key && i === steps.length - 1 ? [member[0], member[1]] : [member[2], member[3]]
      at = (at as Record<PropertyKey, unknown>)[step]
    }
    return { span, whole: true }
  }
  return {
    span: (path, key = false) => find(path, key).span,
    text: (path) => {
      const { span, whole } = find(path, false)
      return whole ? source().slice(...span) : undefined
    },
  }
}
