import type { JSONSchema7, LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { APICallError } from '@ai-sdk/provider'
import { generateText, isStepCount, Output, streamText, tool } from 'ai'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dialects } from '../../dialects/dialects.ts'
import { describePlan } from '../../plan/index.ts'
import { describeReply } from '../../reply/index.ts'
import { describeSchema } from '../../schema/describe-schema.ts'
import { toJsonSchema } from '../../schema/to-json-schema.ts'
import { labels, markdown, xml } from '../../text/index.ts'
import { defineTool, describeToolCalls, jsonToolChain, textTermination } from '../../tool/index.ts'
import { rehearsalDamages } from './rehearsal-damages.ts'
import { type RehearsalOptions, rehearsalModel } from './rehearsal-model.ts'

const ask = (text: string, more: Partial<LanguageModelV4CallOptions> = {}): LanguageModelV4CallOptions => ({
  prompt: [{ role: 'user', content: [{ type: 'text', text }] }],
  ...more,
})
const functionTool = (name: string, schema: z.ZodType) => ({
  type: 'function' as const,
  name,
  inputSchema: toJsonSchema(schema) as JSONSchema7,
})
const weather = functionTool('weather', z.object({ city: z.string(), days: z.number().int().min(1) }))
const now = functionTool('now', z.object({}))

async function partsOf(
  stream: ReadableStream<LanguageModelV4StreamPart>,
): Promise<LanguageModelV4StreamPart[]> {
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of stream) parts.push(part)
  return parts
}

/** What a stream adds up to, in the form of a whole reply. */
function whole(parts: readonly LanguageModelV4StreamPart[]) {
  const content: unknown[] = []
  let text = ''
  for (const part of parts) {
    if (part.type === 'text-delta') text += part.delta
    if (part.type === 'text-end') content.push({ type: 'text', text })
    if (part.type === 'tool-call') content.push(part)
  }
  const finish = parts.find((part) => part.type === 'finish')
  return { content, finishReason: finish?.finishReason, usage: finish?.usage }
}

const silent = rehearsalDamages.filter((damage) => damage !== 'break' && damage !== 'mixed')

