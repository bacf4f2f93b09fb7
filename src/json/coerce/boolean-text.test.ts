import { expect, it } from 'vitest'
import { booleanInText } from './boolean-text.ts'

it.each([
  ['true', true],
  ['Yes.', true],
  ['Y', true],
  ['1', true],
  ['off', false],
  ['untrue', false],
  ['That is true', true],
  ['not true', false],
  ["That isn't correct", false],
  ['No, that is false', false],
  ['No', false],
  ['yes and no', undefined],
  ['true or false', undefined],
  ['maybe', undefined],
  ['y x', undefined],
  ['', undefined],
])('%j says %j', (text, expected) => {
  expect(booleanInText(text)).toBe(expected)
})
