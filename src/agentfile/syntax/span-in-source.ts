import type { Span } from '../../core/span.ts'
import type { Text } from './agentfile.ts'

/** Where a range of a string's text stands in the file. */
export function spanInSource({ offsets, span }: Text, [start, end]: Span): Span {
  const place = (at: number): number => {
    // The last entry that does not lie behind the place.
    let low = 0
    let high = offsets.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((offsets[middle]?.[0] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    const [inText, inSource] = offsets[low] ?? [0, span[0]]
    return Math.min(inSource + at - inText, span[1])
  }
  // The end is that of the last character: what comes behind it may be an escape.
  return start === end ? [place(start), place(start)] : [place(start), Math.min(place(end - 1) + 1, span[1])]
}
