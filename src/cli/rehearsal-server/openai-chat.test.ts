// OpenAI's chat as its clients see it: the official one, and the AI SDK's two.
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, jsonSchema, Output, streamText, tool } from 'ai'
import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import {
  called,
  collect,
  finish,
  reasons,
  type Script,
  serve,
  texts,
} from '../../../tests/scripted-server.ts'

const messages = [{ role: 'user' as const, content: 'Weather?' }]
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [
  { type: 'function' as const, function: { name: 'weather', description: 'Now.', parameters, strict: true } },
]
const oslo = called('call_a', 'weather', '{"city": "Oslo"}')
const rome = called('call_b', 'weather', '{"city": "Rome"}')
const usage = {
  prompt_tokens: 7,
  completion_tokens: 5,
  total_tokens: 12,
  prompt_tokens_details: { cached_tokens: 2 },
  completion_tokens_details: { reasoning_tokens: 2 },
}

async function client(script: Script) {
  const server = await serve({ m: script })
  const openai = new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'any', maxRetries: 0 })
  return { ...server, openai }
}

describe('the client of openai', () => {
  it('gets a reply', async () => {
    const { openai, asked, served } = await client([...reasons('H', 'm.'), ...texts('Mi', 'ld.'), finish()])
    const reply = await openai.chat.completions.create({
      model: 'm',
      messages: [{ role: 'developer', content: 'Be brief.' }, ...messages],
      seed: 3,
      stop: 'END',
      max_completion_tokens: 50,
      temperature: 0.5,
      reasoning_effort: 'low',
    })
    expect(reply).toMatchObject({
      id: expect.stringMatching(/^chatcmpl-/),
      object: 'chat.completion',
      model: 'm',
      choices: [{ index: 0, message: { role: 'assistant', content: 'Mild.' }, finish_reason: 'stop' }],
      usage,
    })
    expect(reply.choices[0]?.message).toHaveProperty('reasoning_content', 'Hm.')
    expect(reply.created).toBeCloseTo(Date.now() / 1000, -2)
    expect(asked[0]).toMatchObject({
      prompt: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: [{ type: 'text', text: 'Weather?' }] },
      ],
      seed: 3,
      stopSequences: ['END'],
      maxOutputTokens: 50,
      temperature: 0.5,
      reasoning: 'low',
    })
    expect(Object.keys(asked[0] ?? {})).not.toContain('tools')
    expect(served).toEqual([
      {
        method: 'POST',
        path: '/v1/chat/completions',
        model: 'm',
        status: 200,
        ending: 'done',
        ms: expect.any(Number),
      },
    ])
  })

  it('gets a stream, and what it cost if it asks', async () => {
    const { openai } = await client([...reasons('Hm.'), ...texts('Mi', 'ld.'), finish('length')])
    const request = { model: 'm', messages, stream: true as const }
    const stream = await openai.chat.completions.create({
      ...request,
      stream_options: { include_usage: true },
    })
    const chunks = await collect(stream)
    expect(chunks.map(({ choices }) => choices[0]?.delta)).toEqual([
      { role: 'assistant', content: '' },
      { reasoning_content: 'Hm.' },
      { content: 'Mi' },
      { content: 'ld.' },
      {},
      undefined,
    ])
    expect(chunks.map(({ choices }) => choices[0]?.finish_reason)).toEqual([
      ...Array(4).fill(null),
      'length',
      undefined,
    ])
    expect(chunks.map((chunk) => chunk.usage)).toEqual([...Array(5).fill(null), usage])
    expect(new Set(chunks.map(({ id }) => id)).size).toBe(1)
    const without = await collect(await openai.chat.completions.create(request))
    expect(without.map((chunk) => 'usage' in chunk)).toEqual(Array(5).fill(false))
  })

  it('gets calls, and sends their results', async () => {
    const { openai, asked } = await client((options) =>
      options.prompt.at(-1)?.role === 'tool'
        ? [...texts('Mild.'), finish()]
        : [...texts('Wait.'), ...oslo, ...rome, finish('tool-calls')],
    )
    const first = await openai.chat.completions.create({
      model: 'm',
      messages,
      tools,
      tool_choice: 'required',
    })
    const [choice] = first.choices
    expect(choice).toMatchObject({ finish_reason: 'tool_calls', message: { content: 'Wait.' } })
    expect(choice?.message.tool_calls).toEqual([
      { id: 'call_a', type: 'function', function: { name: 'weather', arguments: '{"city": "Oslo"}' } },
      { id: 'call_b', type: 'function', function: { name: 'weather', arguments: '{"city": "Rome"}' } },
    ])
    expect(asked[0]).toMatchObject({
      tools: [
        { type: 'function', name: 'weather', description: 'Now.', inputSchema: parameters, strict: true },
      ],
      toolChoice: { type: 'required' },
    })
    const results = ['call_a', 'call_b'].map((id) => ({
      role: 'tool' as const,
      tool_call_id: id,
      content: '3',
    }))
    const second = await openai.chat.completions.create({
      model: 'm',
      messages: [...messages, choice!.message, ...results],
      tools,
      tool_choice: { type: 'function', function: { name: 'weather' } },
    })
    expect(second.choices[0]?.message.content).toBe('Mild.')
    expect(asked[1]?.toolChoice).toEqual({ type: 'tool', toolName: 'weather' })
    expect(asked[1]?.prompt.map(({ role }) => role)).toEqual(['user', 'assistant', 'tool'])
  })

  it('gets calls in pieces', async () => {
    const { openai } = await client([...oslo, ...rome, finish('tool-calls')])
    const final = await openai.chat.completions
      .stream({
        model: 'm',
        messages,
        tools: [{ ...tools[0]!, function: { ...tools[0]!.function, strict: false } }],
      })
      .finalMessage()
    expect(final.tool_calls).toMatchObject([
      { id: 'call_a', function: { name: 'weather', arguments: '{"city": "Oslo"}' } },
      { id: 'call_b', function: { name: 'weather', arguments: '{"city": "Rome"}' } },
    ])
    const stream = await openai.chat.completions.create({ model: 'm', messages, tools, stream: true })
    const deltas = (await collect(stream)).flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    expect(deltas.slice(0, 3)).toEqual([
      { index: 0, id: 'call_a', type: 'function', function: { name: 'weather', arguments: '' } },
      { index: 0, function: { arguments: '{"ci' } },
      { index: 0, function: { arguments: 'ty":' } },
    ])
    expect(deltas.at(-1)).toEqual({ index: 1, function: { arguments: 'me"}' } })
  })

  it('gets a call that came as a whole, and one that was cut off', async () => {
    const { openai } = await client([
      { type: 'tool-call', toolCallId: 'a', toolName: 'weather', input: '{}' },
      { type: 'tool-input-start', id: 'b', toolName: 'weather' },
      { type: 'tool-input-delta', id: 'b', delta: '{"ci' },
      finish('length'),
    ])
    const request = { model: 'm', messages, tools }
    const whole = await openai.chat.completions.create(request)
    expect(whole.choices[0]).toMatchObject({
      finish_reason: 'length',
      message: {
        content: null,
        tool_calls: [{ function: { arguments: '{}' } }, { function: { arguments: '{"ci' } }],
      },
    })
    const stream = await openai.chat.completions.create({ ...request, stream: true })
    const deltas = (await collect(stream)).flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
    expect(deltas.map((delta) => [delta.index, delta.function?.arguments])).toEqual([
      [0, ''],
      [0, '{}'],
      [1, ''],
      [1, '{"ci'],
    ])
  })

  it('asks for JSON', async () => {
    const { openai, asked } = await client([...texts('{"city": "Oslo"}'), finish()])
    const schema = { name: 'place', description: 'A place.', schema: parameters, strict: true }
    const request = { model: 'm', messages }
    await openai.chat.completions.create({ ...request, response_format: { type: 'json_object' } })
    await openai.chat.completions.create({ ...request, response_format: { type: 'text' } })
    const read = await openai.chat.completions.parse({
      ...request,
      response_format: { type: 'json_schema', json_schema: schema },
    })
    expect(read.choices[0]?.message.parsed).toEqual({ city: 'Oslo' })
    expect(asked.map(({ responseFormat }) => responseFormat)).toEqual([
      { type: 'json' },
      { type: 'text' },
      { type: 'json', name: 'place', description: 'A place.', schema: parameters },
    ])
  })

  it('lists the models', async () => {
    const { openai } = await client([finish()])
    const models = await collect(openai.models.list())
    expect(models).toEqual([{ id: 'm', object: 'model', created: 0, owned_by: 'legible' }])
    expect(await openai.models.retrieve('m')).toMatchObject({ id: 'm' })
    await expect(openai.models.retrieve('n')).rejects.toMatchObject({ status: 404, code: 'model_not_found' })
  })

  it('is told what is wrong', async () => {
    const { openai } = await client([finish()])
    await expect(openai.chat.completions.create({ model: 'gpt-5', messages })).rejects.toMatchObject({
      constructor: OpenAI.NotFoundError,
      code: 'model_not_found',
      param: 'model',
    })
    await expect(openai.chat.completions.create({ model: 'm', messages: [] })).rejects.toMatchObject({
      constructor: OpenAI.BadRequestError,
      param: 'messages',
    })
    await expect(openai.responses.create({ model: 'm', input: 'Hi.' })).rejects.toThrow(
      'the Responses API is not served',
    )
  })

  it('sees a stream that breaks off', async () => {
    const { openai } = await client([...texts('Mi'), { type: 'error', error: new Error('gone') }])
    const stream = await openai.chat.completions.create({ model: 'm', messages, stream: true })
    let text = ''
    const reading = (async () => {
      for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
    })()
    await expect(reading).rejects.toThrow('terminated')
    expect(text).toBe('Mi')
    await expect(openai.chat.completions.create({ model: 'm', messages })).rejects.toThrow('Connection error')
  })
})

