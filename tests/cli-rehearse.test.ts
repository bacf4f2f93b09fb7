// `legible rehearse` as people get it: the built file, real clients, real signals.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { generateText, isStepCount, jsonSchema, Output, streamText, tool } from 'ai'
import { Ollama } from 'ollama'
import OpenAI from 'openai'
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { rehearsalDamages } from '../src/model/rehearsal/rehearsal-damages.ts'
import { main, plain } from './calls-command.ts'
import { collect } from './scripted-server.ts'

vi.setConfig({ testTimeout: 30_000, hookTimeout: 30_000 })

interface Rehearsal {
  readonly child: ChildProcess
  readonly url: string
  readonly port: number
  /** What was printed on standard output and standard error up to now. */
  readonly printed: { stdout: string; stderr: string }
}

/** Starts the command, and waits until it says where it listens. */
async function start(...args: string[]): Promise<Rehearsal> {
  const child = spawn(process.execPath, [main, 'rehearse', ...args], { env: plain })
  const printed = { stdout: '', stderr: '' }
  child.stderr.on('data', (chunk) => {
    printed.stderr += chunk
  })
  child.stdout.on('data', (chunk) => {
    printed.stdout += chunk
  })
  const first = await Promise.race([once(createInterface(child.stdout), 'line'), once(child, 'exit')])
  const [, port] = /127\.0\.0\.1:(\d+)/.exec(String(first[0])) ?? []
  if (port === undefined) throw new Error(`it did not start: ${printed.stderr}`)
  return { child, url: `http://127.0.0.1:${port}`, port: Number(port), printed }
}

/** One that fails at once. */
async function fails(...args: string[]) {
  const child = spawn(process.execPath, [main, 'rehearse', ...args], { env: plain })
  const [stdout, stderr, [status]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ])
  return { status, stdout, stderr }
}

async function stop({ child }: Rehearsal, signal: NodeJS.Signals = 'SIGTERM') {
  if (child.exitCode !== null) return child.exitCode
  child.kill(signal)
  const [status] = await once(child, 'exit')
  return status
}

const schema = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const }, celsius: { type: 'number' as const } },
  required: ['city', 'celsius'],
  additionalProperties: false,
}
const question = [{ role: 'user' as const, content: 'What is the weather in Oslo?' }]
const input = {
  type: 'object' as const,
  properties: { city: { type: 'string' as const } },
  required: ['city'],
}
const weather = { name: 'weather', description: 'The weather in a city.', parameters: input }

