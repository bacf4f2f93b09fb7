import fc from 'fast-check'
import { expect, test } from 'vitest'
import { interpolate, valueText } from './interpolate.ts'
import type { Value } from './program.ts'

const values = (given: Record<string, Value>) => new Map(Object.entries(given))

test('takes the longest name, once, and a dollar for two', () => {
  const variables = values({ topic: 'T', 'topic-x': 'X', list: ['a', 1], none: null })
  expect(interpolate('$topic $topic-x $topic-y ${topic}s $list $none $$topic', variables)).toBe(
    'T X T-y Ts ["a",1] null $topic',
  )
})

test('what stands in a value is never looked at again', () => {
  const name = fc.constantFrom('a', 'b', 'ab', 'a-b', 'a_b')
  const text = fc
    .array(fc.constantFrom('$a', '$b', '${ab}', '{{a}}', '$$', '$', 'x', '\n', '-', '"'))
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.dictionary(name, text), fc.array(name), (given, used) => {
      const variables = values(given)
      const known = used.filter((one) => variables.has(one))
      const prompt = known.map((one) => `<\${${one}}>`).join('')
      expect(interpolate(prompt, variables)).toBe(known.map((one) => `<${given[one]}>`).join(''))
    }),
  )
})

test('hostile names and values', () => {
  const variables = values({ a: '$& $1 $` \\' })
  expect(interpolate('$a|$constructor|$__proto__', variables)).toBe('$& $1 $` \\|$constructor|$__proto__')
  expect(valueText({ a: [true] })).toBe('{"a":[true]}')
})
