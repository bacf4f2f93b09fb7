import { expect, test } from 'vitest'
import { completeLine } from './complete-line.ts'

const words = ['/help', '/history', '/quit']

test.each([
  ['/q', { added: 'uit ', choices: [] }],
  ['/h', { added: '', choices: ['/help', '/history'] }],
  ['', { added: '/', choices: [] }],
  ['/x', { added: '', choices: [] }],
  ['/quit', { added: ' ', choices: [] }],
])('%j', (line, expected) => {
  expect(completeLine(line, words)).toEqual(expected)
})
