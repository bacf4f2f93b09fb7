import { expect, it } from 'vitest'
import { defineIssues, kind } from './issue.ts'

const issues = defineIssues('test', {
  plain: kind({ severity: 'repair', message: 'odd', hint: 'Write it even.' }),
  told: kind<{ key: string }>({
    severity: 'error',
    message: (p) => `no ${p.key}`,
    hint: (p) => (p.key ? `Write ${p.key}.` : ''),
  }),
})

it('words an issue from its row and its facts', () => {
  expect(issues.issue('told', { key: 'id' }, { span: [1, 3], path: ['a', 0] })).toEqual({
    code: 'test.told',
    severity: 'error',
    params: { key: 'id' },
    message: 'no id',
    hint: 'Write id.',
    span: [1, 3],
    path: ['a', 0],
  })
})

it('has no key for what it does not know', () => {
  expect(Object.keys(issues.issue('plain', {}))).toEqual(['code', 'severity', 'params', 'message', 'hint'])
  expect(Object.keys(issues.issue('told', { key: '' }, { span: undefined }))).toEqual([
    'code',
    'severity',
    'params',
    'message',
  ])
})