describe('rehearsalModel', () => {
  it('says what it is', async () => {
    const model = rehearsalModel()
    expect(model).toMatchObject({ specificationVersion: 'v4', provider: 'legible', modelId: 'rehearsal' })
    const { content, finishReason, usage, response } = await model.doGenerate(ask('Why is the sky blue?'))
    expect(content).toEqual([
      {
        type: 'text',
        text: 'This is a rehearsal: no language model wrote this answer. You asked: "Why is the sky blue?".',
      },
    ])
    expect(finishReason.unified).toBe('stop')
    expect(usage.inputTokens.total).toBe(5)
    expect(usage.outputTokens.total).toBe(23)
    expect(response?.timestamp).toEqual(new Date('2026-01-01T00:00:00Z'))
  })

  it('gives the same text whole and streamed, for the same prompt, seed and options', async () => {
    const options = fc.record({
      seed: fc.integer(),
      damage: fc.subarray([...silent]),
      rate: fc.constantFrom(0.5, 1),
    })
    await fc.assert(
      fc.asyncProperty(options, fc.string(), fc.boolean(), async (given, text, native) => {
        const call = ask(text, native ? { tools: [weather, now] } : {})
        const { content, finishReason, usage } = await rehearsalModel(given).doGenerate(call)
        const { stream } = await rehearsalModel(given).doStream(call)
        expect(whole(await partsOf(stream))).toEqual({ content, finishReason, usage })
      }),
      { numRuns: 100 },
    )
  })

  it('streams in pieces of the size it is told, and never cuts a character in two', async () => {
    const deltas = async (options: RehearsalOptions) => {
      const { stream } = await rehearsalModel(options).doStream(ask('Was there 𝒜𝒜𝒜𝒜 in the text?'))
      return (await partsOf(stream)).flatMap((part) => (part.type === 'text-delta' ? [part.delta] : []))
    }
    const three = await deltas({ chunk: 3 })
    expect(three.slice(0, 5).every(({ length }) => length === 3)).toBe(true)
    for (const delta of await deltas({ chunk: 1 })) expect(delta).not.toMatch(/\p{Surrogate}/u)
    expect(await deltas({ seed: 1 })).not.toEqual(await deltas({ seed: 2 }))
    expect(await deltas({ seed: 2 })).toEqual(await deltas({ seed: 2 }))
  })

  it('tells of a stream what the interface asks for', async () => {
    const { stream } = await rehearsalModel().doStream(
      ask('call weather with {"city":"Oslo"}', { tools: [weather] }),
    )
    const parts = await partsOf(stream)
    expect(parts.map(({ type }) => type).filter((type, i, all) => type !== all[i - 1])).toEqual([
      'stream-start',
      'response-metadata',
      'tool-input-start',
      'tool-input-delta',
      'tool-input-end',
      'tool-call',
      'finish',
    ])
    expect(parts.at(-1)).toMatchObject({ finishReason: { unified: 'tool-calls' } })
  })

  it('obeys an abort at once, before and within a reply', async () => {
    const aborted = AbortSignal.abort(new Error('enough'))
    await expect(rehearsalModel().doGenerate(ask('x', { abortSignal: aborted }))).rejects.toThrow('enough')
    await expect(rehearsalModel().doStream(ask('x', { abortSignal: aborted }))).rejects.toThrow('enough')
    const slow = rehearsalModel({ delay: 60_000 })
    for (const start of [
      (abortSignal: AbortSignal) => slow.doGenerate(ask('x', { abortSignal })),
      async (abortSignal: AbortSignal) => partsOf((await slow.doStream(ask('x', { abortSignal }))).stream),
    ]) {
      const controller = new AbortController()
      const asked = start(controller.signal)
      setTimeout(() => controller.abort(new Error('enough')), 5)
      await expect(asked).rejects.toThrow('enough')
    }
  })

  it('stops when it may write no more, and takes a seed with the call', async () => {
    const { content, finishReason } = await rehearsalModel().doGenerate(ask('Why?', { maxOutputTokens: 5 }))
    expect(content).toEqual([{ type: 'text', text: 'This is a rehearsal:' }])
    expect(finishReason.unified).toBe('length')
    const called = async (seed: number, own: number) => {
      const call = ask('Oslo?', { seed, tools: [weather, now] })
      return JSON.stringify((await rehearsalModel({ seed: own }).doGenerate(call)).content)
    }
    expect(await called(5, 1)).toBe(await called(5, 2))
    expect(
      new Set(await Promise.all([1, 2, 3, 4, 5, 6].map((seed) => called(seed, 1)))).size,
    ).toBeGreaterThan(1)
  })

  it('refuses options that are none', () => {
    expect(() => rehearsalModel({ damage: 'fences' as 'fence' })).toThrow(/no damage "fences".*truncated/)
    expect(() => rehearsalModel({ rate: 2 })).toThrow('from 0 to 1')
    expect(() => rehearsalModel({ chunk: 0 })).toThrow('at least one character')
    expect(() => rehearsalModel({ delay: -1 })).toThrow('milliseconds')
  })
})

