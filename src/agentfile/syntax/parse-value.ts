import type { JsonValue, Value } from './agentfile.ts'
import { expect, MAX_DEPTH, parseList, skipNested } from './parse-type.ts'
import type { TokenCursor } from './token-cursor.ts'

/** The value behind DEFAULT: a string, a number, true, false, `[…]` or `{…}`. */
export function parseValue(cursor: TokenCursor): Value | undefined {
  const from = cursor.next.span[0]
  const value = parseJson(cursor, 0)
  return value === undefined ? undefined : { value, span: [from, cursor.end] }
}

function parseJson(cursor: TokenCursor, depth: number): JsonValue | undefined {
  const { kind, text, span } = cursor.next
  if (depth === MAX_DEPTH) {
    cursor.report.add('too_deep', { limit: MAX_DEPTH }, span)
    skipNested(cursor)
    return undefined
  }
  if (kind === 'string') return cursor.take().text
  if (kind === 'number' && Number.isFinite(Number(text))) return Number(cursor.take().text) || 0
  if (kind === 'word' && (text === 'true' || text === 'false')) return cursor.take().text === 'true'
  if (cursor.takeIf('[')) {
    const items: JsonValue[] = []
    if (!cursor.isNext(']'))
      parseList(cursor, () => {
        const item = parseJson(cursor, depth + 1)
        if (item !== undefined) items.push(item)
        return item !== undefined
      })
    expect(cursor, ']')
    return items
  }
  if (cursor.takeIf('{')) return parseObject(cursor, depth)
  // DEFAULT medium
  //         ^^^^^^ it was meant as a string
  const isBare = kind === 'illegal' || (kind === 'word' && !cursor.next.startsLine && !cursor.isStatementOver)
  const advice = `a value${isBare ? ', as "text" in quotes, a number, true or false' : ''}`
  cursor.unexpected(advice)
  return isBare ? cursor.take().text : undefined
}

function parseObject(cursor: TokenCursor, depth: number): JsonValue {
  const entries: [string, JsonValue][] = []
  if (!cursor.isNext('}'))
    parseList(cursor, () => {
      const key = cursor.next.kind === 'string' ? cursor.take() : cursor.takeName('the name of a field')
      if (!key || !expect(cursor, ':')) return false
      const value = parseJson(cursor, depth + 1)
      if (value !== undefined) entries.push([key.text, value])
      return value !== undefined
    })
  expect(cursor, '}')
  return Object.fromEntries(entries)
}
