import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { fitLine, textWidth, wrapLines } from './text-lines.ts'

const mono = { size: 10, mono: true } as const

test('wide characters count two', () => {
  expect(textWidth('東京', mono)).toBeCloseTo(textWidth('abcd', mono))
  expect(textWidth('東京', { size: 10 })).toBeGreaterThan(textWidth('ab', { size: 10 }))
})

describe('lines', () => {
  test('are broken at blanks, and the last is cut', () => {
    const width = textWidth('123456789', mono)
    expect(wrapLines('one two\n three  four five', mono, width, 3)).toEqual(['one two', 'three', 'four five'])
    expect(wrapLines('one two three four', mono, width, 2)).toEqual(['one two', 'three fo…'])
    expect(wrapLines('abcdefghijklm', mono, width, 2)).toEqual(['abcdefghi', 'jklm'])
    expect(wrapLines(' \n ', mono, width, 2)).toEqual([])
  })

  test('show what cannot be seen', () => {
    expect(fitLine('a\u001b[31m', mono, 1000)).toBe('a\\u001b[31m')
  })

  test('are never too wide, nor too many', () => {
    const font = fc.constantFrom(mono, { size: 12 }, { size: 14, bold: true as const })
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        font,
        fc.integer({ min: 100, max: 300 }),
        (text, font, width) => {
          const lines = wrapLines(text, font, width, 3)
          expect(lines.length).toBeLessThanOrEqual(3)
          for (const line of lines) expect(textWidth(line, font)).toBeLessThanOrEqual(width + 0.001)
        },
      ),
    )
  })
})
