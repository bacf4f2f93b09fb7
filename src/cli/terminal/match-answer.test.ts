import { expect, test } from 'vitest'
import { formatChoices, matchAnswer } from './match-answer.ts'

const choices = { yes: 1, no: 1, always: 3, never: 3 }

test.each([
  ['y', 'yes'],
  ['ye', 'yes'],
  [' YES ', 'yes'],
  ['n', 'no'],
  ['no', 'no'],
  ['alw', 'always'],
  ['always', 'always'],
  ['nev', 'never'],
  // What lasts is not granted by a slip of the finger.
  ['a', undefined],
  ['al', undefined],
  ['ne', undefined],
  ['', undefined],
  ['yess', undefined],
  ['yes please', undefined],
  ['toString', undefined],
])('%j → %s', (typed, expected) => {
  expect(matchAnswer(typed, choices)).toBe(expected)
})

test('what fits two words is none, unless it is one of them', () => {
  expect(matchAnswer('no', { no: 1, now: 1 })).toBe('no')
  expect(matchAnswer('n', { no: 1, now: 1 })).toBeUndefined()
})

test('the choices show how much is enough', () => {
  expect(formatChoices(choices)).toBe('[y]es, [n]o, [alw]ays, [nev]er? ')
})