describe('whatever it is asked', () => {
  const tools = [
    defineTool({ name: 'look', description: 'Looks.', input: z.object({ at: z.string() }), run: () => '' }),
  ]
  const formats = [xml(), markdown(), labels()]
  // Pieces of real prompts, whole and cut, in any order.
  const real = [
    ...formats.map((format) => format.describe([jsonToolChain({ tools }), textTermination()])),
    ...formats.map((format) =>
      format.formatSection({ name: 'observation', children: [{ name: 'look', content: 'x' }] }),
    ),
    describeReply(tools),
    describePlan(tools),
    ...dialects.slice(0, 3).map((dialect) => describeToolCalls(tools, { dialect })),
    describeSchema(z.object({ a: z.array(z.string()) })),
    'call look with {"at": "x"}',
    'Your last reply could not be used.',
    'report error broken',
  ]
  const piece = fc.oneof(
    fc.string(),
    fc
      .tuple(fc.constantFrom(...real), fc.nat(), fc.nat())
      .map(([text, a, b]) => text.slice(a % 40, (a % 40) + (b % 3 ? text.length : b))),
    fc.constantFrom(
      '<observation>',
      '# observation',
      'observation:\n',
      '{',
      '[',
      '"',
      'JSON of this type:\n',
      'Example:\n',
    ),
  )
  const text = fc.array(piece, { maxLength: 4 }).map((pieces) => pieces.join('\n'))
  const message = fc.oneof(
    text.map((content) => ({ role: 'system' as const, content })),
    text.map((words) => ({ role: 'user' as const, content: [{ type: 'text' as const, text: words }] })),
    text.map((words) => ({ role: 'assistant' as const, content: [{ type: 'text' as const, text: words }] })),
  )

  it('it says something, and does not throw', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(message, { maxLength: 6 }),
        fc.nat(20),
        fc.boolean(),
        async (prompt, seed, damaged) => {
          const model = rehearsalModel({
            seed,
            ...(damaged && { damage: ['fence', 'types', 'example', 'quotes'] }),
          })
          const { content } = await model.doGenerate({ prompt })
          expect(content).toHaveLength(1)
          expect(JSON.stringify(content)).not.toContain('undefined')
        },
      ),
      { numRuns: 300 },
    )
  })
})

describe('calls by means of the API', () => {
  const call = (more: Partial<LanguageModelV4CallOptions>) =>
    rehearsalModel({ seed: 4 }).doGenerate(ask('Oslo?', more))

  it('are made with arguments that fit', async () => {
    const { content } = await call({ tools: [weather] })
    expect(content).toMatchObject([{ type: 'tool-call', toolName: 'weather' }])
    const [part] = content
    expect(part?.type === 'tool-call' && JSON.parse(part.input)).toEqual({ city: 'Oslo', days: 1 })
  })

  it('heed the choice of tools', async () => {
    const tools = [weather, now]
    expect((await call({ tools, toolChoice: { type: 'none' } })).content).toMatchObject([{ type: 'text' }])
    const chosen = await call({ tools, toolChoice: { type: 'tool', toolName: 'now' } })
    expect(chosen.content).toMatchObject([{ type: 'tool-call', toolName: 'now', input: '{}' }])
    const forced = await rehearsalModel().doGenerate(
      ask('Do not use tools.', { tools, toolChoice: { type: 'required' } }),
    )
    expect(forced.finishReason.unified).toBe('tool-calls')
  })
})

describe('JSON', () => {
  const schemas: z.ZodType[] = [
    z.object({ city: z.string(), celsius: z.number() }),
    z.object({ a: z.object({ b: z.object({ c: z.array(z.string()).min(2).max(3) }) }) }),
    z.object({ mood: z.enum(['good', 'bad']), kind: z.literal('x') }),
    z.object({
      shape: z.discriminatedUnion('type', [
        z.object({ type: z.literal('circle'), r: z.number().positive() }),
        z.object({ type: z.literal('square'), side: z.number() }),
      ]),
    }),
    z.array(z.object({ id: z.uuid(), at: z.iso.datetime() })).min(1),
    z.object({
      n: z.number().int().min(18).max(21),
      m: z.number().gt(0).lt(1),
      k: z.number().multipleOf(5).min(7),
    }),
    z.object({ name: z.string().min(2).max(12), code: z.string().regex(/^[A-Z]{2}\d{2}$/) }),
    z.object({ email: z.email(), url: z.url(), ip: z.ipv4() }),
    z.object({
      any: z.union([z.number(), z.string()]),
      none: z.null(),
      maybe: z.string().nullable(),
      opt: z.boolean().optional(),
    }),
    z.tuple([z.string(), z.number(), z.boolean()]),
    z.record(z.string(), z.number()),
    z.object({ tree: z.object({ value: z.string(), children: z.array(z.object({ value: z.string() })) }) }),
    z.string(),
    z.object({ elements: z.array(z.enum(['a', 'b'])).length(4) }),
    z.object({ slug: z.string().regex(/^[a-z]+$/), long: z.string().min(30) }),
  ]
  it.each(schemas.map((schema, i) => [i, schema] as const))('fits schema %i', async (_, schema) => {
    const json = toJsonSchema(schema) as JSONSchema7
    const call = ask('What is the weather in Oslo?', { responseFormat: { type: 'json', schema: json } })
    const { content, finishReason } = await rehearsalModel().doGenerate(call)
    const [part] = content
    const text = part?.type === 'text' ? part.text : ''
    expect(schema.safeParse(JSON.parse(text)), text).toMatchObject({ success: true })
    expect(finishReason.unified).toBe('stop')
    // The same, told in words alone.
    for (const style of ['compact', 'json-schema', 'example'] as const) {
      const told = ask(`What is the weather in Oslo?\n\nReply with ${describeSchema(schema, { style })}`)
      const [said] = (await rehearsalModel().doGenerate(told)).content
      const written = said?.type === 'text' ? said.text : ''
      expect(schema.safeParse(JSON.parse(written)), written).toMatchObject({ success: true })
    }
  })

  it('is plain JSON without a schema', async () => {
    const { content } = await rehearsalModel().doGenerate(ask('x', { responseFormat: { type: 'json' } }))
    expect(() => JSON.parse(content[0]?.type === 'text' ? content[0].text : '')).not.toThrow()
  })
})

