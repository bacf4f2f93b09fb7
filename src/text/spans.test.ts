import { expect, it } from 'vitest'
import { splits } from '../testing/splits.ts'
import type { Part } from './format.ts'
import { labels, markdown, xml } from './index.ts'

const sections = [{ name: 'plan' }, { name: 'answer' }]

/** What stands where a part says that it stands, and within its delimiters. */
const placed = (text: string, part: Part) => [
  part.content,
  text.slice(...part.span),
  ...(part.kind === 'section' ? [text.slice(...part.inner)] : []),
]

it.each([
  {
    format: xml(),
    text: 'a <\\plan> b\n<answer>\nc <\\/answer> <\\\\think> d\n</answer>\ne <\\answer',
    parts: [
      ['a <plan> b', 'a <\\plan> b'],
      [
        'c </answer> <\\think> d',
        '<answer>\nc <\\/answer> <\\\\think> d\n</answer>',
        'c <\\/answer> <\\\\think> d',
      ],
      ['\ne <answer', '\ne <\\answer'],
    ],
  },
  {
    format: markdown(),
    text: '  \\# Plan\na\n\n# Answer\n\\# Plan\n<think>hm</think>\nb\n\\```\n\n# Plan\nc',
    parts: [
      ['  # Plan\na', '  \\# Plan\na'],
      [
        '# Plan\nb\n```',
        '# Answer\n\\# Plan\n<think>hm</think>\nb\n\\```\n\n',
        '\\# Plan\n<think>hm</think>\nb\n\\```',
      ],
      ['hm', '<think>hm</think>'],
      ['c', '# Plan\nc', 'c'],
    ],
  },
  {
    format: labels(),
    text: '\\Plan: a\n\nAnswer:\n\\Plan: b\n- c\n\nPlan: Answer: d',
    parts: [
      ['Plan: a', '\\Plan: a'],
      ['Plan: b\n- c', 'Answer:\n\\Plan: b\n- c\n\n', '\\Plan: b\n- c'],
      ['Answer: d', 'Plan: Answer: d', 'Answer: d'],
    ],
  },
])('spans of parts are exact where backslashes were taken away: $format.name', ({ format, text, parts }) => {
  const { value } = format.read(text, sections)
  expect(value.all.map((part) => placed(text, part))).toEqual(parts)
  for (const chunks of splits(text)) {
    const reader = format.createReader(sections, { onEvent: () => {} })
    for (const chunk of chunks) reader.push(chunk)
    expect(reader.end().value.all).toEqual(value.all)
  }
})
