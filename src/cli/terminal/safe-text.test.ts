import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { columns } from '../../core/columns.ts'
import { SafeText } from './safe-text.ts'

function inParts(parts: readonly string[]): string {
  const safe = new SafeText()
  return parts.map((part) => safe.push(part)).join('') + safe.end()
}
const whole = (text: string) => inParts([text])
const units = (text: string) => inParts(text.split(''))

/** Text with all that has to be thought of. */
const hostile = fc
  .array(
    fc.constantFrom(
      'a',
      '日',
      '\x1b',
      '[31m',
      '\x07',
      '\r',
      '\n',
      '\t',
      '\u202e',
      '\u200d',
      '👩',
      '🚀',
      '\ud83d',
      '\ude80',
      '\x9b',
    ),
    { maxLength: 30 },
  )
  .map((parts) => parts.join(''))

describe('SafeText', () => {
  test('shows what a terminal would obey', () => {
    expect(whole('a\x1b[2Jb\x07\u202ec')).toBe('a\\u001b[2Jb\\u0007\\u202ec')
  })

  test('keeps lines, in whatever way they end', () => {
    expect(whole('a\r\nb\nc\rd\r')).toBe('a\nb\nc\\rd\\r')
  })

  test('lets emoji be joined, wherever they are cut', () => {
    const astronaut = '👩\u200d🚀'
    expect(whole(astronaut)).toBe(astronaut)
    expect(units(astronaut)).toBe(astronaut)
    expect(units('a\u200db')).toBe('a\\u200db')
  })

  test('is what `columns` makes of each line', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const lines = text.split(/\r?\n/).map((line) => columns(line).text)
        expect(whole(text)).toBe(lines.join('\n'))
      }),
    )
  })

  test('is the same at every split', () => {
    fc.assert(
      fc.property(hostile, fc.array(fc.nat(60), { maxLength: 5 }), (text, cuts) => {
        const places = [0, ...cuts.filter((cut) => cut < text.length).sort((a, b) => a - b), text.length]
        const parts = places.slice(1).map((place, i) => text.slice(places[i], place))
        expect(inParts(parts)).toBe(whole(text))
        expect(units(text)).toBe(whole(text))
      }),
    )
  })
})