describe('with the AI SDK', () => {
  const tools = {
    weather: tool({
      inputSchema: z.object({ city: z.string() }),
      execute: ({ city }) => `It is 21 degrees in ${city}, says harbour-42.`,
    }),
    now: tool({ inputSchema: z.object({}), execute: () => 'It is noon, says harbour-42.' }),
  }

  it('generateText calls tools and answers', async () => {
    for (let seed = 1; seed <= 6; seed++) {
      const model = rehearsalModel({ seed })
      const { text, steps } = await generateText({
        model,
        tools,
        prompt: 'How warm is Oslo?',
        stopWhen: isStepCount(6),
      })
      expect(text).toContain('harbour-42')
      expect(text).toContain('rehearsal')
      const called = steps.flatMap((step) => step.toolResults.map(({ toolName }) => toolName))
      expect(called.length).toBeGreaterThan(0)
      expect(new Set(called).size).toBe(called.length)
    }
  })

  it('streamText streams, and reads objects', async () => {
    const output = Output.object({ schema: z.object({ city: z.string(), days: z.array(z.number()).min(1) }) })
    const result = streamText({ model: rehearsalModel(), prompt: 'How warm is Oslo?', output })
    const partial: unknown[] = []
    for await (const value of result.partialOutputStream) partial.push(value)
    expect(partial.length).toBeGreaterThan(2)
    expect(partial.at(-1)).toEqual({ city: 'warm Oslo', days: [1] })
  })

  it('a connection that is lost is lost once', async () => {
    const model = rehearsalModel({ damage: 'break' })
    const call = ask('How warm is Oslo?')
    const { text } = await generateText({ model, prompt: 'How warm is Oslo?', maxRetries: 1 })
    expect(text).toContain('rehearsal')
    const other = rehearsalModel({ damage: 'break' })
    await expect(other.doGenerate(call)).rejects.toSatisfy(APICallError.isInstance)
    expect((await other.doGenerate(call)).content).toHaveLength(1)
    for (let seed = 1; seed < 6; seed++) {
      const streaming = rehearsalModel({ seed, damage: 'break' })
      const told: LanguageModelV4StreamPart[] = []
      const broken = await (async () => {
        try {
          for await (const part of (await streaming.doStream(call)).stream) told.push(part)
        } catch (error) {
          return error
        }
        return told.find((part) => part.type === 'error')?.error
      })()
      expect(broken).toSatisfy(APICallError.isInstance)
      expect(told.some((part) => part.type === 'text-delta')).toBe(true)
      expect(told.some((part) => part.type === 'finish')).toBe(false)
      const again = await partsOf((await streaming.doStream(call)).stream)
      expect(again.at(-1)?.type).toBe('finish')
    }
  })
})
