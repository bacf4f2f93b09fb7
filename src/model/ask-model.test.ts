import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import type { LanguageModelV4, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { defineTool } from '../tool/define-tool.ts'
import { askModel, type Question } from './ask-model.ts'
import { ModelError } from './model-error.ts'
import { scriptedModel } from './rehearsal/scripted-model.ts'

const question = (more: Partial<Question> = {}): Question => ({
  messages: [{ role: 'user', content: 'Hi' }],
  signal: new AbortController().signal,
  ...more,
})

/** A provider that pays no heed to signals. */
const deaf = (stream: ReadableStream<LanguageModelV4StreamPart>): LanguageModelV4 => ({
  ...scriptedModel([]),
  doStream: async () => ({ stream }),
})

test('gives text, reasoning, calls, the reason of its end, and what it used', async () => {
  const model = scriptedModel([
    {
      content: [
        { type: 'reasoning', text: 'hm' },
        { type: 'text', text: 'Hello' },
        { type: 'tool-call', toolName: 'search', input: { q: 1 }, toolCallId: 'c1' },
      ],
      usage: { input: 7, output: 3 },
    },
  ])
  let text = ''
  let reasoning = ''
  const reply = await askModel(
    model,
    question({
      settings: { temperature: 0 },
      tools: [
        defineTool({
          name: 'search',
          description: 'Searches.',
          input: z.object({ q: z.number() }),
          run: () => 0,
        }),
      ],
      onText: (delta) => {
        text += delta
      },
      onReasoning: (delta) => {
        reasoning += delta
      },
    }),
  )
  expect(reply).toEqual({
    text: 'Hello',
    reasoning: 'hm',
    calls: [{ id: 'c1', name: 'search', input: '{"q":1}' }],
    finish: 'tool-calls',
    usage: { input: 7, output: 3 },
  })
  expect([text, reasoning]).toEqual(['Hello', 'hm'])
  expect(model.calls[0]).toMatchObject({
    temperature: 0,
    tools: [{ type: 'function', name: 'search', inputSchema: { type: 'object', required: ['q'] } }],
  })
})

describe('a provider that does not finish', () => {
  test('ends its stream before the reply', async () => {
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        controller.enqueue({ type: 'text-delta', id: '1', delta: 'half' })
        controller.close()
      },
    })
    await expect(askModel(deaf(stream), question())).rejects.toMatchObject({
      code: 'model.broke_off',
      partial: 'half',
      retryable: true,
    })
  })

  test.each([
    ['other', undefined, undefined],
    ['error', 'error', undefined],
    ['other', 'eos_token', 'stop'],
    ['other', 'model_length', 'length'],
    ['stop', undefined, 'stop'],
  ] as const)('ends with %s (%s): %s', async (unified, raw, finish) => {
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      start(controller) {
        controller.enqueue({ type: 'text-delta', id: '1', delta: 'all?' })
        const usage = { inputTokens: {}, outputTokens: {} } as never
        controller.enqueue({ type: 'finish', finishReason: { unified, raw }, usage })
        controller.close()
      },
    })
    const asked = askModel(deaf(stream), question())
    if (finish) expect(await asked).toMatchObject({ finish, text: 'all?' })
    else
      await expect(asked).rejects.toMatchObject({ code: 'model.broke_off', partial: 'all?', retryable: true })
  })

  test('never says anything: a signal ends the wait', async () => {
    const silent = deaf(new ReadableStream({ pull: () => new Promise(() => {}) }))
    await expect(askModel(silent, question({ signal: AbortSignal.timeout(10) }))).rejects.toThrow(/time/)
    const hanging = { ...silent, doStream: () => new Promise<never>(() => {}) }
    await expect(askModel(hanging, question({ signal: AbortSignal.timeout(10) }))).rejects.toThrow(/time/)
  })

  test('never stops: what it says is bounded', async () => {
    const chunk = 'x'.repeat(1024 * 1024)
    let sent = 0
    const stream = new ReadableStream<LanguageModelV4StreamPart>({
      pull(controller) {
        sent++
        controller.enqueue({ type: 'text-delta', id: '1', delta: chunk })
      },
    })
    await expect(askModel(deaf(stream), question())).rejects.toThrow(/longer than/)
    expect(sent).toBeLessThan(20)
  })
})

describe('what a real server does', () => {
  const at = async (
    answer: (attempt: number) => { status: number; headers?: Record<string, string>; body: string } | 'reset',
    run: (model: LanguageModelV4) => Promise<void>,
  ) => {
    let attempt = 0
    const server = createServer((request, response) => {
      request.resume()
      const said = answer(attempt++)
      if (said === 'reset') {
        response.writeHead(200, { 'content-type': 'text/event-stream' })
        const delta = { choices: [{ index: 0, delta: { content: 'half a' } }] }
        response.write(`data: ${JSON.stringify(delta)}\n\n`, () => setTimeout(() => response.destroy(), 20))
      } else response.writeHead(said.status, said.headers).end(said.body)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    try {
      await run(createOpenAICompatible({ name: 'local', baseURL: `http://127.0.0.1:${port}/v1` })('m'))
    } finally {
      server.close()
      server.closeAllConnections()
    }
  }
  const errorOf = (model: LanguageModelV4): Promise<ModelError> =>
    askModel(model, question()).then(
      () => expect.fail('it answered'),
      (error) => error,
    )

  test('is busy', async () => {
    const body = '{"error": {"message": "slow down"}}'
    await at(
      () => ({ status: 429, headers: { 'content-type': 'application/json', 'retry-after': '2' }, body }),
      async (model) => {
        const error = await errorOf(model)
        expect(error).toBeInstanceOf(ModelError)
        expect(error).toMatchObject({ code: 'model.failed', status: 429, retryable: true, retryAfter: 2000 })
        expect(error.message).toContain('slow down')
      },
    )
  })

  test('refuses', async () => {
    await at(
      () => ({ status: 401, body: 'nope' }),
      async (model) => expect(await errorOf(model)).toMatchObject({ status: 401, retryable: false }),
    )
  })

  test('dies in the middle', async () => {
    await at(
      () => 'reset',
      async (model) =>
        expect(await errorOf(model)).toMatchObject({
          code: 'model.broke_off',
          retryable: true,
          partial: 'half a',
        }),
    )
  })

  test('is not there', async () => {
    let dead: LanguageModelV4 | undefined
    await at(
      () => 'reset',
      async (model) => {
        dead = model
      },
    )
    const error = await errorOf(dead as LanguageModelV4)
    expect(error).toMatchObject({ code: 'model.failed', retryable: true })
    expect(error.message).toMatch(/connect/i)
  })
})
