import { expect, it } from 'vitest'
import { holdBack } from './hold-back.ts'

it.each([
  ['so <thi', ['<think>'], 4],
  ['so <', ['<think>'], 1],
  ['so <think>', ['<think>'], 0],
  ['so <thing', ['<think>'], 0],
  ['``', ['```', '<think>'], 2],
  ['a <', ['</a>', '<b>'], 1],
  ['aab', ['abab', 'aabc'], 3],
  ['', ['<think>'], 0],
  ['<', [], 0],
  ['x', [''], 0],
])('%j before any of %j: %i', (text, delimiters, held) => {
  expect(holdBack(text, delimiters)).toBe(held)
})
