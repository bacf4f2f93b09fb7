import { describe, expect, it } from 'vitest'
import type { Issue, Severity } from '../core/issue.ts'
import { formatIssues, summarize, wantsColor } from './print-issues.ts'

const issue = (severity: Severity, at: number): Issue => ({
  code: `json.${severity}`,
  severity,
  span: [at, at + 1],
  params: {},
  message: '',
})

describe('formatIssues', () => {
  it('keeps the order of the text', () => {
    const text = formatIssues('abc', 'a.txt', [issue('repair', 0), issue('error', 2)], false)
    expect(text).toMatch(/^a\.txt:1:1 repair json\.repair\n.*^a\.txt:1:3 error json\.error\n.*\n$/ms)
  })

  it('leaves out repairs before warnings, and warnings before errors', () => {
    const many = Array.from({ length: 60 }, (_, at) => issue('repair', at))
    const text = formatIssues(
      '\n'.repeat(99),
      'a',
      [...many, issue('error', 70), issue('warning', 71)],
      false,
    )
    expect(text.match(/json\.repair/g)).toHaveLength(48)
    expect(text).toMatch(/json\.error.*json\.warning.*… and 12 more; --json lists them all\n$/s)
  })
})

describe('formatIssues, of many in a line', () => {
  it('shows the first of those that are alike', () => {
    const issues = [
      issue('repair', 0),
      issue('repair', 1),
      issue('error', 2),
      issue('repair', 3),
      issue('repair', 5),
    ]
    const heads = formatIssues('abcd\nf', 'a', issues, false).match(/^a:.*$/gm)
    expect(heads).toEqual([
      'a:1:1 repair json.repair (+1 more)',
      'a:1:3 error json.error',
      'a:1:4 repair json.repair',
      'a:2:1 repair json.repair',
    ])
  })

  it('begins with the limit that was met, and says how to move it', () => {
    const limit: Issue = { ...issue('error', 3), code: 'json.too_long', message: 'too long' }
    const text = formatIssues('abcd', 'a', [issue('repair', 0), limit], false)
    expect(text).toMatch(
      /^a:1:4 error json\.too_long\n.*too long \(--max-length sets the limit\)\na:1:1 repair/s,
    )
  })
})

describe('summarize', () => {
  it.each([
    [{ ok: true, complete: true, issues: [] }, '✓ read without issues'],
    [{ ok: true, complete: false, issues: [issue('repair', 0)] }, '✓ 1 repair; the text was cut off'],
    [
      { ok: false, complete: true, issues: [issue('repair', 0), issue('error', 0), issue('repair', 1)] },
      '✗ 1 error, 2 repairs',
    ],
  ])('%j', (read, line) => {
    expect(summarize(read as Parameters<typeof summarize>[0])).toBe(line)
  })
})

describe('wantsColor', () => {
  it.each([
    [true, {}, true],
    [false, {}, false],
    [true, { NO_COLOR: '1' }, false],
    [true, { NO_COLOR: '' }, true],
    [true, { TERM: 'dumb' }, false],
    [false, { FORCE_COLOR: '1' }, true],
    [false, { FORCE_COLOR: '1', NO_COLOR: '1' }, true],
    [true, { FORCE_COLOR: '0' }, false],
    [true, { FORCE_COLOR: '' }, true],
  ])('terminal: %j, %j: %j', (terminal, env, wanted) => {
    expect(wantsColor(terminal, env)).toBe(wanted)
  })
})
