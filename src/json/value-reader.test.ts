import { describe, expect, it } from 'vitest'
import { defaultLimits } from '../core/limits.ts'
import { ValueReader } from './value-reader.ts'

function read(chunks: readonly string[], tentative = false): ValueReader {
  const reader = new ValueReader(defaultLimits, tentative)
  for (const chunk of chunks) reader.push(chunk)
  return reader
}

describe('value reader', () => {
  it('tells where a value ends, and leaves what follows', () => {
    const text = '{"a": [1, "}"]} and more'
    for (const chunks of [[text], text.split('')])
      expect(read(chunks).found).toEqual({ value: { a: [1, '}'] }, end: 15, complete: true, issues: [] })
  })

  it('gives what there is when the text ends', () => {
    const reader = read(['{"a": "b'])
    expect(reader.found).toBeUndefined()
    reader.end()
    expect(reader.found).toMatchObject({ value: { a: 'b' }, end: 8, complete: false })
  })

  it('knows when it stands within a string', () => {
    expect(read(['{"a": "b']).inside).toBe(true)
    expect(read(['{"a": "b",']).inside).toBe(false)
    expect(read(['{"a": ']).inside).toBe(false)
  })

  it('drops what is no value, where that is asked for', () => {
    const text = '[see (below)] for more'
    for (const chunks of [[text], text.split('')]) {
      const reader = read(chunks, true)
      expect(reader.dropped).toBe(true)
      expect(reader.droppedAt).toBeLessThanOrEqual(text.length)
      reader.end()
      expect(reader.found).toBeUndefined()
    }
  })
})
