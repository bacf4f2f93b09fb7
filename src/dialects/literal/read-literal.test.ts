import { describe, expect, it } from 'vitest'
import { readLiteral } from './read-literal.ts'

const value = (text: string) => readLiteral(text)?.value

describe('strings', () => {
  it.each([
    [`'a'`, 'a'],
    ['"a"', 'a'],
    ['`a`', 'a'],
    ['“a”', 'a'],
    [`'''it's\n"so"'''`, `it's\n"so"`],
    [`r'\\n'`, '\\n'],
    [`rb"\\t"`, '\\t'],
    [`f'{x}'`, '{x}'],
    [`u"ä"`, 'ä'],
    [`'a\nb'`, 'a\nb'],
    [`''`, ''],
  ])('%s', (text, said) => {
    expect(readLiteral(text)).toEqual({ value: said, end: text.length, complete: true, kind: 'string' })
  })

  it.each([
    [String.raw`'a\nb\t\\'`, 'a\nb\t\\'],
    [String.raw`'it\'s'`, "it's"],
    [String.raw`"\x41\u00e4\U0001F600"`, 'Aä😀'],
    [String.raw`'\d+\s(\w)\1'`, String.raw`\d+\s(\w)\1`],
    [String.raw`'\u12 \xz'`, String.raw`\u12 \xz`],
    [String.raw`"a\/b"`, 'a/b'],
    ["'a\\\nb'", 'ab'],
  ])('escapes: %s', (text, said) => expect(value(text)).toBe(said))

  it.each([
    [`['It's here', 'x']`, ["It's here", 'x']],
    [`["say "hi" now"]`, ['say "hi" now']],
    [`{'a': 'the 'b' of 'c''}`, { a: "the 'b' of 'c'" }],
    [`['Tom', 'Mum's']`, ['Tom', "Mum's"]],
  ])('a quote within is content if what follows does not fit: %s', (text, said) =>
    expect(value(text)).toEqual(said),
  )

  it('that stand in lines below each other are one', () => {
    expect(value(`['one '\n  'two', 3]`)).toEqual(['one two', 3])
  })

  it('that do not end', () => {
    expect(readLiteral(`'abc`)).toEqual({ value: 'abc', end: 4, complete: false, kind: 'string' })
  })

  it('between escaped quotes, as in a string of their own', () => {
    expect(value(String.raw`[\"a\", \"b\"]`)).toEqual(['a', 'b'])
  })

  it('between other delimiters, without escapes', () => {
    const text = '{k:<|"|>a, "b" \\n}<|"|>,n:1}'
    expect(readLiteral(text, 0, { quotes: ['<|"|>'] })?.value).toEqual({ k: 'a, "b" \\n}', n: 1 })
    expect(readLiteral('{k:<escape>v<escape>}', 0, { quotes: ['<escape>'] })?.value).toEqual({ k: 'v' })
  })

  it('with underscores that are escaped for Markdown', () => {
    expect(readLiteral("'a\\_b'", 0, { markdown: true })?.value).toBe('a_b')
    expect(value("'a\\_b'")).toBe('a\\_b')
  })
})

describe('numbers and words', () => {
  it.each([
    ['1_000', 1000],
    ['1e5', 100000],
    ['-3.5e-3', -0.0035],
    ['.5', 0.5],
    ['+2', 2],
    ['5.', 5],
    ['5*60', 300],
    ['10**3', 1000],
    ['(10-4)/2', 3],
    ['2 ** -1', 0.5],
    ['True', true],
    ['false', false],
    ['None', null],
    ['null', null],
  ])('%s', (text, number) => expect(value(text)).toBe(number))

  it.each([
    '02134',
    '2022-12-25',
    '1/2/2020',
    '12345678901234567890',
    '9**99',
    '1/0',
    'x + 1',
    '3 apples',
    '12:30',
  ])('what is none, or would lose something, stays text: %s', (text) =>
    expect(readLiteral(text)).toMatchObject({ value: text, kind: 'text', end: text.length }),
  )

  it('end with their line where nothing is open', () => {
    expect(readLiteral('New York\nnext')).toMatchObject({ value: 'New York', end: 8 })
  })
})

describe('containers', () => {
  it.each([
    ['[1, 2,]', [1, 2]],
    ['(1, "a")', [1, 'a']],
    ['(1,)', [1]],
    ['(1)', 1],
    ['()', []],
    ['{1, 2}', [1, 2]],
    ['{}', {}],
    [`{'a': 1, "b": None, c: x, d=[2], 'e' : (1, 2)}`, { a: 1, b: null, c: 'x', d: [2], e: [1, 2] }],
    ['dict(a=1, b=dict(c=2))', { a: 1, b: { c: 2 } }],
    ['[datetime(2020, 1, 1), f("x, y")]', ['datetime(2020, 1, 1)', 'f("x, y")']],
    ['[x[1], "a" + b, [1] * 3]', ['x[1]', '"a" + b', '[1] * 3']],
    ['[1, # one\n 2]', [1, 2]],
    ['[1 // one\n, 2]', [1, 2]],
    ['[#fff, http://x.y/z]', ['#fff', 'http://x.y/z']],
    ['{"a": 1 "b": 2}', { a: 1, b: 2 }],
    ['{"a": "x"\n "b": "y"}', { a: 'x', b: 'y' }],
    ['{"at": 12:30}', { at: '12:30' }],
  ])('%s', (text, expected) => expect(readLiteral(text)).toMatchObject({ value: expected, complete: true }))

  it.each([
    ['[1, [2', [1, [2]]],
    ['{"a": {"b": 1}', { a: { b: 1 } }],
    ['[{"a": [1, 2}]', [{ a: [1, 2] }]],
  ])('that do not close: %s', (text, expected) =>
    expect(readLiteral(text)).toMatchObject({ value: expected, complete: false, end: text.length }),
  )

  it('have no prototype for a key', () => {
    const read = value('{"__proto__": {"x": 1}}') as Record<string, unknown>
    expect(Object.keys(read)).toEqual(['__proto__'])
    expect(read.x).toBeUndefined()
  })

  it('say where they stand', () => {
    const spans = new Map()
    const list = readLiteral('a [1, {"b": 2}]', 2, { spans })?.value as object[]
    expect(spans.get(list)).toEqual([2, 15])
    expect(spans.get(list[1])).toEqual([6, 14])
  })

  it('are text where they are too deep', () => {
    expect(readLiteral('['.repeat(100_000))).toMatchObject({ complete: false })
  })
})

it('is nothing where nothing stands', () => {
  expect(readLiteral('')).toBeUndefined()
  expect(readLiteral('a ', 2)).toBeUndefined()
  expect(readLiteral(',')).toBeUndefined()
})

it.each([
  "'a' b ",
  '[ x',
  '{"a',
  "[1]x '",
  '"a"   \n',
  '\\"',
  '{a:',
  "'''",
  '(1,\n',
  'x= ',
  '- ',
  '1e',
  '*a**b',
])('reads a lot of %j in no time', { timeout: 60_000 }, (part) => {
  for (const open of ['', '[', '{"a": "', 'f(']) {
    const start = performance.now()
    readLiteral(open + part.repeat(500_000 / part.length))
    expect(performance.now() - start).toBeLessThan(5000)
  }
})
