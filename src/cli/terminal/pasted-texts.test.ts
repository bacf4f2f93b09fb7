import { expect, test } from 'vitest'
import { PastedTexts } from './pasted-texts.ts'

test('marks stand for texts, each for its own', () => {
  const pastes = new PastedTexts()
  expect(pastes.paste('a\nb', false)).toBe('[2 lines pasted]')
  expect(pastes.paste('c\nd', false)).toBe('[2 lines pasted #2]')
  expect(pastes.paste('x'.repeat(2000), true)).toBe('[2000 characters pasted, cut off]')
  expect(pastes.expand('1 [2 lines pasted #2] 2 [2 lines pasted] [3]')).toBe('1 c\nd 2 a\nb [3]')
})

test('a text that looks like a mark is not looked through', () => {
  const pastes = new PastedTexts()
  const first = pastes.paste('[2 lines pasted #2]\n', false)
  const second = pastes.paste('x\ny', false)
  expect(pastes.expand(first + second)).toBe('[2 lines pasted #2]\nx\ny')
})

test('a message of earlier can be recognized', () => {
  const pastes = new PastedTexts()
  expect(pastes.recall('Fix this:\n\tcode\u202e')).toBe('[2 lines: Fix this:…]')
  expect(pastes.recall('Fix this:\nother')).toBe('[2 lines: Fix this:… #2]')
})

test('a mark is found where the cursor is', () => {
  const pastes = new PastedTexts()
  const mark = pastes.paste('a\nb', false)
  const line = `x${mark}y`
  expect(pastes.markBefore(line, 1 + mark.length)).toBe(mark)
  expect(pastes.markBefore(line, 3)).toBeUndefined()
  expect(pastes.markAt(line, 1)).toBe(mark)
  expect(pastes.markAt(line, 2)).toBeUndefined()
})
