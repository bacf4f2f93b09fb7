import { describe, expect, it } from 'vitest'
import { CallCursor } from './call-cursor.ts'

describe('text cursor', () => {
  it('skips space that arrives bit by bit', () => {
    const cursor = new CallCursor()
    cursor.push('a ')
    cursor.moveTo(1)
    expect(cursor.afterSpace()).toBe(cursor.buf.length)
    cursor.push(' \n')
    expect(cursor.afterSpace()).toBe(cursor.buf.length)
    cursor.push(' b')
    expect(cursor.buf[cursor.afterSpace()]).toBe('b')
    cursor.goTo(0)
    expect(cursor.afterSpace()).toBe(0)
  })

  it('waits for the second half of a written line break', () => {
    const cursor = new CallCursor()
    cursor.push('\\n \\')
    expect(cursor.afterBreaks(0)).toBe(4)
    cursor.push('n<')
    expect(cursor.buf[cursor.afterBreaks(0)]).toBe('<')
    cursor.goTo(0)
    cursor.push('')
    cursor.ending = true
    expect(cursor.afterBreaks(0)).toBe(5)
  })

  it('skips separators between calls', () => {
    const cursor = new CallCursor()
    cursor.push(' , ;')
    expect(cursor.afterSeparators(0, ',;')).toBe(4)
    cursor.push(' , x')
    expect(cursor.buf[cursor.afterSeparators(0, ',;')]).toBe('x')
  })

  it('reads on from an earlier place', () => {
    const cursor = new CallCursor()
    cursor.push('abc')
    cursor.moveTo(3)
    cursor.push('def')
    cursor.goTo(1)
    expect(cursor.buf.slice(cursor.pos)).toBe('bcdef')
    expect(cursor.offset).toBe(1)
    expect(cursor.before(cursor.pos, 5)).toBe('a')
  })
})
