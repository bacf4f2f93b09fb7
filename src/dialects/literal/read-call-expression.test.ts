import { describe, expect, it } from 'vitest'
import { readCallExpression } from './read-call-expression.ts'

const pairs = (text: string) => readCallExpression(text)?.args.map(({ key, value }) => [key, value])

describe('a call', () => {
  it('has a name, and arguments with or without names', () => {
    expect(readCallExpression(`a.f(x=1, "y", z=[True])`)).toEqual({
      name: 'a.f',
      args: [
        { key: 'x', value: 1, span: [6, 7], text: '1', kind: 'number', spread: false },
        { key: undefined, value: 'y', span: [9, 12], text: '"y"', kind: 'string', spread: false },
        { key: 'z', value: [true], span: [16, 22], text: '[True]', kind: 'array', spread: false },
      ],
      end: 23,
      complete: true,
    })
  })

  it.each([
    ['f()', []],
    ['f ( )', []],
    [
      'f(a: 1, "b": 2, c => 3)',
      [
        ['a', 1],
        ['b', 2],
        ['c', 3],
      ],
    ],
    ['f({"a": 1})', [[undefined, { a: 1 }]]],
    [
      'f(a=1 b="x" c=2)',
      [
        ['a', 1],
        ['b', 'x'],
        ['c', 2],
      ],
    ],
    [
      'f(a=1,\n  # the other\n  b=2,\n)',
      [
        ['a', 1],
        ['b', 2],
      ],
    ],
    [
      'f(city=New York, NY, n=1)',
      [
        ['city', 'New York, NY'],
        ['n', 1],
      ],
    ],
    [
      'f(a=g(1, 2), b=x if y else z)',
      [
        ['a', 'g(1, 2)'],
        ['b', 'x if y else z'],
      ],
    ],
    [
      'f(at=12:30, to=http://x.y)',
      [
        ['at', '12:30'],
        ['to', 'http://x.y'],
      ],
    ],
    [
      'f(a==1, lambda x: x)',
      [
        [undefined, 'a==1'],
        [undefined, 'lambda x: x'],
      ],
    ],
    [
      'f(a=, b=1)',
      [
        ['a', null],
        ['b', 1],
      ],
    ],
    [String.raw`f(a\_b=1)`, [['a_b', 1]]],
  ])('%s', (text, expected) => expect(pairs(text)).toEqual(expected))

  it('may have escaped underscores in its name', () => {
    expect(readCallExpression(String.raw`get\_x.y(1)`)?.name).toBe('get_x.y')
  })

  it.each([
    ['f(a=[1, 2', [['a', [1, 2]]]],
    ['f(a="x', [['a', 'x']]],
    ['f(a=1]', [['a', 1]]],
    [
      'f(a=1,\n b=2\ng(c=3)',
      [
        ['a', 1],
        ['b', 2],
      ],
    ],
  ])('that does not close: %s', (text, expected) => {
    expect(readCallExpression(text)).toMatchObject({ complete: false })
    expect(pairs(text)).toEqual(expected)
  })

  it.each(['f', 'f[1]', '(1)', '1(2)', ''])('is none without a name and a bracket: %s', (text) =>
    expect(readCallExpression(text)).toBeUndefined(),
  )

  it('ends where its bracket closes', () => {
    expect(readCallExpression('f(a=(1, 2)) and more')?.end).toBe(11)
  })
})
