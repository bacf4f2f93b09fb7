import { expect, it } from 'vitest'
import { defaultLimits } from '../core/limits.ts'
import { locate, placesOf } from './locate.ts'
import { JsonScanner } from './scanner.ts'

/** The last value of a text, and a way to ask for the text of its members. */
function open(text: string) {
  const scanner = new JsonScanner(defaultLimits)
  scanner.push(text)
  scanner.end()
  const candidate = scanner.candidates.at(-1)
  if (!candidate) throw new Error('no value')
  let reads = 0
  const places = placesOf(() => {
    reads++
    return text
  }, defaultLimits)
  const source = locate(() => text, candidate, places)
  const at = (path: PropertyKey[], key = false) => text.slice(...(source.span(path, key) ?? [0, 0]))
  return { source, at, reads: () => reads }
}

it('finds members and their keys, however they are written', () => {
  const { at } = open(`Old: {"a": 0}. New: {a: [1.50, {'b c': "x\\n"}], "d" : true, }`)
  expect(at([])).toBe(`{a: [1.50, {'b c': "x\\n"}], "d" : true, }`)
  expect(at(['a'])).toBe(`[1.50, {'b c': "x\\n"}]`)
  expect(at(['a'], true)).toBe('a')
  expect(at(['a', 0])).toBe('1.50')
  expect(at(['a', 1, 'b c'])).toBe('"x\\n"')
  expect(at(['a', 1, 'b c'], true)).toBe("'b c'")
  expect(at(['d'])).toBe('true')
})

it('gives the nearest place for what does not stand in the text', () => {
  const { at } = open('{"a": {"b": 1}}')
  expect(at(['a', 'c'])).toBe('{"b": 1}')
  expect(at(['x', 'y'])).toBe('{"a": {"b": 1}}')
})

it('gives the last of two equal keys, as the value has it', () => {
  expect(open('{"a": 1, "a": 22}').at(['a'])).toBe('22')
})

it('finds keys that objects have anyway', () => {
  const { at } = open('{"__proto__": 1, "constructor": 2}')
  expect(at(['__proto__'])).toBe('1')
  expect(at(['constructor'])).toBe('2')
})

it('finds what was cut off', () => {
  expect(open('{"a": ["x", "yz').at(['a', 1])).toBe('"yz')
})

it('reads the text only when asked, and once', () => {
  const { source, reads } = open('{"a": 1, "b": 2}')
  expect(reads()).toBe(0)
  source.span(['a'])
  source.span(['b'])
  expect(reads()).toBe(1)
})
