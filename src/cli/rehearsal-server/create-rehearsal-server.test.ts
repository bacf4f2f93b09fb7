import { EventEmitter, once } from 'node:events'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { APICallError } from '@ai-sdk/provider'
import { describe, expect, it, vi } from 'vitest'
import { finish, type Part, serve, texts } from '../../../tests/scripted-server.ts'

const hi = { model: 'm', messages: [{ role: 'user', content: 'Hi.' }] }
const streamed = { ...hi, stream: true }
const brief = { m: [...texts('Hel', 'lo.'), finish()] }
const chat = '/v1/chat/completions'

describe('what is wrong with a request', () => {
  it.each([
    ['', 400, 'the body is not JSON: it is empty'],
    ['{"model": ', 400, 'the body is not JSON: '],
    ['[]', 400, 'the body must be an object, not a list'],
    ['{}', 400, 'model: is missing'],
    [{ ...hi, model: 7 }, 400, 'model: must be a string, not a number'],
    [{ ...hi, model: 'gpt-5' }, 404, "model 'gpt-5' not found; there are m"],
    [{ ...hi, model: '__proto__' }, 404, "model '__proto__' not found; there are m"],
    [{ model: 'm' }, 400, 'messages: is missing'],
    [{ ...hi, stream: 'yes' }, 400, 'stream: must be true or false, not a string'],
    [{ ...hi, seed: 1.5 }, 400, 'seed: must be a whole number, not 1.5'],
    [{ ...hi, max_tokens: 0 }, 400, 'max_tokens: must be at least 1'],
    [{ ...hi, stop: [7] }, 400, 'stop: must be a string, or a list of strings'],
    [{ ...hi, n: 2 }, 400, 'n: one reply is written at a time: leave it out'],
    [{ ...hi, logprobs: true }, 400, 'logprobs: is not served'],
    [{ ...hi, tool_choice: 'auto' }, 400, 'tool_choice: is only allowed when there are tools'],
    [{ ...hi, tools: [{ type: 'custom' }] }, 400, 'tools[0].type: must be function'],
    [{ ...hi, response_format: { type: 'xml' } }, 400, 'response_format.type: must be text, json_object'],
    [{ ...hi, reasoning_effort: 'huge' }, 400, 'reasoning_effort: must be one of none, minimal'],
  ])('OpenAI: %j', async (body, status, message) => {
    const { post } = await serve(brief)
    const response = await post(chat, body)
    const { error } = (await response.json()) as { error: { message: string; type: string } }
    expect(response.status).toBe(status)
    expect(error.message).toContain(message)
    expect(error.type).toBe('invalid_request_error')
  })

  it.each([
    ['nonsense', 400, 'the body is not JSON: '],
    [{ ...hi, model: 'llama' }, 404, "model 'llama' not found; there are m"],
    [{ ...hi, format: 'xml' }, 400, 'format: must be "json", or a JSON Schema'],
    [{ ...hi, think: 7 }, 400, 'think: must be true, false, "low", "medium" or "high"'],
    [{ ...hi, options: { seed: 'x' } }, 400, 'options.seed: must be a whole number, not a string'],
  ])('Ollama: %j', async (body, status, message) => {
    const { post } = await serve(brief)
    const response = await post('/api/chat', body)
    expect(response.status).toBe(status)
    expect(await response.json()).toEqual({ error: expect.stringContaining(message) })
  })

  it('names the tool that there is not', async () => {
    const { post } = await serve(brief)
    const tools = [{ type: 'function', function: { name: 'a' } }]
    const choice = { type: 'function', function: { name: 'b' } }
    const response = await post(chat, { ...hi, tools, tool_choice: choice })
    expect(await response.json()).toEqual({
      error: {
        message: 'tool_choice.function.name: no tool in tools has this name',
        type: 'invalid_request_error',
        param: 'tool_choice.function.name',
        code: null,
      },
    })
  })

  it.each([
    ['GET', '/nowhere', 404, 'there is no such path; there are /, /v1/chat/completions'],
    ['POST', '/v1/responses', 404, 'the Responses API is not served; use chat completions'],
    ['POST', '/chat/completions', 404, 'the base URL of the client needs /v1 at its end'],
    ['GET', '/v1/models/x%2By', 404, "model 'x+y' not found; there are m"],
    ['GET', '/v1/models/%', 404, "model '%' not found; there are m"],
    ['GET', chat, 405, 'this path takes POST, not GET'],
    ['DELETE', '/v1/models/m', 405, 'this path takes GET, not DELETE'],
  ])('%s %s', async (method, path, status, message) => {
    const { url } = await serve(brief)
    const response = await fetch(`${url}${path}`, { method })
    expect(response.status).toBe(status)
    expect(response.headers.has('allow')).toBe(status === 405)
    expect(await response.json()).toMatchObject({ error: { message: expect.stringContaining(message) } })
  })

  it('reads bodies up to a limit, and the connection lives on', async () => {
    const { post, asked } = await serve(brief, { maxBody: 1000 })
    const long = { ...hi, messages: [{ role: 'user', content: 'x'.repeat(3_000_000) }] }
    const response = await post(chat, long)
    expect(response.status).toBe(413)
    expect(await response.json()).toMatchObject({
      error: { message: 'the body is too long: at most 1000 bytes are read' },
    })
    expect(asked).toEqual([])
    const fits = { ...hi, user: 'x'.repeat(1000 - JSON.stringify({ ...hi, user: '' }).length) }
    expect((await post(chat, fits)).status).toBe(200)
    expect((await post(chat, `${JSON.stringify(fits)} `)).status).toBe(413)
  })

  it('survives a client that leaves while it sends', async () => {
    const { port, post, served, asked } = await serve(brief)
    const asking = request({ host: '127.0.0.1', port, path: chat, method: 'POST' })
    asking.on('error', () => undefined)
    asking.write(JSON.stringify(streamed).slice(0, 20))
    await sleep(50)
    asking.destroy()
    await vi.waitFor(() => expect(served).toMatchObject([{ ending: 'left', model: undefined }]))
    expect(asked).toEqual([])
    expect((await post(chat, hi)).status).toBe(200)
  })

  it('tells of bytes that are no text', async () => {
    const { url } = await serve(brief)
    const response = await fetch(`${url}${chat}`, { method: 'POST', body: new Uint8Array([0x7b, 0xff]) })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: { message: 'the body is not UTF-8' } })
  })

  it('tells of a model that cannot be asked', async () => {
    const { post } = await serve({
      m: () => {
        throw new Error('no more rehearsals today')
      },
    })
    const response = await post(chat, streamed)
    expect(response.status).toBe(500)
    expect(await response.json()).toMatchObject({
      error: { type: 'server_error', message: 'the model failed: no more rehearsals today' },
    })
  })
})