const weather = tool({
  inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
  execute: async ({ city }) => `It is mild in ${city}.`,
})

describe.each([
  ['@ai-sdk/openai', (url: string) => createOpenAI({ baseURL: url, apiKey: 'any' }).chat('m')],
  [
    '@ai-sdk/openai-compatible',
    (url: string) =>
      createOpenAICompatible({
        name: 'rehearsal',
        baseURL: url,
        includeUsage: true,
        supportsStructuredOutputs: true,
      })('m'),
  ],
])('the AI SDK with %s', (name, modelAt) => {
  const model = async (script: Script) => {
    const server = await serve({ m: script })
    return { ...server, model: modelAt(`${server.url}/v1`) }
  }
  const ask = { prompt: 'Weather?', maxRetries: 0 }

  it('gets text, reasoning and usage', async () => {
    const { model: m } = await model([...reasons('Hm.'), ...texts('Mild', '.'), finish()])
    const whole = await generateText({ ...ask, model: m })
    const streamed = streamText({ ...ask, model: m })
    for (const { text, usage, finishReason } of [
      whole,
      { text: await streamed.text, usage: await streamed.usage, finishReason: await streamed.finishReason },
    ]) {
      expect({ text, finishReason }).toEqual({ text: 'Mild.', finishReason: 'stop' })
      expect(usage).toMatchObject({ inputTokens: 7, outputTokens: 5 })
    }
    // The package of OpenAI does not read it.
    const reasoning = name === '@ai-sdk/openai' ? undefined : 'Hm.'
    expect([whole.reasoningText, await streamed.reasoningText]).toEqual([reasoning, reasoning])
  })

  it('gets calls', async () => {
    const { model: m } = await model([...oslo, ...rome, finish('tool-calls')])
    const whole = await generateText({ ...ask, model: m, tools: { weather } })
    const streamed = streamText({ ...ask, model: m, tools: { weather } })
    for (const calls of [whole.toolCalls, await streamed.toolCalls])
      expect(calls).toMatchObject([
        { toolCallId: 'call_a', toolName: 'weather', input: { city: 'Oslo' } },
        { toolCallId: 'call_b', toolName: 'weather', input: { city: 'Rome' } },
      ])
    expect(await streamed.finishReason).toBe('tool-calls')
  })

  it('gets typed values', async () => {
    const { model: m, asked } = await model([...texts('{"city": ', '"Oslo"}'), finish()])
    const schema = jsonSchema<{ city: string }>({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
      additionalProperties: false,
    })
    const output = Output.object({ schema })
    expect((await generateText({ ...ask, model: m, output })).output).toEqual({ city: 'Oslo' })
    expect(asked[0]?.responseFormat).toMatchObject({
      type: 'json',
      schema: { properties: { city: { type: 'string' } } },
    })
  })

  it('sees a stream that breaks off', async () => {
    const { model: m } = await model([...texts('Mi'), { type: 'error', error: new Error('gone') }])
    const { textStream } = streamText({ ...ask, model: m, onError: () => undefined })
    let text = ''
    const reading = (async () => {
      for await (const delta of textStream) text += delta
    })()
    await expect(reading).rejects.toMatchObject({ cause: { message: 'terminated' } })
    expect(text).toBe('Mi')
  })
})
