import { expect, it } from 'vitest'
import { withoutLoop } from './without-loop.ts'

it.each([
  ['ab', false, [0, 1]],
  ['aaa', false, [0, 1, 2]],
  ['abcabc', false, [0, 1, 2, 3, 4, 5]],
  ['ababab', false, [0, 1]],
  ['ababab', true, [0, 1, 2, 3, 4, 5]],
  ['a'.repeat(20), true, [0]],
  ['xabababab', false, [0, 1, 2]],
])('%s, in a list: %s', (keys, closed, kept) => expect(withoutLoop([...keys], closed)).toEqual(kept))