describe('what is listed', () => {
  it('says what this is', async () => {
    const { url } = await serve(brief)
    const response = await fetch(url)
    expect(await response.text()).toMatch(
      /^This is the rehearsal model of legible: it is no language model.*Models {4}m\n$/s,
    )
    const head = await fetch(url, { method: 'HEAD' })
    expect([head.status, await head.text()]).toEqual([200, ''])
  })
})

async function* endless(): AsyncGenerator<Part> {
  for (;;) yield texts('x'.repeat(10_000))[0] as Part
}

describe('a stream', () => {
  it('breaks off as that of a dead provider, after what was written', async () => {
    const { post, served } = await serve({
      *m() {
        yield* texts('Hel')
        yield { type: 'error', error: new Error('overloaded') }
        yield* texts('lo.')
        yield finish()
      },
    })
    for (const path of [chat, '/v1/completions', '/api/chat', '/api/generate']) {
      const response = await post(path, { ...streamed, prompt: 'Hi.' })
      expect(response.status).toBe(200)
      let text = ''
      const reading = (async () => {
        for await (const chunk of response.body!.pipeThrough(new TextDecoderStream())) text += chunk
      })()
      await expect(reading, path).rejects.toThrow('terminated')
      expect(text).toContain('Hel')
      expect(text).not.toMatch(/lo\.|overloaded|DONE|"done":true/)
    }
    await vi.waitFor(() => expect(served.map(({ ending }) => ending)).toEqual(Array(4).fill('broken')))
  })

  it('breaks off when the model stops without an end', async () => {
    const { post } = await serve({ m: texts('Hel') })
    const response = await post(chat, streamed)
    await expect(response.text()).rejects.toThrow('terminated')
  })

  it('has no answer at all where the whole was asked for', async () => {
    const { post } = await serve({ m: [...texts('Hel'), { type: 'error', error: 'overloaded' }] })
    await expect(post(chat, hi)).rejects.toThrow('fetch failed')
    await expect(post('/api/chat', { ...hi, stream: false })).rejects.toThrow('fetch failed')
  })

  it('is not begun where the provider gives no answer', async () => {
    const { post, served } = await serve({
      m: () => {
        throw new APICallError({ message: 'reset', url: '', requestBodyValues: {}, isRetryable: true })
      },
    })
    await expect(post(chat, streamed)).rejects.toThrow('fetch failed')
    await vi.waitFor(() => expect(served).toMatchObject([{ ending: 'broken' }]))
  })

  it('ends when the client goes away, and the model is told', async () => {
    let stopped: AbortSignal | undefined
    let cleaned = false
    const { post, served } = await serve({
      async *m({ abortSignal }) {
        stopped = abortSignal
        try {
          yield* texts('Hel')
          await sleep(60_000, undefined, { signal: abortSignal as AbortSignal })
        } finally {
          cleaned = true
        }
      },
    })
    for (const body of [streamed, hi]) {
      cleaned = false
      served.length = 0
      const client = new AbortController()
      const response = post(chat, body, { signal: client.signal }).then((one) => one.text())
      response.catch(() => undefined)
      await vi.waitFor(() => expect(stopped?.aborted).toBe(false))
      client.abort()
      await expect(response).rejects.toThrow('aborted')
      await vi.waitFor(() => expect(cleaned).toBe(true))
      expect(stopped?.aborted).toBe(true)
      await vi.waitFor(() => expect(served).toMatchObject([{ ending: 'left', model: 'm' }]))
    }
  })

  it('stops a model that does not listen', async () => {
    let stopped = false
    const { post } = await serve({
      async *m() {
        try {
          for (;;) {
            yield* texts('x')
            await sleep(5)
          }
        } finally {
          stopped = true
        }
      },
    })
    const client = new AbortController()
    const response = await post(chat, streamed, { signal: client.signal })
    await response.body!.getReader().read()
    client.abort()
    await vi.waitFor(() => expect(stopped).toBe(true))
  })

  it('is made no faster than the client reads it', async () => {
    let made = 0
    const { port } = await serve({
      async *m() {
        for await (const part of endless()) {
          made++
          yield part
        }
      },
    })
    const asking = request({ host: '127.0.0.1', port, path: chat, method: 'POST' })
    asking.on('error', () => undefined)
    asking.end(JSON.stringify(streamed))
    // The response is not read.
    await new Promise((resolve) => asking.on('response', resolve))
    let before = -1
    await vi.waitFor(
      () => {
        const stands = made === before
        before = made
        expect(stands && made > 0).toBe(true)
      },
      { interval: 100, timeout: 4000 },
    )
    // What fits into the buffers of the system, and not more.
    expect(made).toBeLessThan(3000)
    asking.destroy()
  })

  it('does not wait for others', async () => {
    let running = 0
    const all = new EventEmitter()
    const begun = once(all, 'begun')
    const { post } = await serve({
      async *m({ seed }) {
        running++
        if (running === 50) all.emit('begun')
        for (let i = 0; i < 10; i++) {
          yield* texts(`${seed}.${i} `)
          // No reply goes on before all have begun.
          await begun
        }
        yield finish()
      },
    })
    const replies = await Promise.all(
      Array.from({ length: 50 }, async (_, seed) => (await post(chat, { ...streamed, seed })).text()),
    )
    for (const [seed, reply] of replies.entries()) {
      const deltas = [...reply.matchAll(/"delta":\{"content":"([^"]*)"\}/g)].map(([, text]) => text)
      expect(deltas.join('')).toBe(Array.from({ length: 10 }, (_, i) => `${seed}.${i} `).join(''))
    }
  })
})
