import type { Span } from '../../core/span.ts'
import type { Field, PlainType, Type } from './agentfile.ts'
import type { TokenCursor } from './token-cursor.ts'

export const plainTypes: readonly PlainType[] = ['string', 'number', 'integer', 'boolean', 'date', 'duration']
/** What they are called elsewhere. */
const otherNames = new Map([
  ['str', 'string'],
  ['text', 'string'],
  ['int', 'integer'],
  ['float', 'number'],
  ['double', 'number'],
  ['bool', 'boolean'],
  ['datetime', 'date'],
  ['array', 'list<string>'],
  ['object', '{…}'],
])
/** Types and values within each other. */
export const MAX_DEPTH = 32

/** `string`, `list<T>`, `{a: T, b: T}`, `enum("a", "b")`. Undefined where there is none; that is said. */
export function parseType(cursor: TokenCursor, depth = 0): Type | undefined {
  const { kind, text, span } = cursor.next
  const from = span[0]
  if (depth === MAX_DEPTH) {
    cursor.report.add('too_deep', { limit: MAX_DEPTH }, span)
    skipNested(cursor)
    return undefined
  }
  if (cursor.takeIf('{')) {
    const fields = parseFields(cursor, '}', depth + 1)
    expect(cursor, '}')
    return { kind: 'object', fields, span: [from, cursor.end] }
  }
  if (kind !== 'word' && kind !== 'illegal') {
    cursor.unexpected('a type')
    return undefined
  }
  if (cursor.isStatementOver) {
    cursor.unexpected('a type')
    return undefined
  }
  cursor.take()
  if (text === 'list') {
    if (!expect(cursor, '<')) return undefined
    const of = parseType(cursor, depth + 1)
    expect(cursor, '>')
    return of && { kind: 'list', of, span: [from, cursor.end] }
  }
  if (text === 'enum') {
    const values = parseEnum(cursor)
    return { kind: 'enum', values, span: [from, cursor.end] }
  }
  const plain = plainTypes.find((one) => one === text)
  if (plain) return { kind: plain, span }
  const suggestion =
    otherNames.get(text.toLowerCase()) ?? cursor.report.suggest(text, [...plainTypes, 'list', 'enum'])
  cursor.report.add('unknown_type', { name: text, suggestion }, span)
  return undefined
}

/** `a, b: T`: outputs, or the fields of an object, up to `close`. */
export function parseFields(cursor: TokenCursor, close?: string, depth = 0): Field[] {
  const fields: Field[] = []
  const seen = new Set<string>()
  if (close && cursor.isNext(close)) return fields
  parseList(cursor, () => {
    const name = cursor.takeName(close ? 'the name of a field' : 'the name of an output')
    if (!name) return false
    // Outputs are compared later, with all other names.
    if (close && seen.has(name.text))
      cursor.report.add('duplicate_name', { what: 'the field', name: name.text }, name.span)
    seen.add(name.text)
    const type = cursor.takeIf(':') ? parseType(cursor, depth) : undefined
    const span: Span = [name.span[0], cursor.end]
    fields.push(type ? { name, type, span } : { name, span })
    return true
  })
  return fields
}

function parseEnum(cursor: TokenCursor): string[] {
  const values = new Set<string>()
  if (!expect(cursor, '(')) return []
  parseList(cursor, () => {
    if (cursor.next.kind !== 'string') {
      cursor.unexpected('a string')
      return false
    }
    const { text, span } = cursor.take()
    if (values.has(text)) cursor.report.add('duplicate_name', { what: 'the value', name: text }, span)
    else values.add(text)
    return true
  })
  expect(cursor, ')')
  return [...values]
}

/** Items with commas between them. A comma that is missing before a word on the same line is said, and no more. */
export function parseList(cursor: TokenCursor, parseItem: () => boolean): void {
  while (parseItem()) {
    if (cursor.takeIf(',')) continue
    const { kind, startsLine } = cursor.next
    if (startsLine || cursor.isStatementOver || kind !== 'word' || isClauseWord(cursor)) return
    cursor.report.add(
      'unexpected',
      { found: JSON.stringify(cursor.next.text), expected: 'a comma' },
      cursor.next.span,
    )
  }
}

const clauseWords = /^(?:FROM|USING|REQUIRES|WITHIN|DEFAULT|HUMAN|THEN|SUPERVISED|UNSUPERVISED)$/

function isClauseWord({ next }: TokenCursor): boolean {
  return clauseWords.test(next.text)
}

/** Takes a sign, or says that it is missing. */
export function expect(cursor: TokenCursor, sign: string): boolean {
  if (cursor.takeIf(sign)) return true
  cursor.unexpected(JSON.stringify(sign))
  return false
}

/** Passes over brackets that are too deep, up to where they are closed. */
export function skipNested(cursor: TokenCursor): void {
  let open = 0
  while (!cursor.isStatementOver) {
    const { text, kind } = cursor.next
    if (kind === 'symbol' && /^[<({[]$/.test(text)) open++
    if (kind === 'symbol' && /^[>)}\]]$/.test(text) && open-- === 0) return
    cursor.skip()
  }
}
