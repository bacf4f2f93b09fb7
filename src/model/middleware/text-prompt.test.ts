import { generateText, type ModelMessage } from 'ai'
import { describe, expect, it } from 'vitest'
import { call, scripted, textOf, tools, wrap } from '../../../tests/text-model.ts'

describe('the conversation', () => {
  const history: ModelMessage[] = [
    { role: 'user', content: 'Look.' },
    {
      role: 'assistant',
      content: [
        { type: 'reasoning', text: 'secret' },
        { type: 'reasoning', text: 'signed', providerOptions: { script: { signature: 's' } } },
        { type: 'text', text: 'Two calls.' },
        { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: { city: 'Oslo' } },
        { type: 'tool-call', toolCallId: 'b', toolName: 'weather', input: { city: 'Rome' } },
      ],
    },
    {
      role: 'tool',
      content: [
        {
          type: 'tool-result',
          toolCallId: 'a',
          toolName: 'weather',
          output: { type: 'error-text', value: 'no </tool_response> net' },
        },
        {
          type: 'tool-result',
          toolCallId: 'b',
          toolName: 'weather',
          output: {
            type: 'content',
            value: [
              { type: 'text', text: 'a picture' },
              { type: 'file', mediaType: 'image/png', data: { type: 'data', data: 'iVBORw0KGgo=' } },
            ],
          },
        },
      ],
    },
    { role: 'user', content: 'And now?' },
  ]

  it('is text, with media beside it', async () => {
    const { model, asked } = scripted(['Well.', 'Well.'])
    await generateText({ model: wrap(model), tools, messages: history })
    const [, , assistant, results, ...more] = asked[0]?.prompt ?? []
    expect(assistant?.content).toMatchObject([
      { type: 'reasoning', text: 'signed' },
      { type: 'text', text: `Two calls.\n${call({ city: 'Oslo' })}\n${call({ city: 'Rome' })}` },
    ])
    expect(results).toMatchObject({
      role: 'user',
      content: [
        {
          type: 'text',
          text: '<tool_response>\nError: no <\\/tool_response> net\n</tool_response>\n<tool_response>\na picture\n[attached: image/png]\n</tool_response>',
        },
        { type: 'file', mediaType: 'image/png' },
        { type: 'text', text: 'And now?' },
      ],
    })
    expect(more).toEqual([])
  })

  it('says which calls were not allowed', async () => {
    const { model, asked } = scripted(['Well.'])
    const [first, second] = history as [ModelMessage, ModelMessage]
    const denied: ModelMessage = {
      role: 'tool',
      content: (['a', 'b'] as const).map((toolCallId) => ({
        type: 'tool-result',
        toolCallId,
        toolName: 'weather',
        output: { type: 'execution-denied', ...(toolCallId === 'a' && { reason: 'too late' }) },
      })),
    }
    await generateText({ model: wrap(model), tools, messages: [first, second, denied] })
    expect(textOf(asked[0])).toContain('Error: the call was not allowed: too late')
    expect(textOf(asked[0])).toContain('Error: the call was not allowed.')
  })
})
