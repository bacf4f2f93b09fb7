import { generateText, isStepCount, Output, streamText, ToolLoopAgent } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { call, functionTools, partsOf, scripted, textOf, tools, wrap } from '../../../tests/text-model.ts'
import { xml } from '../../text/xml.ts'
import { formatToolCalls } from '../../tool/format-tool-calls.ts'
import { type LegibleOptions, legible } from './legible.ts'

describe('tools', () => {
  it('are told, called and answered', async () => {
    const reply = `<think>I need the weather.</think>Let me see.\n${call({ city: 'Oslo', days: '3' })}`
    const { model, asked } = scripted([reply, 'It has 23 °C in Oslo.'])
    const result = await generateText({
      model: wrap(model),
      tools,
      instructions: 'Be short.',
      prompt: 'Weather in Oslo?',
      stopWhen: isStepCount(5),
    })
    expect(result.text).toBe('It has 23 °C in Oslo.')
    const [first] = result.steps
    expect(first?.text).toBe('Let me see.')
    expect(first?.reasoningText).toBe('I need the weather.')
    expect(first?.finishReason).toBe('tool-calls')
    expect(first?.rawFinishReason).toBe('raw-stop')
    expect(first?.toolCalls).toMatchObject([{ toolName: 'weather', input: { city: 'Oslo', days: 3 } }])
    expect(first?.toolResults).toMatchObject([{ output: { city: 'Oslo', celsius: 23 } }])
    expect(first?.usage).toMatchObject({ inputTokens: 11, outputTokens: 7 })
    expect(first?.providerMetadata?.script).toEqual({ seen: true })
    expect(first?.providerMetadata?.legible).toMatchObject({ issues: [{ code: 'json.converted' }] })
    expect(asked[0]).not.toHaveProperty('tools')
    expect(asked[0]).not.toHaveProperty('toolChoice')
    const [system, user, assistant, results] = asked[1]?.prompt ?? []
    expect(system).toMatchObject({ role: 'system' })
    expect(system?.content).toMatch(/^Be short\.\n\nYou can call these tools\./)
    expect(user).toMatchObject({ role: 'user', content: [{ text: 'Weather in Oslo?' }] })
    expect(assistant).toEqual({
      role: 'assistant',
      content: [{ type: 'text', text: `Let me see.\n${call({ city: 'Oslo', days: 3 })}` }],
    })
    expect(results).toEqual({
      role: 'user',
      content: [{ type: 'text', text: '<tool_response>\n{"city":"Oslo","celsius":23}\n</tool_response>' }],
    })
  })

  it.each([1, 4, 17, 1000])('stream in pieces of %i', async (size) => {
    const reply = `<think>Hm.</think>One moment.\n${call({ city: 'Oslo' })}\n${call({ city: 'Rome', days: '2' })}`
    const { model } = scripted([reply, 'Done.'], { size })
    const result = streamText({ model: wrap(model), tools, prompt: 'Weather?', stopWhen: isStepCount(3) })
    const inputs = new Map<string, string>()
    const order: string[] = []
    for await (const part of result.fullStream) {
      if (part.type === 'tool-input-delta') inputs.set(part.id, (inputs.get(part.id) ?? '') + part.delta)
      if (order.at(-1) !== part.type) order.push(part.type)
    }
    const [first] = await result.steps
    expect(await result.text).toBe('Done.')
    expect(first?.text).toBe('One moment.')
    expect(first?.reasoningText).toBe('Hm.')
    expect(first?.finishReason).toBe('tool-calls')
    expect(first?.toolCalls.map(({ input }) => input)).toEqual([{ city: 'Oslo' }, { city: 'Rome', days: 2 }])
    expect([...inputs.values()].map((text) => JSON.parse(text))).toEqual([
      { city: 'Oslo' },
      { city: 'Rome', days: '2' },
    ])
    expect(order.slice(0, 12)).toEqual([
      ...['start', 'start-step', 'reasoning-start', 'reasoning-delta', 'reasoning-end'],
      ...[
        'text-start',
        'text-delta',
        'text-end',
        'tool-input-start',
        'tool-input-delta',
        'tool-input-end',
        'tool-call',
      ],
    ])
  })

  it('have inputs that are the pieces put together, where these are right', async () => {
    const parts = await partsOf(wrap(scripted([call({ city: 'Oslo', days: 2 })]).model), {
      tools: functionTools,
    })
    const pieces = parts.flatMap((part) => (part.type === 'tool-input-delta' ? [part.delta] : []))
    expect(pieces.length).toBeGreaterThan(3)
    expect(parts.find((part) => part.type === 'tool-call')).toMatchObject({ input: pieces.join('') })
  })

  it('are called once more with another id', async () => {
    const reply = call({ city: 'Oslo' })
    const { steps } = await generateText({
      model: wrap(scripted([reply, reply, reply, 'Done.']).model),
      tools,
      prompt: 'Weather?',
      stopWhen: isStepCount(5),
    })
    const ids = steps.flatMap((step) => step.toolCalls.map(({ toolCallId }) => toolCallId))
    expect(new Set(ids).size).toBe(3)
  })

  it('serve an agent', async () => {
    const { model } = scripted([call({ city: 'Oslo' }), '```json\n{"celsius": "21"}\n```'])
    const agent = new ToolLoopAgent({
      model: wrap(model),
      tools,
      output: Output.object({ schema: z.object({ celsius: z.number() }) }),
    })
    expect((await agent.generate({ prompt: 'Weather?' })).output).toEqual({ celsius: 21 })
    const streamed = scripted([`Let me look.\n${call({ city: 'Oslo' })}`, 'Here: {"celsius": "21"}'])
    const other = new ToolLoopAgent({
      model: wrap(streamed.model),
      tools,
      output: Output.object({ schema: z.object({ celsius: z.number() }) }),
    })
    const result = await other.stream({ prompt: 'Weather?' })
    expect(await result.output).toEqual({ celsius: 21 })
    expect((await result.steps)[0]?.text).toBe('Let me look.')
    expect(textOf(streamed.asked[0])).toContain('Write your answer as JSON')
  })

  it('that are unknown or called wrongly are for the SDK to refuse, and to repair', async () => {
    const wrong = formatToolCalls(
      [
        { name: 'wether', arguments: { city: 'Oslo' } },
        { name: 'weather', arguments: { days: 'many' } },
      ],
      { dialect: 'hermes' },
    )
    const { model, asked } = scripted([wrong, 'Sorry.'])
    const { steps } = await generateText({ model: wrap(model), tools, prompt: 'x', stopWhen: isStepCount(2) })
    expect(steps[0]?.content.filter(({ type }) => type === 'tool-error')).toHaveLength(2)
    expect(textOf(asked[1])).toContain("unavailable tool 'wether'")
    const repaired = await generateText({
      model: wrap(scripted([wrong]).model),
      tools,
      prompt: 'x',
      repairToolCall: async ({ toolCall }) => ({
        ...toolCall,
        toolName: 'weather',
        input: '{"city":"Rome"}',
      }),
    })
    expect(repaired.toolResults.map(({ input }) => input)).toEqual([{ city: 'Rome' }, { city: 'Rome' }])
  })

  it('are not called by half a call', async () => {
    const half = call({ city: 'Oslo, the capital' }).slice(0, -30)
    for (const reason of ['stop', 'length'] as const) {
      const result = await generateText({
        model: wrap(scripted([half], { reason }).model),
        tools,
        prompt: 'x',
      })
      expect(result.toolCalls).toEqual([])
      expect(result.finishReason).toBe('length')
      expect(result.rawFinishReason).toBe(`raw-${reason}`)
      expect(JSON.stringify(result.finalStep.providerMetadata)).toContain('call.cut_off')
      const parts = await partsOf(wrap(scripted([half], { reason }).model), { tools: functionTools })
      expect(parts.map(({ type }) => type)).not.toContain('tool-call')
    }
  })

  it('must be called where the program says so', async () => {
    const loose = 'I will call it: `{"name": "weather", "arguments": {"city": "Oslo"}}`'
    const { model, asked } = scripted([loose, loose, loose])
    const required = await generateText({ model: wrap(model), tools, toolChoice: 'required', prompt: 'x' })
    expect(required.toolCalls).toMatchObject([{ input: { city: 'Oslo' } }])
    expect(textOf(asked[0])).toContain('You must call at least one tool now.')
    const named = streamText({
      model: wrap(model),
      tools,
      toolChoice: { type: 'tool', toolName: 'weather' },
      prompt: 'x',
    })
    expect(await named.toolCalls).toMatchObject([{ input: { city: 'Oslo' } }])
    expect(textOf(asked[1])).toContain('You must call the tool weather now.')
    const free = await generateText({ model: wrap(model), tools, prompt: 'x' })
    expect(free.text).toBe(loose)
  })

  it('are not told of where they must not be called', async () => {
    const { model, asked } = scripted([`Like this: ${call({ city: 'Oslo' })}`])
    const { text, toolCalls } = await generateText({
      model: wrap(model),
      tools,
      toolChoice: 'none',
      prompt: 'x',
    })
    expect(text).toBe(`Like this: ${call({ city: 'Oslo' })}`)
    expect(toolCalls).toEqual([])
    expect(asked[0]?.prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: 'x' }] }])
  })
})

describe('mistakes of the program', () => {
  it.each([
    [{ dialect: 'klingon' }, 'call.unknown_dialect'],
    [{ dialect: 'auto' }, 'call.unknown_dialect'],
    [{ dialect: 'plain' }, 'call.no_calls'],
    [{ format: xml(), dialect: 'hermes' }, 'model.invalid_option'],
    [{ chain: 'yaml' }, 'model.invalid_option'],
    [{ format: xml(), expect: 'calls' }, 'model.invalid_option'],
    [{ reasoning: 'loud' }, 'model.invalid_option'],
    [{ tools: [] }, 'model.invalid_option'],
    [{ limits: { maxLength: 0 } }, 'json.invalid_limit'],
  ])('%o', (options, code) => {
    expect(() => legible(options as LegibleOptions)).toThrow(expect.objectContaining({ code }))
  })
})
