import { describe, expect, it } from 'vitest'
import { leavesFolder, promptFile } from './prompt-file.ts'

describe('leavesFolder', () => {
  it.each(['a.md', 'a/b.md', './a.md', 'a/../b.md', 'a..b/c', '...', 'a/./b', 'über/x.md'])(
    'not %s',
    (path) => {
      expect(leavesFolder(path)).toBe(false)
    },
  )
  it.each([
    '..',
    '../a',
    'a/../../b',
    './../a',
    '/a',
    '\\a',
    '\\\\host\\a',
    '..\\a',
    'a\\..\\..\\b',
    'C:\\a',
    'c:a',
    'file:///a',
    'https://example.com/a',
    '~/a',
  ])('%s', (path) => {
    expect(leavesFolder(path)).toBe(true)
  })
})

describe('promptFile', () => {
  const there = new Map([
    ['a.md', 'A'],
    ['skills/x/SKILL.md', 'X'],
    ['empty.md', ''],
  ])
  const file = (path: string) => promptFile(path, (one) => there.get(one))

  it('is the file, or the skill of a folder', () => {
    expect(file('a.md')).toEqual({ path: 'a.md', text: 'A' })
    expect(file('./a.md')).toEqual({ path: 'a.md', text: 'A' })
    expect(file('skills/x')).toEqual({ path: 'skills/x/SKILL.md', text: 'X' })
    expect(file('skills/x/')).toEqual({ path: 'skills/x/SKILL.md', text: 'X' })
    expect(file('empty.md')).toEqual({ path: 'empty.md', text: '' })
    expect(file('b.md')).toBeUndefined()
  })
})
