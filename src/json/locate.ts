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
  const span = (path: readonly PropertyKey[], key = false): Span => {
    const { candidates, spans } = places()
    let at = candidates.find((other) => other.start === candidate.start)?.value
    let place: Span = [candidate.start, candidate.end]
    for (const [i, step] of path.entries()) {
      const member = spans?.get(at as object)?.get(step)
      // Made up while reading: its place is that of what it was made from.
      if (!member) break
      place = key && i === path.length - 1 ? [member[0], member[1]] : [member[2], member[3]]
      at = (at as Record<PropertyKey, unknown>)[step]
    }
    return place
  }
  return { span, text: (path) => source().slice(...span(path)) }
}
