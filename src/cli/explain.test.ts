import { expect, it } from 'vitest'
import { explain } from './explain.ts'
import type { Mark } from './read-as.ts'

const value = (from: number, to: number): Mark => ({ kind: 'value', label: 'value', span: [from, to] })

it('names a part where it begins, and goes on below', () => {
  expect(explain('a\nbc\nd\n', [value(2, 6)], [], false)).toBe(
    ['  1         │ a', '  2   value ┃ bc', '  3         ┃ d', ''].join('\n'),
  )
})

it('keeps the line of a part through empty lines', () => {
  expect(explain('b\n\nc', [value(0, 4)], [], false)).toBe(
    ['  1   value ┃ b', '  2         ┃', '  3         ┃ c', ''].join('\n'),
  )
})

it('shows where several parts of a line stand, also behind wide characters', () => {
  expect(explain('東a b', [value(0, 1), value(3, 4)], [], false)).toBe(
    ['  1   value ┃ 東a b', '      text  │ └┘  ╵', ''].join('\n'),
  )
})

it('says that a part and plain text share a line', () => {
  const thought: Mark = { kind: 'reasoning', label: 'reasoning', span: [0, 17] }
  expect(explain('<think>hm</think>Hello', [thought], [], false)).toBe(
    ['  1   reasoning ┃ <think>hm</think>Hello', '      text      │ └─reasoning─────┘', ''].join('\n'),
  )
  const short: Mark = { kind: 'section', label: 'A', span: [3, 11] }
  expect(explain('So <A>x</A>\nb', [short], [], false)).toBe(
    ['  1   A    ┃ So <A>x</A>', '      text │    └─A────┘', '  2        │ b', ''].join('\n'),
  )
  const footnote: Mark = { kind: 'other', label: 'not taken', span: [4, 7] }
  expect(explain('See [1]:', [footnote], [], false)).toBe('  1   not taken ┃ See [1]:\n')
})

it('shows the worst issue of a line', () => {
  const issue = (severity: 'error' | 'repair', at: number) =>
    ({ code: 'x.y', severity, span: [at, at], params: {}, message: '' }) as const
  expect(explain('ab\nc\n', [], [issue('repair', 0), issue('error', 1), issue('repair', 4)], false)).toBe(
    ['  1 ✗  │ ab', '  2 ~  │ c', ''].join('\n'),
  )
})

it('underlines what is wrong, in colour', () => {
  const issue = (from: number, to: number) =>
    ({ code: 'x.y', severity: 'repair', span: [from, to], params: {}, message: '' }) as const
  const shown = explain('a bcd e', [value(2, 5)], [issue(2, 5), issue(3, 4), issue(6, 7), issue(6, 99)], true)
  expect(shown.replaceAll('\u001b', '')).toContain('a [32mb[0m[4;36mc[0m[32md[0m [4;36me[0m\n')
})

it('leaves out what nobody would read', () => {
  const text = explain(`${'x'.repeat(1000)}\n`.repeat(600), [], [], false)
  expect(text.split('\n')).toHaveLength(502)
  expect(text).toContain('⋮ the rest is not shown')
  expect(Math.max(...text.split('\n').map((line) => line.length))).toBeLessThan(220)
})

it('takes time that grows with the text', () => {
  const marks = Array.from({ length: 100_000 }, (_, i) => value(i * 4, i * 4 + 2))
  const text = 'ab, '.repeat(100_000)
  const start = performance.now()
  explain(text, marks, [], true)
  expect(performance.now() - start).toBeLessThan(2000)
})