describe('its clients', () => {
  let rehearsal: Rehearsal
  let openai: OpenAI
  let ollama: Ollama
  beforeAll(async () => {
    rehearsal = await start()
    openai = new OpenAI({ baseURL: `${rehearsal.url}/v1`, apiKey: 'sk-secret', maxRetries: 0 })
    ollama = new Ollama({ host: rehearsal.url })
  })
  afterAll(async () => void (await stop(rehearsal)))

  it('openai: a reply, the same as a stream and for each seed', async () => {
    const request = { model: 'rehearsal', messages: question }
    const reply = await openai.chat.completions.create(request)
    const text = reply.choices[0]?.message.content
    expect(text).toMatch(/rehearsal/i)
    const chunks = await collect(await openai.chat.completions.create({ ...request, stream: true }))
    expect(chunks.length).toBeGreaterThan(5)
    expect(chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')).toBe(text)
    const again = await openai.chat.completions.create({ ...request, seed: 1 })
    expect(again.choices[0]?.message.content).toBe(text)
    expect((await openai.completions.create({ model: 'rehearsal', prompt: 'Hi.' })).choices[0]?.text).toMatch(
      /rehearsal/i,
    )
  })

  it('openai: calls, results, and an answer', async () => {
    const messages: OpenAI.ChatCompletionMessageParam[] = [...question]
    const tools = [{ type: 'function' as const, function: weather }]
    let called = 0
    for (let turn = 0; turn < 8; turn++) {
      const { choices } = await openai.chat.completions.create({ model: 'rehearsal', messages, tools })
      const { message, finish_reason } = choices[0]!
      messages.push(message)
      if (finish_reason === 'stop') break
      for (const call of message.tool_calls ?? []) {
        if (call.type !== 'function') continue
        called++
        expect(JSON.parse(call.function.arguments)).toEqual({ city: expect.any(String) })
        messages.push({ role: 'tool', tool_call_id: call.id, content: 'It is 3 °C.' })
      }
    }
    expect(called).toBeGreaterThan(0)
    expect(messages.at(-1)).toMatchObject({ role: 'assistant', content: expect.stringMatching(/rehearsal/i) })
  })

  it('openai: JSON by a schema', async () => {
    const { choices } = await openai.chat.completions.parse({
      model: 'rehearsal',
      messages: question,
      response_format: { type: 'json_schema', json_schema: { name: 'weather', schema, strict: true } },
    })
    expect(choices[0]?.message.parsed).toEqual({ city: expect.any(String), celsius: expect.any(Number) })
  })

  it('openai and ollama: the names of the models', async () => {
    const expected = ['rehearsal', ...rehearsalDamages.map((damage) => `rehearsal+${damage}`)]
    expect((await collect(openai.models.list())).map(({ id }) => id)).toEqual(expected)
    expect((await ollama.list()).models.map(({ name }) => name)).toEqual(expected)
    expect(await openai.models.retrieve('rehearsal+fence+prose')).toMatchObject({
      id: 'rehearsal+fence+prose',
    })
    await expect(openai.models.retrieve('rehearsal+fire')).rejects.toMatchObject({ status: 404 })
    expect((await ollama.show({ model: 'rehearsal+fence' })).capabilities).toContain('tools')
  })

  it('ollama: a reply, a stream, calls and JSON', async () => {
    const request = { model: 'rehearsal', messages: question }
    const { message, eval_count } = await ollama.chat(request)
    expect(message.content).toMatch(/rehearsal/i)
    expect(eval_count).toBeGreaterThan(0)
    const lines = await collect(await ollama.chat({ ...request, stream: true }))
    expect(lines.map((line) => line.message.content).join('')).toBe(message.content)
    const tools = [{ type: 'function', function: weather }]
    const called = await ollama.chat({ ...request, tools })
    expect(called.message.tool_calls).toMatchObject([
      { function: { name: 'weather', arguments: { city: expect.any(String) } } },
    ])
    const { message: value } = await ollama.chat({ ...request, format: schema })
    expect(JSON.parse(value.content)).toEqual({ city: expect.any(String), celsius: expect.any(Number) })
  })

  const models = {
    '@ai-sdk/openai': () => createOpenAI({ baseURL: `${rehearsal.url}/v1`, apiKey: 'any' }).chat('rehearsal'),
    '@ai-sdk/openai-compatible': () =>
      createOpenAICompatible({
        name: 'rehearsal',
        baseURL: `${rehearsal.url}/v1`,
        supportsStructuredOutputs: true,
      })('rehearsal'),
  }
  it.each(Object.entries(models))('%s: a loop with tools, a stream, a typed value', async (_, modelOf) => {
    const prompt = 'What is the weather in Oslo?'
    const ran: string[] = []
    const tools = {
      weather: tool({
        inputSchema: jsonSchema<{ city: string }>(input),
        execute: async ({ city }) => {
          ran.push(city)
          return 'It is 3 °C.'
        },
      }),
    }
    const loop = await generateText({ model: modelOf(), prompt, tools, stopWhen: isStepCount(8) })
    expect(ran.length).toBeGreaterThan(0)
    expect({ text: loop.text, finishReason: loop.finishReason }).toEqual({
      text: expect.stringMatching(/rehearsal/i),
      finishReason: 'stop',
    })
    const { textStream } = streamText({ model: modelOf(), prompt })
    expect((await collect(textStream)).join('')).toMatch(/rehearsal/i)
    const output = Output.object({ schema: jsonSchema<{ celsius: number }>(schema) })
    const typed = await generateText({ model: modelOf(), prompt, output })
    expect(typed.output.celsius).toEqual(expect.any(Number))
  })

  it('the Responses API: why there is none', async () => {
    const model = createOpenAI({ baseURL: `${rehearsal.url}/v1`, apiKey: 'any' })('rehearsal')
    await expect(generateText({ model, prompt: 'Hi.', maxRetries: 0 })).rejects.toThrow(
      'the Responses API is not served; use chat completions (with @ai-sdk/openai: openai.chat(name))',
    )
  })

  it('damage by the name of the model', async () => {
    const ask = async (model: string) =>
      (await openai.chat.completions.create({ model, messages: question })).choices[0]
    expect((await ask('rehearsal+fence'))?.message.content).toContain('```')
    expect((await ask('rehearsal+reasoning'))?.message.content).toContain('<think>')
    expect((await ask('rehearsal+truncated'))?.finish_reason).toBe('length')
    expect((await ask('rehearsal+empty'))?.message.content).toBe('')
    await expect(ask('rehearsal+fire')).rejects.toThrow("model 'rehearsal+fire' not found")
  })

  it('a connection that is lost in the middle, once', async () => {
    const messages = [{ role: 'user' as const, content: 'Tell me about the sea, at length.' }]
    const request = { model: 'rehearsal+break', messages, stream: true as const }
    let text = ''
    const read = async () => {
      text = ''
      for await (const { choices } of await openai.chat.completions.create(request))
        text += choices[0]?.delta.content ?? ''
    }
    await expect(read()).rejects.toThrow('terminated')
    const part = text
    expect(part).not.toBe('')
    await read()
    expect(text.startsWith(part)).toBe(true)
    expect(text.length).toBeGreaterThan(part.length)
    await vi.waitFor(() =>
      expect(rehearsal.printed.stderr).toMatch(/rehearsal\+break break 200 \d+ ms broke off\n/),
    )
  })

  it('fifty at once', async () => {
    const replies = await Promise.all(
      Array.from({ length: 50 }, async (_, i) => {
        const messages = [{ role: 'user' as const, content: `What is item ${i}?` }]
        const stream = await openai.chat.completions.create({ model: 'rehearsal', messages, stream: true })
        const chunks = await collect(stream)
        const whole = await openai.chat.completions.create({ model: 'rehearsal', messages })
        const text = chunks.map(({ choices }) => choices[0]?.delta.content ?? '').join('')
        return text !== '' && text === whole.choices[0]?.message.content
      }),
    )
    expect(replies).toEqual(Array(50).fill(true))
  })

  it('a log that says nothing of what was said, nor of keys', async () => {
    await fetch(`${rehearsal.url}/nowhere\u001b[31m?key=sk-secret`)
    const model = 'x\u001b[2J\nforged line'
    await fetch(`${rehearsal.url}/api/show`, { method: 'POST', body: JSON.stringify({ model }) })
    const { printed } = rehearsal
    await vi.waitFor(() => expect(printed.stderr).toContain('forged'))
    expect(printed.stderr).toContain('POST /v1/chat/completions rehearsal+fence fence 200')
    expect(printed.stderr).toMatch(/^GET \/nowhere%1B\[31m - - 404 \d+ ms$/m)
    expect(printed.stderr).toMatch(/^POST \/api\/show x\\u001b\[2J\\nforged line - 404 \d+ ms$/m)
    for (const word of ['secret', 'Oslo', '\u001b']) expect(printed.stderr).not.toContain(word)
    for (const line of printed.stderr.split('\n').slice(0, -1)) expect(line).toMatch(/^(GET|POST) \/.* ms/)
  })
})

describe('the command', () => {
  const starts = async (...args: string[]) => {
    const rehearsal = await start(...args)
    onTestFinished(async () => void (await stop(rehearsal)))
    return rehearsal
  }
  const chat = (url: string, more: object = {}, init: RequestInit = {}) =>
    fetch(`${url}/v1/chat/completions`, {
      method: 'POST',
      body: JSON.stringify({ model: 'rehearsal', messages: question, ...more }),
      ...init,
    })
  const textOf = async (response: Response) => {
    const { choices } = (await response.json()) as { choices: { message: { content: string } }[] }
    return choices[0]?.message.content
  }

  it('says how to use it', async () => {
    const { url, printed } = await starts()
    await vi.waitFor(() => expect(printed.stdout.split('\n')).toHaveLength(4))
    expect(printed.stdout).toBe(`The rehearsal model listens on ${url} (Ctrl-C stops it)
  OpenAI  base URL ${url}/v1, model rehearsal, any key
  Ollama  OLLAMA_HOST=${url}, model rehearsal
`)
  })

  it('says where it is, and logs, for programs', async () => {
    const { url, port, printed } = await starts('--json', '--damage', 'fence,prose')
    expect(printed.stdout).toBe(`${JSON.stringify({ url, port })}\n`)
    await chat(url)
    await vi.waitFor(() => expect(printed.stderr).not.toBe(''))
    expect(JSON.parse(printed.stderr)).toEqual({
      method: 'POST',
      path: '/v1/chat/completions',
      model: 'rehearsal',
      damage: ['fence', 'prose'],
      status: 200,
      ending: 'done',
      ms: expect.any(Number),
    })
  })

  it('damages what has no damage in its name, at a rate', async () => {
    const { url } = await starts('--damage', 'fence')
    expect(await textOf(await chat(url))).toContain('```')
    expect(await textOf(await chat(url, { model: 'rehearsal+prose' }))).not.toContain('```')
    const { url: never } = await starts('--damage', 'fence', '--rate', '0')
    expect(await textOf(await chat(never))).not.toContain('```')
  })

  it('cuts and waits as it is told', async () => {
    const { url } = await starts('--chunk', '5', '--delay', '20', '--seed', '7')
    const since = performance.now()
    const reply = await (await chat(url, { stream: true })).text()
    const deltas = [...reply.matchAll(/"delta":\{"content":"([^"]+)"\}/g)].map(([, text = '']) => text)
    expect(deltas.length).toBeGreaterThan(3)
    expect(new Set(deltas.slice(0, -1).map((text) => text.length))).toEqual(new Set([5]))
    expect(performance.now() - since).toBeGreaterThan(deltas.length * 15)
  })

  it.each(['SIGINT', 'SIGTERM'] as const)('ends at once by %s, even while it writes', async (signal) => {
    const rehearsal = await starts('--delay', '1000')
    const response = await chat(rehearsal.url, { stream: true })
    const since = performance.now()
    expect(await stop(rehearsal, signal)).toBe(0)
    expect(performance.now() - since).toBeLessThan(2000)
    await expect(response.text()).rejects.toThrow('terminated')
  })

  it('stops to write for a client that leaves', async () => {
    const { url, printed } = await starts('--delay', '1000')
    const client = new AbortController()
    const response = await chat(url, { stream: true }, { signal: client.signal })
    client.abort()
    await expect(response.text()).rejects.toThrow('aborted')
    await vi.waitFor(() => expect(printed.stderr).toMatch(/ 200 \d+ ms the client left\n$/))
  })

  it('says when the port is taken', async () => {
    const other = createServer().listen(0, '127.0.0.1')
    await once(other, 'listening')
    onTestFinished(() => void other.close())
    const { port } = other.address() as { port: number }
    const message = `port ${port}: something else listens there; take another, or leave out --port for one that is free`
    expect(await fails('--port', String(port))).toEqual({
      status: 2,
      stdout: '',
      stderr: `legible: ${message}\n`,
    })
    const { status, stdout, stderr } = await fails('--port', String(port), '--json')
    expect({ status, stderr }).toEqual({ status: 2, stderr: '' })
    expect(JSON.parse(stdout)).toEqual({ ok: false, error: { code: 'cli.port_unavailable', message } })
  })

  it('refuses what it cannot use', async () => {
    const wrong = [
      ['--port 65536', 'It must be a port, from 0 to 65535.'],
      ['--seed x', 'It must be a whole number.'],
      ['--damage fence,fire', 'There are fence, prose, '],
      ['--rate 1.5', 'It must be a number from 0 to 1.'],
      ['--delay -1', 'It must be a number of milliseconds, up to 60000.'],
      ['--chunk 0', 'It must be a whole number from 1 to '],
      ['more', 'too many arguments'],
    ] as const
    const runs = await Promise.all(wrong.map(([args]) => fails(...args.split(' '))))
    for (const [i, [args, problem]] of wrong.entries()) {
      expect(runs[i], args).toEqual({ status: 2, stdout: '', stderr: expect.stringContaining(problem) })
      expect(runs[i]?.stderr).toContain('See legible rehearse --help.')
    }
  })

  it('teaches', async () => {
    const { status, stdout } = await fails('--help')
    expect(status).toBe(0)
    for (const damage of rehearsalDamages) expect(stdout).toContain(` ${damage} `)
    for (const line of stdout.split('\n')) expect(line.length).toBeLessThanOrEqual(115)
  })
})
