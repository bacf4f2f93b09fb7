import { expect, it } from 'vitest'
import { JsonStrings } from './json-strings.ts'

// ^ stands below what is within a string.
it.each([
  ['{"a": "b"}', '  ^^   ^^ '],
  ['[ "a\\"b", 1]', '   ^^^^^    '],
  ["{'a': \"it's\"}", '  ^^   ^^^^^ '],
  ['say "a" to [b] "c"', '                  '],
  ['[a "b"]', '       '],
  ['{"a\n"b": "c"}', '  ^^      ^^ '],
  ['[[]] "a"', '        '],
])('knows the strings of %j', (text, marks) => {
  const strings = new JsonStrings()
  let found = ''
  for (const character of text) {
    found += strings.inside ? '^' : ' '
    strings.feed(character)
  }
  expect(found.trimEnd()).toBe(marks.trimEnd())
})

it('forgets a value that something else interrupts', () => {
  const strings = new JsonStrings()
  strings.feed('[{"a": "b')
  expect(strings.inside).toBe(true)
  strings.reset()
  strings.feed(' "c')
  expect(strings.inside).toBe(false)
})
