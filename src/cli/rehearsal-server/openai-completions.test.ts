import OpenAI from 'openai'
import { describe, expect, it } from 'vitest'
import { collect, finish, reasons, type Script, serve, texts } from '../../../tests/scripted-server.ts'

async function client(script: Script) {
  const server = await serve({ m: script })
  return { ...server, openai: new OpenAI({ baseURL: `${server.url}/v1`, apiKey: 'any', maxRetries: 0 }) }
}
const request = { model: 'm', prompt: 'Once' }

describe('completions', () => {
  it('are text, whole and streamed, with reasoning in its tags', async () => {
    const { openai, asked } = await client([...reasons('H', 'm.'), ...texts(' upon', ' a time'), finish()])
    const reply = await openai.completions.create({ ...request, max_tokens: 9, stop: ['.', '!'] })
    expect(reply).toMatchObject({
      id: expect.stringMatching(/^cmpl-/),
      object: 'text_completion',
      choices: [
        { index: 0, text: '<think>Hm.</think>\n upon a time', finish_reason: 'stop', logprobs: null },
      ],
      usage: { prompt_tokens: 7, completion_tokens: 5, total_tokens: 12 },
    })
    expect(asked[0]).toMatchObject({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Once' }] }],
      maxOutputTokens: 9,
      stopSequences: ['.', '!'],
    })
    const stream = await openai.completions.create({
      ...request,
      stream: true,
      stream_options: { include_usage: true },
    })
    const chunks = await collect(stream)
    expect(chunks.map(({ choices }) => choices[0]?.text ?? '').join('')).toBe(reply.choices[0]?.text)
    expect(chunks.at(-2)?.choices[0]?.finish_reason).toBe('stop')
    expect(chunks.at(-1)).toMatchObject({ choices: [], usage: { total_tokens: 12 } })
  })

  it('end their reasoning when nothing follows it', async () => {
    const { openai } = await client([...reasons('Hm.'), finish('length')])
    const { choices } = await openai.completions.create(request)
    expect(choices[0]).toMatchObject({ text: '<think>Hm.</think>\n', finish_reason: 'length' })
  })

  it.each([
    [undefined, 'prompt: is missing'],
    [['one', 'two'], 'prompt: must be one string'],
    [[1, 2], 'prompt: must be one string'],
    [[], 'prompt: must be one string'],
  ])('refuse the prompt %j', async (prompt, problem) => {
    const { openai } = await client([finish()])
    const wrong = { model: 'm', prompt } as never
    await expect(openai.completions.create(wrong)).rejects.toThrow(problem)
  })

  it.each([
    ['echo', true],
    ['suffix', 'The end.'],
    ['logprobs', 3],
  ])('refuse %s', async (name, value) => {
    const { openai } = await client([finish()])
    await expect(openai.completions.create({ ...request, [name]: value })).rejects.toThrow(
      `${name}: is not served by the rehearsal model`,
    )
  })

  it('take a prompt in a list', async () => {
    const { openai } = await client([...texts('.'), finish()])
    expect((await openai.completions.create({ model: 'm', prompt: ['Once'] })).choices[0]?.text).toBe('.')
  })
})
