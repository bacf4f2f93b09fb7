import { expect, it } from 'vitest'
import { splits } from '../testing/splits.ts'
import { TrailingBreaks } from './trailing-breaks.ts'

it.each<[number, boolean | 'last', string, string]>([
  [1, false, 'a\n', 'a'],
  [1, false, 'a\n\n', 'a\n'],
  [1, false, 'a\r\n', 'a\r'],
  [1, true, 'a\r\n', 'a'],
  [1, true, 'a\n', 'a'],
  [1, true, 'a\r', 'a\r'],
  [2, 'last', 'a\n\n', 'a'],
  [2, 'last', 'a\n\n\n', 'a\n'],
  [2, 'last', 'a\r\n\r\n', 'a'],
  [2, 'last', 'a\r\n\n', 'a\r'],
  [2, 'last', 'a\n\r\n', 'a\n'],
  [2, 'last', '\n', ''],
  [0, false, 'a\n', 'a\n'],
])('%j %j %j', (most, crlf, text, content) => {
  for (const chunks of [[text], ...splits(text)]) {
    const breaks = new TrailingBreaks(most, crlf)
    const passed = chunks.map((chunk) => (chunk === '' ? '' : breaks.push(chunk))).join('')
    expect(passed + breaks.settle()).toBe(content)
    expect(content + breaks.flush()).toBe(text)
  }
})
