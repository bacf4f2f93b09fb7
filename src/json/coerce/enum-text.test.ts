import { describe, expect, it } from 'vitest'
import type { EnumMember } from '../../schema/shape.ts'
import { enumInText } from './enum-text.ts'

const members = (...values: string[]): EnumMember[] => values.map((value) => ({ value, aliases: [] }))

/** The value and how it was found, or the values it lies between. */
function match(text: string, list: readonly EnumMember[]) {
  const found = enumInText(text, list)
  if (!found) return undefined
  return 'between' in found ? found.between.map(({ value }) => value) : `${found.member.value} ${found.how}`
}

describe('enumInText', () => {
  const spam = members('SPAM', 'NOT_SPAM')

  it.each([
    ['SPAM', 'SPAM exact'],
    [' SPAM\n', 'SPAM exact'],
    ['spam', 'SPAM folded'],
    ['not spam', 'NOT_SPAM folded'],
    ['This is not spam', 'NOT_SPAM word'],
    ["It isn't spam.", 'NOT_SPAM word'],
    ['The label is: spam', 'SPAM word'],
    ['It is spam, not ham', 'SPAM word'],
    ['SPMA', undefined],
    ['spam, or not spam', ['SPAM', 'NOT_SPAM']],
    ['unknown', undefined],
    ['', undefined],
  ])('%j among SPAM and NOT_SPAM: %j', (text, expected) => {
    expect(match(text, spam)).toEqual(expected)
  })

  it('matches whole words only', () => {
    expect(match('The train is MAIN', members('AI', 'IT'))).toBeUndefined()
  })

  it('forgives one slip in a long word, if only one member is near', () => {
    const moods = members('positive', 'negative')
    expect(match('Positve', moods)).toBe('positive typo')
    expect(match('psoitive', moods)).toBe('positive typo')
    expect(match('pstve', moods)).toBeUndefined()
    expect(match('red1', members('red2', 'red3'))).toBeUndefined()
  })

  it('knows aliases and descriptions', () => {
    const list: EnumMember[] = [
      { value: 'P1', aliases: ['urgent'], description: 'Drop everything' },
      { value: 'P2', aliases: [] },
    ]
    expect(match('Urgent', list)).toBe('P1 alias')
    expect(match('drop everything!', list)).toBe('P1 alias')
    expect(match('this is urgent', list)).toBe('P1 word')
  })

  it('takes a letter for an answer only if it is written exactly so', () => {
    expect(match('It is a tie, so B', members('A', 'B'))).toBe('B word')
  })
})
