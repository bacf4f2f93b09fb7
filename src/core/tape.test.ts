import { expect, it } from 'vitest'
import { Tape } from './tape.ts'

const text = Array.from({ length: 3000 }, (_, i) => `${i} `).join('')

function tapeOf(size: number): Tape {
  const tape = new Tape()
  for (let at = 0; at < text.length; at += size) tape.append(text.slice(at, at + size))
  return tape
}

it.each([1, 7, 2048, 5000, text.length])('gives back what was appended in chunks of %i', (size) => {
  const tape = tapeOf(size)
  expect(tape.length).toBe(text.length)
  for (const [from, to] of [
    [0, 5],
    [2040, 2060],
    [2048, 4096],
    [100, 9000],
    [text.length - 3, text.length],
    [0, text.length],
    [50, 50],
    [text.length, text.length],
  ] as const)
    expect(tape.slice(from, to)).toBe(text.slice(from, to))
  expect(tape.text()).toBe(text)
})

it('can be read between the chunks', () => {
  const tape = new Tape()
  expect([tape.text(), tape.slice(0, 4)]).toEqual(['', ''])
  tape.append('ab')
  expect(tape.slice(1, 2)).toBe('b')
  tape.append('')
  tape.append('cd')
  expect(tape.slice(1, 3)).toBe('bc')
  expect(tape.text()).toBe('abcd')
  tape.append('e')
  expect(tape.slice(3, 99)).toBe('de')
})
