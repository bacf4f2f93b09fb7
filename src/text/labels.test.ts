import { describe, expect, it } from 'vitest'
import { LegibleError } from '../core/legible-error.ts'
import type { Parts } from './format.ts'
import { labels } from './labels.ts'

const format = labels()

describe('labels().describe', () => {
  it('shows the structure with the prompts of the sections', () => {
    expect(
      format.describe([
        { name: 'Intent', prompt: 'What the user wants.' },
        { name: 'Plan', prompt: 'One step\nper line.' },
      ]),
    ).toBe(
      [
        'Structure your reply in parts. Each part begins with its label at the beginning of a line, like this:',
        'Intent: What the user wants.',
        'Plan:\nOne step\nper line.',
        'Write the labels exactly as shown, each followed by a colon, and do not put the whole reply into a code fence.',
      ].join('\n\n'),
    )
  })
})

describe('labels().formatSections', () => {
  it('writes one line, or what is longer on lines of its own', () => {
    expect(
      format.formatSections([
        { name: 'Intent', content: 'find it' },
        { name: 'Plan', content: '1. a\n2. b' },
        { name: 'Notes', content: '' },
      ]),
    ).toBe('Intent: find it\n\nPlan:\n1. a\n2. b\n\nNotes:\n')
  })

  it('writes no content that could open a section', () => {
    expect(
      format.formatSection({
        name: 'Plan',
        content: 'Plan: x\n- **Plan:** y\n## Action\nplanned\nThe plan: z',
      }),
    ).toBe('Plan:\n\\Plan: x\n\\- **Plan:** y\n\\## Action\nplanned\nThe plan: z')
    expect(format.formatSection({ name: 'Plan', content: 'Plan: x' })).toBe('Plan: Plan: x')
  })

  it('writes a label within a section so that it is none of the sections around it', () => {
    const text = format.formatSection({
      name: 'Plan',
      children: [
        { name: 'plan', content: 'x' },
        { name: 'Step', content: 'y' },
      ],
    })
    expect(text).toBe('Plan:\n\\plan: x\n\nStep: y')
    const outer = format.read(text, [{ name: 'Plan' }]).value as Parts
    expect(outer.get('plan')).toEqual(['plan: x\n\nStep: y'])
  })

  it('refuses names that are no labels', () => {
    for (const name of ['', 'a:', 'a：b', ' a', '- \n'])
      expect(() => format.formatSection({ name, content: '' }), name).toThrow(LegibleError)
  })
})

it.each<[string, string, string]>([
  ['   4 2 \t\n\n\n', '4 2', '  4 2 \t\n'],
  ['\n\n  a\n    b\n\n', 'a\n    b', '\n  a\n    b'],
  [' \u00a042\r\n\r\n', '42', '\u00a042'],
  ['\n \n\t\n\n', '', ' \n\t'],
  ['  \n', '', ''],
])('Whitespace trimming: %j is %j, and %j exactly', (inner, trimmed, exact) => {
  const { value } = format.read(`Answer:${inner}End:`, [{ name: 'answer' }, { name: 'end' }])
  expect(value.get('answer')).toEqual([trimmed])
  expect(value.toMap()).toEqual(
    new Map([
      ['answer', [trimmed]],
      ['end', ['']],
    ]),
  )
  expect(value.sections('answer')[0]?.content).toBe(exact)
})

describe('labels().read', () => {
  const contents = (text: string) =>
    format
      .read(text, [{ name: 'Plan' }, { name: 'Answer' }])
      .value.sections()
      .map(({ name, content }) => [name, content])

  it('Single section parsing', () => {
    expect(contents('Answer: 42')).toEqual([['Answer', '42']])
  })

  it('Empty sections', () => {
    expect(contents('Plan:\nAnswer:')).toEqual([
      ['Plan', ''],
      ['Answer', ''],
    ])
    expect(contents('Plan: \n\nAnswer:\n')).toEqual([
      ['Plan', ''],
      ['Answer', ''],
    ])
  })
})
