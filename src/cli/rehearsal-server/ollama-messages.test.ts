import { describe, expect, it } from 'vitest'
import { Fields } from './fields.ts'
import { readOllamaMessages } from './ollama-messages.ts'

const read = (...messages: unknown[]) =>
  readOllamaMessages(messages.map((message, i) => new Fields(message, `messages[${i}]`)))
const call = (name: string, args?: object) => ({ function: { name, arguments: args } })
const results = (prompt: ReturnType<typeof read>) =>
  prompt.flatMap(({ role, content }) =>
    role === 'tool'
      ? content.map((part) => (part.type === 'tool-result' ? [part.toolCallId, part.toolName] : []))
      : [],
  )

describe('readOllamaMessages', () => {
  it('reads every role', () => {
    expect(
      read(
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'See.', images: ['iVBO'] },
        {
          role: 'assistant',
          content: '',
          thinking: 'Hm.',
          tool_calls: [call('look', { at: 1 }), call('wait')],
        },
        { role: 'tool', content: '3', tool_name: 'wait' },
        { role: 'tool', content: '4', tool_name: 'look' },
        { role: 'assistant', content: 'Done.' },
      ),
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See.' },
          { type: 'file', mediaType: 'image/*', data: { type: 'data', data: 'iVBO' } },
        ],
      },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool-call', toolCallId: 'call_1', toolName: 'look', input: { at: 1 } },
          { type: 'tool-call', toolCallId: 'call_2', toolName: 'wait', input: {} },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'call_2',
            toolName: 'wait',
            output: { type: 'text', value: '3' },
          },
          {
            type: 'tool-result',
            toolCallId: 'call_1',
            toolName: 'look',
            output: { type: 'text', value: '4' },
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'Done.' }] },
    ])
  })

  it('gives results without a name to the calls in their order, and makes up what is missing', () => {
    const asked = { role: 'assistant', content: '', tool_calls: [call('a'), call('b')] }
    const answer = { role: 'tool', content: '' }
    expect(results(read(asked, answer, answer))).toEqual([
      ['call_1', 'a'],
      ['call_2', 'b'],
    ])
    expect(results(read(answer))).toEqual([['call_1', 'unknown']])
    const withIds = { role: 'assistant', content: '', tool_calls: [{ id: 'x', ...call('a') }, call('a')] }
    expect(results(read(withIds, answer, { ...answer, tool_call_id: 'x' }))).toEqual([
      ['x', 'a'],
      ['x', 'unknown'],
    ])
  })

  it.each([
    [{ content: '' }, 'messages[0].role: is missing'],
    [{ role: 'bot' }, 'messages[0].role: must be system, user, assistant or tool'],
    [{ role: 'user', content: [] }, 'messages[0].content: must be a string, not a list'],
    [{ role: 'user', images: [1] }, 'messages[0].images: must be a list of images in base64'],
    [{ role: 'assistant', tool_calls: [call('a', [])] }, 'function.arguments: must be an object, not a list'],
  ])('says what is wrong with %j', (message, problem) => {
    expect(() => read(message)).toThrow(problem)
  })
})
