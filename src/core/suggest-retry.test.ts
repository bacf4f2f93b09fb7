import { expect, it } from 'vitest'
import type { Issue, Severity } from './issue.ts'
import { suggestRetry } from './suggest-retry.ts'

const issue = (severity: Severity, hint?: string): Issue => ({
  code: 'test.some',
  severity,
  params: { secret: '/home/me' },
  message: 'for the developer: /home/me',
  ...(hint && { hint }),
})

it('has nothing to say when all is well, or was only repaired', () => {
  expect(suggestRetry([])).toBe('')
  expect(suggestRetry([issue('repair', 'Write no comments.')])).toBe('')
})

it('says one thing plainly, several as a list: errors, then warnings, then repairs', () => {
  expect(suggestRetry([issue('error', 'Write id.')])).toBe('Write id.')
  expect(suggestRetry([issue('repair', 'R.'), issue('warning', 'W.'), issue('error', 'E.')])).toBe(
    '- E.\n- W.\n- R.',
  )
})

it('says the same thing once, and not more than a dozen', () => {
  expect(suggestRetry([issue('error', 'E.'), issue('error', 'E.')])).toBe('E.')
  const many = Array.from({ length: 20 }, (_, i) => issue('error', `E${i}.`))
  const lines = suggestRetry(many).split('\n')
  expect(lines).toHaveLength(13)
  expect(lines.at(-1)).toMatch(/8 more/)
})

it('tells nothing but hints', () => {
  expect(suggestRetry([issue('error'), issue('warning', 'W.')])).toBe('W.')
  expect(suggestRetry([issue('error')])).toBe('')
})
