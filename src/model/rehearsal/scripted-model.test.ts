import { APICallError, type LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { generateText, isStepCount, streamText, tool } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { type ScriptedReply, scriptedModel } from './scripted-model.ts'

const call = { prompt: [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello?' }] }] }

async function streamed(reply: ScriptedReply) {
  const told: LanguageModelV4StreamPart[] = []
  try {
    for await (const part of (await scriptedModel([reply]).doStream(call)).stream) told.push(part)
  } catch (error) {
    return { told, error }
  }
  return { told }
}
const textOf = (told: readonly LanguageModelV4StreamPart[]) =>
  told.map((part) => (part.type === 'text-delta' ? part.delta : '')).join('')

describe('scriptedModel', () => {
  it('plays its replies in order, and remembers what it was asked', async () => {
    const model = scriptedModel(['One.', 'Two.'])
    expect((await generateText({ model, prompt: 'first?' })).text).toBe('One.')
    expect(await streamText({ model, prompt: 'second?' }).text).toBe('Two.')
    expect(model.calls.map(({ prompt }) => prompt[0]?.content)).toMatchObject([
      [{ text: 'first?' }],
      [{ text: 'second?' }],
    ])
    await expect(model.doGenerate(call)).rejects.toThrow('The script has 2 replies, and this is call 3.')
  })

  it('asks a function what to say', async () => {
    const model = scriptedModel(({ prompt }, index) => `${index}: ${prompt.length}`)
    expect((await generateText({ model, prompt: 'x' })).text).toBe('0: 1')
    expect((await generateText({ model, prompt: 'x' })).text).toBe('1: 1')
    const silent = scriptedModel((() => undefined) as never)
    await expect(silent.doStream(call)).rejects.toThrow('no reply to call 1')
  })

  it('calls tools by means of the API', async () => {
    const model = scriptedModel([
      {
        content: [
          { type: 'reasoning', text: 'Hm.' },
          { type: 'tool-call', toolName: 'add', input: { a: 1, b: 2 } },
        ],
      },
      'It is 3.',
    ])
    const add = tool({
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      execute: ({ a, b }) => a + b,
    })
    const { text, steps } = await generateText({
      model,
      tools: { add },
      prompt: '1 + 2?',
      stopWhen: isStepCount(3),
    })
    expect(text).toBe('It is 3.')
    expect(steps[0]).toMatchObject({
      finishReason: 'tool-calls',
      toolResults: [{ output: 3 }],
      reasoningText: 'Hm.',
    })
    expect(model.calls[1]?.prompt.at(-1)).toMatchObject({ role: 'tool' })
  })

  it('fails as an API does: at once, or after so many characters', async () => {
    const busy = scriptedModel([
      { error: { status: 529 } },
      { error: { status: 401, message: 'who are you?' } },
      'Fine.',
    ])
    const first = await Promise.resolve(busy.doStream(call)).catch((error: unknown) => error)
    expect(first).toMatchObject({ statusCode: 529, isRetryable: true })
    expect(first).toSatisfy(APICallError.isInstance)
    await expect(busy.doGenerate(call)).rejects.toMatchObject({
      statusCode: 401,
      isRetryable: false,
      message: 'who are you?',
    })
    expect((await busy.doGenerate(call)).content).toEqual([{ type: 'text', text: 'Fine.' }])

    const cut = await streamed({ text: 'Hello, world', error: { after: 5 } })
    expect(textOf(cut.told)).toBe('Hello')
    expect(cut.error).toMatchObject({ message: 'The connection was reset.', isRetryable: true })
    const part = await streamed({ text: 'Hello, world', error: { after: 7, asPart: true, status: 500 } })
    expect(textOf(part.told)).toBe('Hello, ')
    expect(part.told.at(-1)).toMatchObject({ type: 'error', error: { statusCode: 500 } })
    const late = await streamed({ text: 'Hello', error: { after: 100 } })
    expect(textOf(late.told)).toBe('Hello')
    expect(late.error).toMatchObject({ message: 'The connection was reset.', isRetryable: true })
    const own = await streamed({ text: 'Hello', error: new RangeError('mine') })
    expect(own.error).toBeInstanceOf(RangeError)
  })

  it('passes headers of an error on', async () => {
    const model = scriptedModel([{ error: { status: 429, headers: { 'retry-after': '2' } } }])
    await expect(model.doGenerate(call)).rejects.toMatchObject({ responseHeaders: { 'retry-after': '2' } })
  })

  it('is retried by the AI SDK', async () => {
    const model = scriptedModel([
      { error: { status: 503, headers: { 'retry-after-ms': '1' } } },
      'Back again.',
    ])
    expect((await generateText({ model, prompt: 'x' })).text).toBe('Back again.')
    expect(model.calls).toHaveLength(2)
  })

  it('streams in the chunks it is given, and says how it ended', async () => {
    const { told } = await streamed({
      chunks: ['Hel', 'lo', ''],
      finishReason: 'length',
      usage: { input: 7, output: 2 },
    })
    expect(told.flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))).toEqual([
      'Hel',
      'lo',
      '',
    ])
    expect(told.at(-1)).toMatchObject({
      finishReason: { unified: 'length' },
      usage: { inputTokens: { total: 7 }, outputTokens: { total: 2 } },
    })
    await expect(scriptedModel([{ text: 'a', chunks: ['b'] }]).doStream(call)).rejects.toThrow('add up')
  })

  it('says nothing at all if that is its reply', async () => {
    expect((await scriptedModel(['']).doGenerate(call)).content).toEqual([])
  })

  it('obeys an abort', async () => {
    const signal = AbortSignal.timeout(5)
    const { stream } = await scriptedModel([{ text: 'slow', delay: 60_000 }]).doStream({
      ...call,
      abortSignal: signal,
    })
    await expect(stream.pipeTo(new WritableStream())).rejects.toThrow(/timeout/i)
  })
})
