import { expect, it } from 'vitest'
import { compileSchema } from '../../schema/compile-schema.ts'
import { argumentsOf } from './arguments-of.ts'
import { readCallExpression } from './read-call-expression.ts'

const { shape } = compileSchema({
  type: 'object',
  properties: { zip: { type: 'string' }, count: { type: 'integer' }, options: { type: 'object' } },
})

const read = (text: string) => argumentsOf(readCallExpression(text)?.args ?? [], shape)

it.each([
  ['f(zip="1", count=2)', { zip: '1', count: 2 }],
  ['f("1", 2)', { zip: '1', count: 2 }],
  ['f(2, zip="1")', { zip: '1', count: 2 }],
  ['f({"zip": "1", "count": 2})', { zip: '1', count: 2 }],
  ['f(**{"zip": "1"}, count=2)', { zip: '1', count: 2 }],
  ['f(*["1", 2])', { zip: '1', count: 2 }],
  ['f("1", 2, {"a": 1})', { zip: '1', count: 2, options: { a: 1 } }],
  ['f({"other": 1})', { other: 1 }],
  ['f("1", 2, {}, "too many")', { zip: '1', count: 2, options: {} }],
  ['f(other=1)', { other: 1 }],
])('%s', (text, expected) => expect(read(text)).toEqual(expected))

it('keeps what is written where text is wanted', () => {
  expect(read('f(zip=1e5)')).toEqual({ zip: '1e5' })
  expect(read('f(zip=02134, count=02)')).toEqual({ zip: '02134', count: '02' })
  expect(read('f(5*60, 5*60)')).toEqual({ zip: '5*60', count: 300 })
})

it('leaves an object that is the first argument where it belongs', () => {
  const first = compileSchema({
    type: 'object',
    properties: { filter: { type: 'object' }, n: { type: 'integer' } },
  })
  const { args = [] } = readCallExpression('f({"a": 1})') ?? {}
  expect(argumentsOf(args, first.shape)).toEqual({ filter: { a: 1 } })
})

it('knows no prototype', () => {
  const given = read('f(__proto__={"x": 1})')
  expect(Object.keys(given)).toEqual(['__proto__'])
  expect(given.x).toBeUndefined()
})
