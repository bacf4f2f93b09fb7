/** Bytes of a line, unless another number is given: a text of the greatest length fits, if not all of it is escaped. */
export const MAX_LINE = 64 * 1024 * 1024
const LINE_BREAK = 10

/** Lines that follow each other, or one that is too long to be kept. */
export interface Block {
  /** The number of its first line, from 1. */
  readonly first: number
  readonly lines: number
  /** Whole lines; `undefined`: one line, longer than the limit. */
  readonly bytes: Uint8Array | undefined
  /** How much of the input it is. */
  readonly size: number
}

/**
 * Bytes as blocks of whole lines: all lines that end in a chunk are one, so that nothing waits that could be read
 * already. Of a line that is longer than `maxLine` no more than that is ever held.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxLine: number,
  signal: AbortSignal,
): AsyncGenerator<Block> {
  let first = 1
  /** The line at hand, as far as earlier chunks had it, and how long that is. */
  let before: Uint8Array[] = []
  let length = 0
  for await (const chunk of chunks) {
    let lines = 0
    let start = 0
    let at = 0
    const whole = (): Block => {
      const bytes = joined([...before, chunk.subarray(start, at)])
      return { first, lines, bytes, size: bytes.length }
    }
    for (let end = chunk.indexOf(LINE_BREAK); end >= 0; end = chunk.indexOf(LINE_BREAK, at)) {
      length += end - at
      if (length > maxLine) {
        if (lines > 0) yield whole()
        first += lines
        yield { first, lines: 1, bytes: undefined, size: length + 1 }
        first++
        lines = 0
        start = end + 1
        before = []
      } else lines++
      at = end + 1
      length = 0
    }
    if (lines > 0) {
      yield whole()
      first += lines
      before = []
    }
    const rest = chunk.subarray(at)
    length += rest.length
    if (length > maxLine) before = []
    else if (rest.length > 0) before.push(rest)
  }
  // Where somebody has stopped the input, it ends within a line.
  if (length === 0 || signal.aborted) return
  const bytes = length > maxLine ? undefined : joined(before)
  yield { first, lines: 1, bytes, size: length }
}

/** In memory of its own: a slice of a shared buffer would be sent to another thread together with all the rest. */
function joined(parts: readonly Uint8Array[]): Uint8Array {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    bytes.set(part, at)
    at += part.length
  }
  return bytes
}
