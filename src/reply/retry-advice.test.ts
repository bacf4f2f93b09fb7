import { describe, expect, it } from 'vitest'
import { tools } from '../../fixtures/reply/tools.ts'
import { createReplyReader } from './create-reply-reader.ts'
import { readReply } from './read-reply.ts'
import { type RetryAdvice, retryAdvice } from './retry-advice.ts'

const action = '{"type": "action", "tool": "fs.read", "args": {"path": "README.md"}}'
const advice = (text: string) => retryAdvice(readReply(text, { tools }))

describe('retryAdvice', () => {
  it.each<[string, string, Pick<RetryAdvice, 'retry' | 'reason'>]>([
    ['text', 'Hello.', { retry: false, reason: 'fine' }],
    ['an action', action, { retry: false, reason: 'fine' }],
    [
      'an error of the model',
      '{"type": "error", "code": "a", "message": "b"}',
      { retry: false, reason: 'reported' },
    ],
    ['an unknown tool', '{"type": "action", "tool": "x", "args": {}}', { retry: true, reason: 'rejected' }],
    ['two actions', `${action}\n${action}`, { retry: true, reason: 'rejected' }],
    ['half an action', action.slice(0, 40), { retry: true, reason: 'cut' }],
    ['nothing', '', { retry: true, reason: 'empty' }],
    [
      'a fence that may have been meant',
      `Reading.\n\`\`\`\n${action}\n\`\`\``,
      { retry: true, reason: 'embedded' },
    ],
    ['an example', `For example \`${action}\` reads a file.`, { retry: false, reason: 'fine' }],
    ['a thought', `<think>${action}</think>Hello.`, { retry: false, reason: 'fine' }],
  ])('%s', (_, text, expected) => {
    const found = advice(text)
    expect(found).toMatchObject(expected)
    expect(found.message !== '').toBe(expected.retry)
  })

  it('knows a stream that broke off', () => {
    const reader = createReplyReader({ tools })
    reader.push(action)
    expect(retryAdvice(reader.end({ cut: true }))).toMatchObject({ retry: true, reason: 'cut' })
  })

  it('says what to write, and nothing of what the program knows', () => {
    const { message } = advice('{"type": "action", "tool": "fs.write", "args": {"mode": "append"}}')
    expect(message).toMatch(/path: missing/)
    expect(message).toMatch(/content: missing/)
    expect(message).not.toMatch(/\.ts|Error:|\bat \//)
  })
})
