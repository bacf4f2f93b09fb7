import { describe, expect, it } from 'vitest'
import { Marks } from './marks.ts'

describe('marks', () => {
  const marks = new Marks(['<tool>', '<tool_call>', '[X]'])

  it('are found from left to right, the longest first', () => {
    expect(marks.seek('a <tool_call> <tool>', 0, false)).toEqual({ at: 2, mark: '<tool_call>' })
    expect(marks.seek('a <tool_call> <tool>', 3, false)).toEqual({ at: 14, mark: '<tool>' })
  })

  it('hold back what may become one', () => {
    expect(marks.seek('a <to', 0, false)).toEqual({ at: 2, mark: undefined })
    expect(marks.seek('a <to', 0, true)).toEqual({ at: 5, mark: undefined })
    expect(marks.seek('a <tox', 0, false)).toEqual({ at: 6, mark: undefined })
  })

  it('stand at a place, or do not', () => {
    expect(marks.standsAt('a <tool> [X]', 2, false)).toBe('<tool>')
    expect(marks.standsAt('a <tool> [X]', 1, false)).toBeUndefined()
    expect(marks.standsAt('a <to', 2, false)).toBe('wait')
    expect(marks.standsAt('a <to', 2, true)).toBeUndefined()
  })

  it('are found together with those of another list, near or far', () => {
    const more = new Marks(['<f>', '<tool_call>x'], marks)
    expect(more.seek('<f> <tool>', 0, false)).toEqual({ at: 0, mark: '<f>' })
    expect(more.seek('<tool_call>x', 0, false)).toEqual({ at: 0, mark: '<tool_call>x' })
    for (const distance of [200, 255, 256, 300, 5000]) {
      const far = 'a'.repeat(distance)
      expect(more.seek(`${far}<tool> <f>`, 0, false)).toEqual({ at: distance, mark: '<tool>' })
      expect(more.seek(`${far}<f> <tool>`, 0, false)).toEqual({ at: distance, mark: '<f>' })
      expect(more.standsAt(`${far}<f>`, distance, true)).toBe('<f>')
    }
  })

  it('may be none', () => {
    expect(new Marks([]).seek('<a>', 0, false)).toEqual({ at: 3, mark: undefined })
  })
})
