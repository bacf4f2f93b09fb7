import { expect, it } from 'vitest'
import { isGlue } from './is-glue.ts'

it.each([
  '',
  '], [',
  ' ;\n',
  '\n```\n\n```python\n',
  '</tool_call>\n<tool_call>',
  '<|im_start|>',
  '\n2. ',
  '\nresult = ',
  '\nconst x = await ',
  ')\nprint(',
  '\n# then\n',
  '", "',
])('%j only holds calls together', (text) => expect(isGlue(text)).toBe(true))

it.each(['and then', '\nThen:\n', ' == ', '\n### Response\n', 'x', '5 > 3'])('%j says something', (text) =>
  expect(isGlue(text)).toBe(false),
)
