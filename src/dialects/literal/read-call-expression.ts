import { isDigit } from '../../json/characters.ts'
import type { Argument, LiteralOptions } from './literal.ts'
import { LiteralReader } from './literal-reader.ts'
import { isWordPart } from './literal-text.ts'

export interface CallExpression {
  readonly name: string
  readonly args: readonly Argument[]
  readonly end: number
  /** All of its brackets and quotes closed. */
  readonly complete: boolean
}

/** Reads the call that begins at `at`: `a.f(x=1, "y", **{"z": 2})`. Without a name and a bracket: `undefined`. */
export function readCallExpression(
  text: string,
  at = 0,
  options?: LiteralOptions,
): CallExpression | undefined {
  const nameEnd = callNameEnd(text, at)
  let open = nameEnd
  while (text[open] === ' ') open++
  if (nameEnd === at || text[open] !== '(') return undefined
  const reader = new LiteralReader(text, options)
  return { name: text.slice(at, nameEnd).replaceAll('\\_', '_'), ...readArguments(reader, open) }
}

/** The arguments behind `open`, up to the bracket that closes. */
export function readArguments(
  reader: LiteralReader,
  open: number,
  close?: string,
): Omit<CallExpression, 'name'> {
  reader.start(open)
  const args = reader.args(close).list
  return { args, end: reader.at, complete: reader.complete }
}

/** The end of a name at `at`: words with dots or dashes between them, and `\_` for `_`. */
export function callNameEnd(text: string, at: number): number {
  let end = at
  if (isDigit(text.charCodeAt(at))) return at
  for (;;) {
    const c = text.charCodeAt(end)
    if (isWordPart(c)) end++
    else if (c === 92 && text[end + 1] === '_') end += 2
    else if ((c === 46 || c === 45) && end > at && continues(text, end + 1)) end++
    else return end
  }
}

const continues = (text: string, at: number) => isWordPart(text.charCodeAt(at)) || text.startsWith('\\_', at)
