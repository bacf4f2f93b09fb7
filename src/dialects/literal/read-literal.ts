import type { Literal, LiteralOptions } from './literal.ts'
import { LiteralReader } from './literal-reader.ts'

/**
 * Reads the literal that begins at `at`, as Python, JSON or a mixture of both has it: strings, numbers, words, lists,
 * tuples, sets, objects. What is none is kept as text. Without anything at `at`: `undefined`.
 */
export function readLiteral(text: string, at = 0, options?: LiteralOptions): Literal | undefined {
  const reader = new LiteralReader(text, options)
  reader.start(at)
  const read = reader.value()
  return read && { ...read, end: reader.at, complete: reader.complete }
}
