// Ollama's API as its official client sees it.
import { Ollama } from 'ollama'
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

async function client(script: Script) {
  const server = await serve({ m: script })
  return { ...server, ollama: new Ollama({ host: server.url }) }
}
const messages = [{ role: 'user', content: 'Weather?' }]
const parameters = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
const tools = [{ type: 'function', function: { name: 'weather', description: 'Now.', parameters } }]
const last = {
  done: true,
  done_reason: 'stop',
  total_duration: expect.any(Number),
  load_duration: 0,
  prompt_eval_count: 7,
  prompt_eval_duration: 0,
  eval_count: 5,
  eval_duration: expect.any(Number),
}

describe('the client of ollama', () => {
  it('gets a reply', async () => {
    const { ollama, asked } = await client([...reasons('H', 'm.'), ...texts('Mi', 'ld.'), finish()])
    const options = { seed: 3, num_predict: 50, stop: ['END'], temperature: 0.5, top_k: 4 }
    const reply = await ollama.chat({ model: 'm', messages, think: true, options })
    expect(reply).toEqual({
      model: 'm',
      created_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
      message: { role: 'assistant', content: 'Mild.', thinking: 'Hm.' },
      ...last,
    })
    expect(asked[0]).toMatchObject({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Weather?' }] }],
      reasoning: 'medium',
      seed: 3,
      maxOutputTokens: 50,
      stopSequences: ['END'],
      temperature: 0.5,
      topK: 4,
    })
    await ollama.chat({ model: 'm', messages, think: false, options: { num_predict: -1 } })
    expect(asked[1]).toMatchObject({ reasoning: 'none' })
    expect(asked[1]).not.toHaveProperty('maxOutputTokens')
  })

  it('gets a stream', async () => {
    const { ollama } = await client([...reasons('Hm.'), ...texts('Mi', 'ld.'), finish('length')])
    const lines = await collect(await ollama.chat({ model: 'm', messages, stream: true }))
    expect(lines.map(({ message }) => message)).toEqual([
      { role: 'assistant', content: '', thinking: 'Hm.' },
      { role: 'assistant', content: 'Mi' },
      { role: 'assistant', content: 'ld.' },
      { role: 'assistant', content: '' },
    ])
    expect(lines.map(({ done }) => done)).toEqual([false, false, false, true])
    expect(lines.at(-1)).toMatchObject({ ...last, done_reason: 'length' })
  })

  it('streams unless told otherwise', async () => {
    const { post } = await client([...texts('Mild.'), finish()])
    const response = await post('/api/chat', { model: 'm', messages })
    expect(response.headers.get('content-type')).toBe('application/x-ndjson')
    const lines = (await response.text()).split('\n').slice(0, -1)
    expect(lines.map((line) => JSON.parse(line).done)).toEqual([false, true])
  })

  it('gets calls, and sends their results', async () => {
    const { ollama, asked } = await client((options) =>
      options.prompt.at(-1)?.role === 'tool'
        ? [...texts('Mild.'), finish()]
        : [...called('call_a', 'weather', '{"city": "Oslo"}'), finish('tool-calls')],
    )
    const expected = [{ id: 'call_a', function: { index: 0, name: 'weather', arguments: { city: 'Oslo' } } }]
    const { message } = await ollama.chat({ model: 'm', messages, tools })
    expect(message.tool_calls).toEqual(expected)
    const lines = await collect(await ollama.chat({ model: 'm', messages, tools, stream: true }))
    expect(lines.flatMap((line) => line.message.tool_calls ?? [])).toEqual(expected)
    expect(asked[0]?.tools).toEqual([
      { type: 'function', name: 'weather', description: 'Now.', inputSchema: parameters },
    ])
    const answer = { role: 'tool', tool_name: 'weather', content: '3' }
    const second = await ollama.chat({ model: 'm', messages: [...messages, message, answer], tools })
    expect(second.message.content).toBe('Mild.')
  })

  it('gets as text what is no call to it', async () => {
    const { ollama } = await client([...called('a', 'weather', '{"city": '), finish('tool-calls')])
    const text = '{"name": "weather", "arguments": {"city": }'
    const whole = await ollama.chat({ model: 'm', messages, tools })
    expect(whole.message).toEqual({ role: 'assistant', content: text })
    const lines = await collect(await ollama.chat({ model: 'm', messages, tools, stream: true }))
    expect(lines.map(({ message }) => message.content).join('')).toBe(text)
  })

  it('asks for JSON', async () => {
    const { ollama, asked } = await client([...texts('{}'), finish()])
    await ollama.chat({ model: 'm', messages, format: 'json' })
    await ollama.chat({ model: 'm', messages, format: parameters })
    expect(asked.map(({ responseFormat }) => responseFormat)).toEqual([
      { type: 'json' },
      { type: 'json', schema: parameters },
    ])
  })

  it('generates', async () => {
    const { ollama, asked } = await client([...reasons('Hm.'), ...texts('Mi', 'ld.'), finish()])
    const request = { model: 'm', prompt: 'Weather?', system: 'Be brief.', images: ['iVBO'] }
    const reply = await ollama.generate(request)
    expect(reply).toMatchObject({ model: 'm', response: 'Mild.', thinking: 'Hm.', ...last })
    const lines = await collect(await ollama.generate({ ...request, stream: true }))
    expect(lines.map(({ response }) => response).join('')).toBe('Mild.')
    expect(asked[0]?.prompt).toMatchObject([
      { role: 'system', content: 'Be brief.' },
      { role: 'user', content: [{ text: 'Weather?' }, { mediaType: 'image/*' }] },
    ])
  })

  it('loads a model', async () => {
    const { ollama, asked } = await client([finish()])
    expect(await ollama.chat({ model: 'm', messages: [] })).toMatchObject({ done: true, done_reason: 'load' })
    expect(await ollama.generate({ model: 'm', prompt: '' })).toMatchObject({ done_reason: 'load' })
    await expect(ollama.generate({ model: 'n', prompt: '' })).rejects.toMatchObject({ status_code: 404 })
    expect(asked).toEqual([])
  })

  it('lists the models, and shows one', async () => {
    const { ollama } = await client([finish()])
    const { models } = await ollama.list()
    expect(models).toMatchObject([{ name: 'm', model: 'm', digest: expect.stringMatching(/^[\da-f]{64}$/) }])
    expect(await ollama.ps()).toEqual({ models: [] })
    expect(await ollama.version()).toEqual({ version: '99.0.0-rehearsal' })
    expect(await ollama.show({ model: 'm' })).toMatchObject({
      capabilities: ['completion', 'tools', 'thinking', 'vision'],
    })
    await expect(ollama.show({ model: 'n' })).rejects.toThrow("model 'n' not found; there are m")
  })

  it('is told what is wrong', async () => {
    const { ollama } = await client([finish()])
    await expect(ollama.chat({ model: 'llama', messages })).rejects.toMatchObject({
      status_code: 404,
      error: "model 'llama' not found; there are m",
    })
    await expect(ollama.embed({ model: 'm', input: 'x' })).rejects.toThrow('makes no embeddings')
  })

  it('sees a stream that breaks off', async () => {
    const { ollama } = await client([...texts('Mi'), { type: 'error', error: new Error('gone') }])
    const stream = await ollama.chat({ model: 'm', messages, stream: true })
    let text = ''
    const reading = (async () => {
      for await (const { message } of stream) text += message.content
    })()
    await expect(reading).rejects.toThrow('terminated')
    expect(text).toBe('Mi')
  })

  it('can leave', async () => {
    let left: AbortSignal | undefined
    const { ollama } = await client(async function* ({ abortSignal }) {
      left = abortSignal
      yield* texts('Mi')
      await new Promise((resolve) => abortSignal?.addEventListener('abort', resolve))
    })
    const stream = await ollama.chat({ model: 'm', messages, stream: true })
    const reading = (async () => {
      for await (const _ of stream) ollama.abort()
    })()
    await expect(reading).rejects.toThrow('aborted')
    await expect.poll(() => left?.aborted).toBe(true)
  })
})
