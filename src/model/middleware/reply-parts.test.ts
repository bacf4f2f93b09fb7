import type {
  LanguageModelV2,
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4Content,
  LanguageModelV4StreamPart,
} from '@ai-sdk/provider'
import { generateText, streamText, wrapLanguageModel } from 'ai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { call, functionTools, partsOf, scripted, tools, usage, wrap } from '../../../tests/text-model.ts'
import { xml } from '../../text/xml.ts'
import { type LegibleOptions, legible } from './legible.ts'

describe('everything else', () => {
  it('goes through', async () => {
    const before: LanguageModelV4StreamPart[] = [
      { type: 'raw', rawValue: { x: 1 } },
      { type: 'reasoning-start', id: 'r', providerMetadata: { script: { signature: 's' } } },
      { type: 'reasoning-delta', id: 'r', delta: 'native' },
      { type: 'reasoning-end', id: 'r' },
    ]
    const after: LanguageModelV4StreamPart[] = [
      { type: 'source', sourceType: 'url', id: 's', url: 'https://example.org' },
      { type: 'file', mediaType: 'text/plain', data: { type: 'data', data: 'aGk=' } },
      { type: 'tool-call', toolCallId: 'n1', toolName: 'weather', input: '{"city":"Oslo"}' },
    ]
    const parts = await partsOf(wrap(scripted(['Hi.'], { before, after, reason: 'tool-calls' }).model), {
      tools: functionTools,
    })
    for (const part of [...before, ...after]) expect(parts).toContainEqual(part)
    expect(parts.at(-1)).toEqual({
      type: 'finish',
      finishReason: { unified: 'tool-calls', raw: 'raw-tool-calls' },
      usage,
      providerMetadata: { script: { seen: true } },
    })
    expect(parts.find(({ type }) => type === 'response-metadata')).toMatchObject({ id: 'reply-1' })
  })

  it('goes through in a whole reply as well', async () => {
    const { model } = scripted([])
    const content: LanguageModelV4Content[] = [
      { type: 'reasoning', text: 'native', providerMetadata: { script: { signature: 's' } } },
      { type: 'text', text: '<think>ours</think>Hi.', providerMetadata: { script: { id: 't' } } },
      { type: 'source', sourceType: 'url', id: 's', url: 'https://example.org' },
      { type: 'tool-call', toolCallId: 'n1', toolName: 'weather', input: '{"city":"Oslo"}' },
    ]
    const result = {
      content,
      finishReason: { unified: 'tool-calls', raw: 'x' },
      usage,
      warnings: [],
    } as const
    const native: LanguageModelV4 = {
      ...model,
      doGenerate: async () => ({ ...result, content, warnings: [], response: { id: 'reply-1' } }),
    }
    const prompt: LanguageModelV4CallOptions['prompt'] = [
      { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
    ]
    expect(await wrap(native).doGenerate({ prompt, tools: functionTools })).toEqual({
      ...result,
      response: { id: 'reply-1' },
      content: [
        content[0],
        { type: 'reasoning', text: 'ours' },
        { type: 'text', text: 'Hi.', providerMetadata: { script: { id: 't' } } },
        ...content.slice(2),
      ],
    })
  })

  it('is asked for as it was', async () => {
    const { model, asked } = scripted([])
    const served = { type: 'provider', id: 'script.search', name: 'search', args: {} } as const
    await partsOf(wrap(model), {
      tools: [...functionTools, served],
      toolChoice: { type: 'tool', toolName: 'search' },
      temperature: 0.5,
      seed: 3,
    })
    expect(asked[0]).toMatchObject({
      tools: [served],
      toolChoice: { type: 'tool', toolName: 'search' },
      temperature: 0.5,
      seed: 3,
    })
  })

  it('reasons where the prompt has opened it', async () => {
    const { model } = scripted(['Easy.</think>4', 'Easy.</think>4'])
    const options = { model: wrap(model, { reasoning: 'open' }), prompt: '2 + 2?' }
    const { text, reasoningText } = await generateText(options)
    const streamed = streamText(options)
    expect([text, reasoningText]).toEqual(['4', 'Easy.'])
    expect([await streamed.text, await streamed.reasoningText]).toEqual(['4', 'Easy.'])
  })

  it('has an end also when the provider fails, and no call is made of what was there', async () => {
    const reply = call({ city: 'Oslo' })
    for (let end = 1; end < reply.lastIndexOf('}'); end += 3) {
      const after: LanguageModelV4StreamPart[] = [{ type: 'error', error: new Error('overloaded') }]
      const { model } = scripted([`Text. ${reply.slice(0, end)}`], { after, reason: 'error' })
      const parts = await partsOf(wrap(model), { tools: functionTools })
      expect(parts.filter(({ type }) => type === 'error')).toHaveLength(1)
      expect(parts.map(({ type }) => type)).not.toContain('tool-call')
      expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'error' } })
    }
  })

  it('stops when it is told to', async () => {
    const abort = new AbortController()
    const { model } = scripted([])
    const endless: LanguageModelV4 = {
      ...model,
      doStream: async ({ abortSignal }) => ({
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: 'text-start', id: '0' })
            abortSignal?.addEventListener('abort', () => controller.error(abortSignal.reason))
          },
          pull: (controller) => controller.enqueue({ type: 'text-delta', id: '0', delta: 'more and ' }),
        }),
      }),
    }
    const result = streamText({ model: wrap(endless), tools, prompt: 'x', abortSignal: abort.signal })
    const seen: string[] = []
    for await (const { type } of result.fullStream) {
      seen.push(type)
      if (seen.length === 20) abort.abort()
    }
    expect(seen.at(-1)).toBe('abort')
  })

  it('works with models of older versions', async () => {
    const old: LanguageModelV2 = {
      specificationVersion: 'v2',
      provider: 'old',
      modelId: 'old',
      supportedUrls: {},
      doGenerate: async () => ({
        content: [{ type: 'text', text: call({ city: 'Oslo' }) }],
        finishReason: 'stop',
        usage: { inputTokens: 1, outputTokens: 2, totalTokens: 3 },
        warnings: [],
      }),
      doStream: async () => ({ stream: new ReadableStream() }),
    }
    const model = wrapLanguageModel({ model: old, middleware: legible() })
    const { toolResults, finishReason } = await generateText({ model, tools, prompt: 'x' })
    expect(toolResults).toMatchObject([{ output: { celsius: 21 } }])
    expect(finishReason).toBe('tool-calls')
  })

  it('is well formed, whatever the model writes', async () => {
    const bits = fc.constantFrom(
      ...[
        '<tool_call>',
        '</tool_call>',
        '{"name": "weather", "arguments": ',
        '{"city": "Oslo"}',
        '}',
        '<think>',
        '</think>',
      ],
      ...[
        '<action>',
        '</action>',
        '<answer>',
        '</answer>',
        '{"tool": "weather", "args": {"city": "x"}}',
        '```',
        '\n',
        ' word ',
        '"',
        '{',
        ',',
      ],
    )
    const json = {
      type: 'json',
      schema: { type: 'object', properties: { city: { type: 'string' } } },
    } as const
    await fc.assert(
      fc.asyncProperty(
        fc.array(bits, { maxLength: 12 }),
        fc.integer({ min: 1, max: 9 }),
        fc.constantFrom<LegibleOptions>(
          {},
          { format: xml() },
          { dialect: 'llama3-json' },
          { expect: 'calls' },
        ),
        fc.boolean(),
        async (chunks, size, options, wantsJson) => {
          const text = chunks.join('')
          const { model } = scripted([text, text], { size })
          const params = { tools: functionTools, ...(wantsJson && { responseFormat: json }) }
          const parts = await partsOf(wrap(model, options), params)
          const prompt: LanguageModelV4CallOptions['prompt'] = [
            { role: 'user', content: [{ type: 'text', text: 'Hi' }] },
          ]
          const { content, finishReason } = await wrap(model, options).doGenerate({ prompt, ...params })
          const calls = (list: readonly { type: string }[]) => list.filter(({ type }) => type === 'tool-call')
          expect(calls(parts)).toEqual(calls(content))
          expect(parts.at(-1)).toMatchObject({ finishReason })
          const said = (kind: 'text' | 'reasoning') => [
            parts
              .map((part) => (part.type === `${kind}-delta` && 'delta' in part ? part.delta : ''))
              .join(''),
            content.map((part) => (part.type === kind && 'text' in part ? part.text : '')).join(''),
          ]
          const [streamedThoughts, thoughts] = said('reasoning')
          expect(streamedThoughts).toBe(thoughts)
          const [streamed, whole] = said('text')
          if (!wantsJson) expect(streamed).toBe(whole)
        },
      ),
      { numRuns: 400 },
    )
  })
})
