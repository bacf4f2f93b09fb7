import { generateText, isStepCount, Output, streamText } from 'ai'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { functionTools, partsOf, saidIn, scripted, textOf, tools, wrap } from '../../../tests/text-model.ts'
import { labels } from '../../text/labels.ts'
import { markdown } from '../../text/markdown.ts'
import { xml } from '../../text/xml.ts'
import type { ToolCallEvent } from '../../tool/tool-calls.ts'
import { sectionCalling } from './section-calling.ts'

const formats = { xml: xml(), markdown: markdown(), labels: labels() }
const chains = ['json', 'yaml'] as const
const ways = Object.values(formats).flatMap((format) =>
  chains.map((chain) => [format.name, chain, format] as const),
)

describe('every format of our own', () => {
  it.each(ways)('%s with %s', async (_, chain, format) => {
    const args = { tool: 'weather', args: { city: 'Oslo', days: '2' } }
    const content = chain === 'json' ? JSON.stringify(args) : 'tool: weather\nargs:\n  city: Oslo\n  days: 2'
    const reply = `One moment.\n${format.formatSection({ name: 'action', content })}`
    const answer = format.formatSection({ name: 'answer', content: 'It has 22 °C.\n\nEnjoy!' })
    for (const size of [0, 1, 4]) {
      const { model, asked } = scripted([reply, answer, 'Plain text.'], { size })
      const options = {
        model: wrap(model, { format, chain }),
        tools,
        prompt: 'Weather?',
        stopWhen: isStepCount(3),
      }
      const result = size === 0 ? await generateText(options) : streamText(options)
      const steps = await result.steps
      expect(steps[0]?.text).toBe('One moment.')
      expect(steps[0]?.toolResults).toMatchObject([
        { input: { city: 'Oslo', days: 2 }, output: { celsius: 22 } },
      ])
      expect(await result.text).toBe('It has 22 °C.\n\nEnjoy!')
      const [system, , assistant, user] = asked[1]?.prompt ?? []
      expect(system?.content).toBe(asked[0]?.prompt[0]?.content)
      expect(system?.content).toContain('weather: The weather in a city.')
      expect(JSON.stringify(assistant)).toContain('One moment.')
      const said = format.read(saidIn(assistant), [{ name: 'action' }])
      expect(said.value.get('action')).toHaveLength(1)
      const observed = format.read(saidIn(user), [{ name: 'observation' }])
      expect(observed.value.get('observation')[0]).toContain('celsius')
      expect((await generateText({ model: options.model, tools, prompt: 'x' })).text).toBe('Plain text.')
    }
  })

  it.each(Object.values(formats))('streams the arguments of calls: $name', async (format) => {
    const calls = [
      { tool: 'weather', args: { city: 'Oslo, the capital', days: '2' } },
      { args: { city: 'Rome' }, tool: 'weather' },
      { tool: 'weather', args: { city: 'Bern' } },
    ]
    const reply = format.formatSection({ name: 'action', content: JSON.stringify(calls) })
    for (const size of [1, 4, 1000]) {
      const parts = await partsOf(wrap(scripted([reply], { size }).model, { format }), {
        tools: functionTools,
      })
      const inputs = parts.flatMap((part) => (part.type === 'tool-call' ? [JSON.parse(part.input)] : []))
      expect(inputs).toEqual([{ city: 'Oslo, the capital', days: 2 }, { city: 'Rome' }, { city: 'Bern' }])
      const written = new Map<string, string>()
      for (const part of parts)
        if (part.type === 'tool-input-delta') written.set(part.id, (written.get(part.id) ?? '') + part.delta)
      expect([...written.values()].sort()).toEqual([
        '{"city":"Bern"}',
        '{"city":"Oslo, the capital","days":"2"}',
        '{"city":"Rome"}',
      ])
      const deltas = parts.filter(({ type }) => type === 'tool-input-delta')
      if (size === 1) expect(deltas.length).toBeGreaterThan(20)
    }
  })

  it.each(ways)('%s with %s: JSON', async (_, chain, format) => {
    const reply = format.formatSection({ name: 'answer', content: "{celsius: '21'}" })
    const { model, asked } = scripted([reply, reply])
    const options = {
      model: wrap(model, { format, chain }),
      tools,
      prompt: 'Weather?',
      output: Output.object({ schema: z.object({ celsius: z.number() }) }),
    }
    expect((await generateText(options)).output).toEqual({ celsius: 21 })
    expect(await streamText(options).output).toEqual({ celsius: 21 })
    expect(textOf(asked[0])).toContain('celsius: number')
  })

  it('gives wrong calls to the SDK, and runs no half ones', async () => {
    const wrong = '<action>{"tool": "weather", "args": {"city": 5, "days": "x"}}</action>'
    const { model } = scripted([
      wrong,
      '<action>{"tool": "weather", "args": {"city": "Oslo"}}',
      '<action>no idea</action>',
    ])
    const options = { model: wrap(model, { format: xml() }), tools, prompt: 'x' }
    const first = await generateText(options)
    expect(first.content.filter(({ type }) => type === 'tool-error')).toHaveLength(1)
    const second = await generateText(options)
    expect(second.toolCalls).toEqual([])
    expect(second.finishReason).toBe('length')
    expect((await generateText(options)).text).toBe('no idea')
  })

  it.each(ways)('%s with %s: runs nothing that was cut off', async (_, chain, format) => {
    const content =
      chain === 'json'
        ? '{"tool": "weather", "args": {"city": "Oslo"}}'
        : 'tool: weather\nargs:\n  city: Oslo'
    const reply = format.formatSection({ name: 'action', content })
    const [end] = reply.split('Oslo').map(({ length }) => length + 2)
    for (const text of [reply.slice(0, end), reply]) {
      const { model } = scripted([text, text], { reason: 'length' })
      const options = { model: wrap(model, { format, chain }), tools, prompt: 'x' }
      const whole = text === reply && format.name === 'xml'
      expect((await generateText(options)).toolCalls).toHaveLength(whole ? 1 : 0)
      expect(await streamText(options).toolCalls).toHaveLength(whole ? 1 : 0)
    }
  })

  it('reads reasoning', async () => {
    const { model } = scripted(['<think>Easy.</think><answer>4</answer>'])
    const { text, reasoningText } = await generateText({
      model: wrap(model, { format: xml() }),
      prompt: '2 + 2?',
    })
    expect([text, reasoningText]).toEqual(['4', 'Easy.'])
  })
})

describe('markdown, which has no end of its own', () => {
  const offered = [{ type: 'function' as const, name: 'weather', inputSchema: { type: 'object' as const } }]
  const heard = (text: string) => {
    const events: ToolCallEvent[] = []
    const reader = sectionCalling(markdown()).createReader({
      tools: offered,
      expect: undefined,
      onEvent: (event) => events.push(event),
    })
    for (const character of text) reader.push(character)
    reader.end()
    return events
  }

  it.each(['# action\n{"tool": "weather", "args": {"city": "Os', '# action\n{'])(
    'a call that broke off is not complete: %j',
    (text) => {
      const ends = heard(text).flatMap((event) => (event.type === 'call-end' ? [event.call] : []))
      for (const call of ends) expect(call).toMatchObject({ name: 'weather', complete: false })
    },
  )

  it('a call that turns out to be reasoning has its end', () => {
    const events = heard('# action\n{"tool": "weather", "args": {"city": "Oslo"}}\n</think>\nNo.')
    const count = (type: string) => events.filter((event) => event.type === type).length
    expect(count('call-end')).toBe(count('call-start'))
    for (const event of events) if (event.type === 'call-end') expect(event.call.complete).toBe(false)
  })
})
