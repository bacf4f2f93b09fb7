import { generateText, isStepCount, streamText } from 'ai'
import { describe, expect, it } from 'vitest'
import { call, functionTools, scripted, textOf, tools, wrap } from '../../../tests/text-model.ts'
import { dialects } from '../../dialects/index.ts'

const writable = dialects.filter(({ name }) => !['think-tag', 'kimi-vl', 'plain'].includes(name))

describe('every dialect', () => {
  it.each(writable.map(({ name }) => name))('%s', async (dialect) => {
    const reply = call({ city: 'Oslo', days: 2 }, dialect)
    const results: unknown[] = []
    for (const size of [0, 1, 4]) {
      const { model, asked } = scripted([reply, 'It is warm.'], { size })
      const options = { model: wrap(model, { dialect }), tools, prompt: 'Weather?', stopWhen: isStepCount(3) }
      const result = size === 0 ? await generateText(options) : streamText(options)
      const steps = await result.steps
      expect(steps[0]?.toolResults).toMatchObject([
        { input: { city: 'Oslo', days: 2 }, output: { celsius: 22 } },
      ])
      expect(await result.text).toBe('It is warm.')
      expect(textOf(asked[1])).toMatch(/celsius/)
      results.push(asked[1]?.prompt.slice(1))
    }
    expect(results[1]).toEqual(results[0])
    expect(results[2]).toEqual(results[0])
  })

  it.each(writable.map(({ name }) => name))('%s: half a call is none', async (dialect) => {
    const args = { city: 'Oslo', days: 25 }
    const reply = call(args, dialect)
    const half = Array.from({ length: reply.length }, (_, end) => reply.slice(0, end))
    const { model } = scripted(half, { reason: 'length' })
    const wrapped = wrap(model, { dialect })
    for (const _ of half) {
      const { content } = await wrapped.doGenerate({ prompt: [], tools: functionTools })
      for (const part of content) if (part.type === 'tool-call') expect(JSON.parse(part.input)).toEqual(args)
    }
  })
})
