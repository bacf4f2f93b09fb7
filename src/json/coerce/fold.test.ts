import { expect, it } from 'vitest'
import { fold, foldWords } from './fold.ts'

it.each([
  ['userName', ['user', 'name']],
  ['User-Name', ['user', 'name']],
  ['USER_NAME', ['user', 'name']],
  ['Straße n°7', ['straße', 'n', '7']],
  ['Café Noël', ['cafe', 'noel']],
  ['isn’t', ['isnt']],
  ['v2Beta', ['v2', 'beta']],
  ['漢字 名', ['漢字', '名']],
  [' -- ', []],
])('the words of %j are %j', (text, words) => {
  expect(foldWords(text)).toEqual(words)
})

it('makes one name of many ways to write it', () => {
  expect(new Set(['unitPrice', 'Unit Price', 'unit_price', 'UNIT-PRICE', 'ünit price'].map(fold))).toEqual(
    new Set(['unitprice']),
  )
})
