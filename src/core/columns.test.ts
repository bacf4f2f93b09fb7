import { describe, expect, it } from 'vitest'
import { columns } from './columns.ts'

describe('text for a terminal', () => {
  it.each([
    ['an escape', '\u001b[2J'],
    ['a mark of direction', 'a\u202eb'],
    ['a tag of ASCII', 'a\u{e0063}b'],
    ['a variation selector of the supplement', 'a\u{e0100}b'],
    ['a variation selector on a letter', 'a\ufe0fb'],
    ['a filler', 'a\u3164b'],
    ['a blank of Braille', 'a\u2800b'],
    ['a joiner on letters', 'a\u200db'],
    ['a soft hyphen', 'a\u00adb'],
    ['a C1 control', 'a\u009bb'],
  ])('shows %s as what it is', (_, text) => {
    expect(columns(text).text).toMatch(/\\u/)
    expect(columns(text).text).toMatch(/^[ -~]*$/)
  })

  it.each(['👩🏽‍🚀', '❤️‍🔥', '👨‍👩‍👧', '☺︎', '🏳️‍🌈', 'é', '日本語'])('lets %s be', (text) => {
    expect(columns(text).text).toBe(text)
  })
})
