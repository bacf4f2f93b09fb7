import { generateText, NoObjectGeneratedError, Output, streamText } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { partsOf, scripted, textOf, wrap } from '../../../tests/text-model.ts'

describe('structured output', () => {
  const person = z.object({ name: z.string(), age: z.number() })
  const replies = [
    '{"name": "Ada", "age": 36}',
    'Sure:\n```json\n{"name": "Ada", "age": "36",}\n```\nAnything else?',
    '<think>{"name": "no"}</think>{\'name\': \'Ada\', age: 36}',
  ]

  it.each(replies)('is an object: %s', async (reply) => {
    const { model, asked } = scripted([reply, reply])
    const options = { model: wrap(model), prompt: 'Who?', output: Output.object({ schema: person }) }
    const result = await generateText(options)
    expect(result.output).toEqual({ name: 'Ada', age: 36 })
    expect(result.text).toBe('{"name":"Ada","age":36}')
    const streamed = streamText(options)
    const partials: unknown[] = []
    for await (const partial of streamed.partialOutputStream) partials.push(partial)
    expect(partials.length).toBeGreaterThan(2)
    expect(partials.at(-1)).toEqual({ name: 'Ada', age: 36 })
    expect(await streamed.output).toEqual({ name: 'Ada', age: 36 })
    expect(asked[0]).not.toHaveProperty('responseFormat')
    expect(textOf(asked[0])).toContain('age: number')
  })

  it.each(['', '```json\n'])('comes while it is written: %j', async (fence) => {
    const words = 'word '.repeat(40)
    const { model } = scripted([`${fence}{"name": "${words}", "age": 3}${fence && '\n```'}`])
    const json = {
      type: 'json',
      schema: { type: 'object', properties: { name: { type: 'string' } } },
    } as const
    const parts = await partsOf(wrap(model), { responseFormat: json })
    expect(parts.filter(({ type }) => type === 'text-delta').length).toBeGreaterThan(40)
  })

  it('says what was mended', async () => {
    const options = { prompt: '?', output: Output.object({ schema: z.object({ age: z.number() }) }) }
    const { finalStep } = await generateText({ ...options, model: wrap(scripted(['{age: "3"}']).model) })
    expect(finalStep.providerMetadata?.legible).toMatchObject({
      issues: [{ code: 'json.unquoted_key' }, { code: 'json.converted' }],
    })
  })

  it('is no call, whatever its fields are called', async () => {
    const reply = '```json\n{"name": "Ada", "arguments": {"a": 1}}\n```'
    const schema = z.object({ name: z.string(), arguments: z.object({ a: z.number() }) })
    const options = { model: wrap(scripted([reply]).model), prompt: '?', output: Output.object({ schema }) }
    expect((await generateText(options)).output).toEqual({ name: 'Ada', arguments: { a: 1 } })
  })

  it('is a list, element by element', async () => {
    const reply =
      '{"elements": [{"name": "Ada", "age": "36"}, {"name": "Bo", "age": 2}, {"name": "Cy", "age": 3}]}'
    const bare = '[{"name": "Ada", "age": "36"}, {"name": "Bo", "age": 2}, {"name": "Cy", "age": 3}]'
    const { model } = scripted([reply, reply, bare, bare])
    const options = { model: wrap(model), prompt: 'Who?', output: Output.array({ element: person }) }
    for (let i = 0; i < 2; i++) {
      expect((await generateText(options)).output.map(({ age }) => age)).toEqual([36, 2, 3])
      const streamed = streamText(options)
      const names: string[] = []
      for await (const { name } of streamed.elementStream) names.push(name)
      expect(names).toEqual(['Ada', 'Bo', 'Cy'])
    }
  })

  it.each(['{"result": "Rainy"}', '"rainy"', 'rainy', 'Rainy.'])('is a choice: %s', async (reply) => {
    const { model } = scripted([reply, reply])
    const options = {
      model: wrap(model),
      prompt: '?',
      output: Output.choice({ options: ['sunny', 'rainy'] }),
    }
    expect((await generateText(options)).output).toBe('rainy')
    expect(await streamText(options).output).toBe('rainy')
  })

  it('is any JSON', async () => {
    const { model } = scripted(['Here: {"a": [1]}', '[1, 2]'])
    const options = { model: wrap(model), prompt: '?', output: Output.json() }
    expect((await generateText(options)).output).toEqual({ a: [1] })
    expect(await streamText(options).output).toEqual([1, 2])
  })

  it('is not made of half a reply', async () => {
    const schema = z.object({ name: z.string(), age: z.number().optional() })
    const { model } = scripted(['{"name": "Ada", "age": 3', '{"name": "Ada", "age": 3'], { reason: 'length' })
    const options = { model: wrap(model), prompt: '?', output: Output.object({ schema }) }
    await expect(generateText(options).then(({ output }) => output)).rejects.toThrow(NoObjectGeneratedError)
    const errors: unknown[] = []
    const streamed = streamText({ ...options, onError: ({ error }) => void errors.push(error) })
    await expect(streamed.output).rejects.toThrow(NoObjectGeneratedError)
  })

  it('lacks what the model did not write', async () => {
    const { model } = scripted(['I do not know.'])
    const failing = generateText({
      model: wrap(model),
      prompt: '?',
      output: Output.object({ schema: person }),
    })
    await expect(failing).rejects.toMatchObject({ text: 'I do not know.' })
  })
})
