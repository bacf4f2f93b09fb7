import { expect, it } from 'vitest'
import { escapeLines, escapeTags } from './escape.ts'
import { HeaderMatcher } from './header-matcher.ts'
import { LabelMatcher } from './label-matcher.ts'
import { NameTable } from './name-table.ts'
import { type TagTarget, tagTarget } from './tag-scanner.ts'

const tags = new NameTable<TagTarget>()
for (const name of ['action', '◁think▷'])
  tags.add(tagTarget(name, 'reserved').key, tagTarget(name, 'reserved'))

it.each([
  ['<action>', '<\\action>'],
  ['</ACTION >', '<\\/ACTION >'],
  ['<\\action>', '<\\\\action>'],
  ['<action', '<\\action'],
  ['<action/>', '<\\action/>'],
  ['<<action\n', '<<\\action\n'],
  ['<actions> <act> </\\action> <\\\\> < action>', '<actions> <act> </\\action> <\\\\> < action>'],
  ['◁think▷◁/think▷<think>', '◁\\think▷◁\\/think▷<think>'],
])('escapes tags: %j', (text, escaped) => {
  expect(escapeTags(text, tags)).toBe(escaped)
})

const names = new NameTable<{ kind: 'section'; name: string }>()
names.add('plan', { kind: 'section', name: 'plan' })

it.each([
  ['# Plan', '\\# Plan'],
  ['x\n  # plan:\ny', 'x\n  \\# plan:\ny'],
  ['\\# plan\n\\\\# plan', '\\\\# plan\n\\\\\\# plan'],
  ['plan\n===\nplan\n==', '\\plan\n===\nplan\n=='],
  ['plan\n# plan', 'plan\n\\# plan'],
  ['# plans\n## plan\nplan', '# plans\n## plan\nplan'],
  ['\r# plan', '\r\\# plan'],
  ['\\```\n```', '\\\\```\n```'],
])('escapes headers: %j', (text, escaped) => {
  expect(escapeLines(text, new HeaderMatcher(names, 1), true)).toBe(escaped)
})

it.each([
  ['plan: x\nplan: y', 'plan: x\n\\plan: y', false],
  ['plan: x', '\\plan: x', true],
  ['- **Plan:** x\n1) plan: y\n**plan**\n#plan', '\\- **Plan:** x\n\\1) plan: y\n\\**plan**\n\\#plan', true],
  ['plan\n*plan* x\na plan: x\n- plan', 'plan\n*plan* x\na plan: x\n- plan', true],
])('escapes labels: %j', (text, escaped, atLineStart) => {
  expect(escapeLines(text, new LabelMatcher(names), atLineStart)).toBe(escaped)
})
