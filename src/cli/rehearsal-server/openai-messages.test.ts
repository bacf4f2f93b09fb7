import { describe, expect, it } from 'vitest'
import { Fields } from './fields.ts'
import { readOpenAiMessages } from './openai-messages.ts'

const read = (messages: unknown) => readOpenAiMessages(new Fields({ messages }, ''))
const call = (id: string, args = '{"city": "Oslo"}') => ({
  id,
  type: 'function',
  function: { name: 'weather', arguments: args },
})
const user = { role: 'user', content: 'Hi.' }

describe('readOpenAiMessages', () => {
  it('reads every role', () => {
    expect(
      read([
        { role: 'system', content: 'Be brief.' },
        {
          role: 'developer',
          content: [
            { type: 'text', text: 'Be ' },
            { type: 'text', text: 'kind.' },
          ],
        },
        { role: 'user', content: 'Weather?' },
        { role: 'assistant', content: 'Wait.', reasoning_content: 'Hm.', tool_calls: [call('a'), call('b')] },
        { role: 'tool', tool_call_id: 'b', content: '3' },
        { role: 'tool', tool_call_id: 'a', content: [{ type: 'text', text: '4' }] },
        { role: 'assistant', content: [{ type: 'refusal', refusal: 'No.' }] },
      ]),
    ).toEqual([
      { role: 'system', content: 'Be brief.' },
      { role: 'system', content: 'Be kind.' },
      { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
      {
        role: 'assistant',
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'text', text: 'Wait.' },
          { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: { city: 'Oslo' } },
          { type: 'tool-call', toolCallId: 'b', toolName: 'weather', input: { city: 'Oslo' } },
        ],
      },
      {
        role: 'tool',
        content: [
          {
            type: 'tool-result',
            toolCallId: 'b',
            toolName: 'weather',
            output: { type: 'text', value: '3' },
          },
          {
            type: 'tool-result',
            toolCallId: 'a',
            toolName: 'weather',
            output: { type: 'text', value: '4' },
          },
        ],
      },
      { role: 'assistant', content: [{ type: 'text', text: 'No.' }] },
    ])
  })

  it('reads images, sounds and files, and fetches none', () => {
    const content = [
      { type: 'text', text: 'See.' },
      { type: 'image_url', image_url: { url: 'data:image/png;base64,iVBO', detail: 'low' } },
      { type: 'image_url', image_url: { url: 'https://example.com/a.jpg' } },
      { type: 'input_audio', input_audio: { data: 'UklG', format: 'mp3' } },
      { type: 'file', file: { filename: 'a.pdf', file_data: 'data:application/pdf;base64,JVBE' } },
    ]
    expect(read([{ role: 'user', content }])).toEqual([
      {
        role: 'user',
        content: [
          { type: 'text', text: 'See.' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBO' } },
          {
            type: 'file',
            mediaType: 'image/*',
            data: { type: 'url', url: new URL('https://example.com/a.jpg') },
          },
          { type: 'file', mediaType: 'audio/mp3', data: { type: 'data', data: 'UklG' } },
          {
            type: 'file',
            filename: 'a.pdf',
            mediaType: 'application/pdf',
            data: { type: 'data', data: 'JVBE' },
          },
        ],
      },
    ])
  })

  it('keeps arguments that are no JSON as they were written', () => {
    const inputOf = (args: string) => {
      const [, { content = [] } = {}] = read([
        user,
        { role: 'assistant', tool_calls: [call('a', args)] },
        { role: 'tool', tool_call_id: 'a', content: '' },
      ]) as { content?: unknown[] }[]
      return content[0]
    }
    expect(inputOf('{"city": ')).toMatchObject({ input: '{"city": ' })
    expect(inputOf('')).toMatchObject({ input: {} })
  })

  it.each([
    [undefined, 'messages: is missing'],
    [[], 'messages: must have at least one message'],
    ['Hi.', 'messages: must be a list, not a string'],
    [[7], 'messages[0]: must be an object, not a number'],
    [[{ content: 'Hi.' }], 'messages[0].role: is missing'],
    [[{ ...user, role: 'function' }], 'messages[0].role: must be system, developer, user, assistant or tool'],
    [[{ role: 'user' }], 'messages[0].content: is missing'],
    [[{ role: 'user', content: 7 }], 'messages[0].content: must be a string, or a list of parts'],
    [
      [{ role: 'user', content: [{ type: 'video' }] }],
      'messages[0].content[0].type: must be text, image_url',
    ],
    [
      [{ role: 'user', content: [{ type: 'text', text: {} }] }],
      'content[0].text: must be a string, not an object',
    ],
    [[{ role: 'user', content: [{ type: 'image_url', image_url: { url: 'x' } }] }], 'url: must be a URL'],
    [
      [{ role: 'user', content: [{ type: 'file', file: { file_id: 'f' } }] }],
      'file_id: no files are kept here',
    ],
    [[{ role: 'assistant' }], 'messages[0].content: is missing, and there are no tool_calls'],
    [[user, { role: 'tool', tool_call_id: 'a', content: '' }], 'messages[1].tool_call_id: answers no call'],
    [[{ role: 'assistant', tool_calls: [call('a')] }, user], 'the call a needs a tool message'],
    [[{ role: 'assistant', tool_calls: [call('a')] }], 'the call a needs a tool message'],
    [
      [{ role: 'assistant', tool_calls: [{ id: 'a', function: {} }] }],
      'tool_calls[0].function.name: is missing',
    ],
  ])('says what is wrong with %j', (messages, problem) => {
    expect(() => read(messages)).toThrow(problem)
  })
})
