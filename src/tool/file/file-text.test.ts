import fc from 'fast-check'
import { expect, it } from 'vitest'
import { decodeText, styledText } from './file-text.ts'

it('text is put back as it was, whatever its line ends and marks', () => {
  const any = fc.string({ unit: fc.constantFrom('a', '\r', '\n', '\r\n', '\ufeff', '😀'), maxLength: 12 })
  fc.assert(
    fc.property(any, (text) => {
      const read = decodeText(Buffer.from(text), 'x')
      expect(styledText(read.text, read.style)).toBe(text)
    }),
    { numRuns: 1000 },
  )
})

it('only UTF-8 without NUL is text', () => {
  for (const bytes of [[0], [0x61, 0], [0xff], [0xc0, 0xaf], [0xed, 0xa0, 0x80], [0xe2, 0x82]])
    expect(() => decodeText(Uint8Array.from(bytes), 'x')).toThrow('x is a binary file')
})
