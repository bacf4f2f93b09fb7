import { expect, test } from 'vitest'
import type { Message } from './message.ts'
import { toPrompt } from './to-prompt.ts'

const image = { type: 'image', mediaType: 'image/png', data: new Uint8Array([1]), name: 'a.png' } as const
const conversation: Message[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: [{ type: 'text', text: 'Look:' }, image] },
  { role: 'assistant', content: 'I call.', calls: [{ id: 'c1', name: 'search', arguments: { q: 1 } }] },
  {
    role: 'tool',
    content: [{ type: 'text', text: '<observation>…</observation>' }, image],
    results: [
      { id: 'c1', name: 'search', output: { found: 1 } },
      { id: 'c2', name: 'search', output: 'no', failed: true },
    ],
  },
]
const file = {
  type: 'file',
  mediaType: 'image/png',
  filename: 'a.png',
  data: { type: 'data', data: new Uint8Array([1]) },
}

test('as text: results come from the user', () => {
  expect(toPrompt(conversation)).toEqual([
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: [{ type: 'text', text: 'Look:' }, file] },
    { role: 'assistant', content: [{ type: 'text', text: 'I call.' }] },
    { role: 'user', content: [{ type: 'text', text: '<observation>…</observation>' }, file] },
  ])
})

test('natively: calls and results as such, media from the user', () => {
  expect(toPrompt(conversation, true).slice(2)).toEqual([
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I call.' },
        { type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: { q: 1 } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'c1',
          toolName: 'search',
          output: { type: 'text', value: '{"found":1}' },
        },
        {
          type: 'tool-result',
          toolCallId: 'c2',
          toolName: 'search',
          output: { type: 'error-text', value: 'Error: no' },
        },
      ],
    },
    { role: 'user', content: [file] },
  ])
})

test('natively, ids are unique within the conversation, and results keep to their calls', () => {
  const turn = (output: string): Message[] => [
    { role: 'assistant', content: '', calls: [{ id: 'c1', name: 'search', arguments: {} }] },
    { role: 'tool', content: [], results: [{ id: 'c1', name: 'search', output }] },
  ]
  const ids = toPrompt([...turn('a'), ...turn('b')], true).flatMap(({ content }) =>
    typeof content === 'string' ? [] : content.map((part) => ('toolCallId' in part ? part.toolCallId : '')),
  )
  expect(ids).toEqual(['c1', 'c1', 'c1_2', 'c1_2'])
})

test('what providers refuse is left out or mended', () => {
  const odd: Message[] = [
    { role: 'assistant', content: '' },
    { role: 'assistant', content: '', calls: [{ id: 'c1', name: 'search', arguments: 'not an object' }] },
    { role: 'user', content: [{ type: 'file', mediaType: 'text/plain', data: 'https://' }] },
    { role: 'user', content: [{ type: 'image', mediaType: 'image/png', data: 'https://example.com/a.png' }] },
  ]
  expect(toPrompt(odd, true)).toEqual([
    {
      role: 'assistant',
      content: [{ type: 'tool-call', toolCallId: 'c1', toolName: 'search', input: {} }],
    },
    {
      role: 'user',
      content: [{ type: 'file', mediaType: 'text/plain', data: { type: 'data', data: 'https://' } }],
    },
    {
      role: 'user',
      content: [
        {
          type: 'file',
          mediaType: 'image/png',
          data: { type: 'url', url: new URL('https://example.com/a.png') },
        },
      ],
    },
  ])
})
