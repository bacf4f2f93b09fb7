import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type InputEvent, KeySplitter } from './key-splitter.ts'

const split = (parts: readonly string[]): InputEvent[] => {
  const splitter = new KeySplitter()
  return [...parts.flatMap((part) => splitter.push(part)), ...splitter.flush()]
}
const keys = (text: string) => split([text]).map((event) => event.text)
/** However many characters came at once. */
const apart = (events: readonly InputEvent[]): unknown[] =>
  events.flatMap<unknown>((event) => (event.kind === 'text' ? [...event.text] : [event]))

describe('keys', () => {
  test.each([
    ['ab', ['ab']],
    ['日👍\x01a', ['日👍', '\x01', 'a']],
    ['\x1b[A\x1b[1;5Cx', ['\x1b[A', '\x1b[1;5C', 'x']],
    ['\x1bOP\x1bO5A\x1b[[Ax', ['\x1bOP', '\x1bO5A', '\x1b[[A', 'x']],
    ['\x1bb\x1b\rx', ['\x1bb', '\x1b\r', 'x']],
    ['\x1b\x1b[A', ['\x1b', '\x1b[A']],
    ['a\r\nb\n', ['a', '\r', 'b', '\n']],
    ['\x1b[12\x03', ['\x1b[12', '\x03']],
  ])('%j', (text, expected) => {
    expect(keys(text)).toEqual(expected)
  })

  test('have names where something is done with them', () => {
    const names = split(['\x03\x14\r\t\x7f\x1b\r\x1b[3~\x1b[Aq']).map(
      (event) => event.kind === 'key' && event.name,
    )
    expect(names).toEqual([
      'ctrl-c',
      'ctrl-t',
      'enter',
      'tab',
      'backspace',
      'alt-enter',
      'delete',
      undefined,
      false,
    ])
  })

  test('only time tells the escape key from a sequence', () => {
    const splitter = new KeySplitter()
    expect(splitter.push('\x1b')).toEqual([])
    expect(splitter.isUndecided).toBe(true)
    expect(splitter.flush()).toEqual([{ kind: 'key', name: 'escape', text: '\x1b' }])
    // Nobody types this: the rest of it is on its way, however long that takes.
    splitter.push('\x1b[20')
    expect(splitter.isUndecided).toBe(false)
  })

  test('a sequence without an end holds nothing up for ever', () => {
    const events = split([`\x1b[${'1'.repeat(1000)}`])
    expect(events.map(({ kind }) => kind)).toEqual(['key', 'text'])
  })
})

describe('pastes', () => {
  test('are whole', () => {
    expect(split(['a\x1b[200~one\rtwo\x1b[A\x03\x1b[201~b'])).toMatchObject([
      { text: 'a' },
      { kind: 'paste', text: 'one\rtwo\x1b[A\x03', isCut: false },
      { text: 'b' },
    ])
  })

  test('are bounded', () => {
    const splitter = new KeySplitter()
    splitter.push('\x1b[200~')
    for (let i = 0; i < 50; i++) splitter.push('x'.repeat(100_000))
    const [paste] = splitter.push('\x1b[201~')
    expect(paste).toMatchObject({ kind: 'paste', isCut: true, text: expect.stringMatching(/^x{4000000}$/) })
  })

  test('end with Ctrl-C if their end got lost', () => {
    const splitter = new KeySplitter()
    splitter.push('\x1b[200~abc')
    expect(splitter.push('\x03')).toMatchObject([{ kind: 'paste', text: 'abc' }, { name: 'ctrl-c' }])
    expect(splitter.push('x')).toMatchObject([{ text: 'x' }])
  })
})

test('the same at every split', () => {
  const parts = fc.constantFrom(
    'a',
    '日',
    '\r',
    '\n',
    '\x1b[A',
    '\x1b[200~',
    '\x1b[201~',
    '\x1b',
    '[',
    '2',
    '\x1bOP',
    '👍',
    '~',
  )
  fc.assert(
    fc.property(fc.array(parts, { maxLength: 20 }), (all) => {
      const text = all.join('')
      expect(apart(split([...text]))).toEqual(apart(split([text])))
      expect(apart(split(all))).toEqual(apart(split([text])))
    }),
    { numRuns: 1000 },
  )
})
