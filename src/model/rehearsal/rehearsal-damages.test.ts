import type { LanguageModelV4Prompt } from '@ai-sdk/provider'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { dialects } from '../../dialects/dialects.ts'
import { readJson } from '../../json/read-json.ts'
import { describePlan, readPlan } from '../../plan/index.ts'
import { describeReply, readReply, retryAdvice } from '../../reply/index.ts'
import { labels, markdown, xml } from '../../text/index.ts'
import {
  defineTool,
  describeToolCalls,
  jsonTermination,
  jsonToolChain,
  readToolCalls,
  textSection,
  yamlToolChain,
} from '../../tool/index.ts'
import { chooseDamage, type RehearsalDamage, rehearsalDamages } from './rehearsal-damages.ts'
import { rehearsalModel } from './rehearsal-model.ts'
import { spoilTypes } from './spoil-types.ts'

const ran: unknown[] = []
const keep = (args: unknown) => {
  ran.push(args)
  return 'harbour-42'
}
const search = defineTool({
  name: 'search',
  description: 'Finds pages.',
  input: z.object({ query: z.string(), limit: z.number().int().optional() }),
  run: keep,
})
const slots = defineTool({
  name: 'slots',
  description: 'Free slots.',
  input: z.object({ who: z.array(z.string()), days: z.number() }),
  run: keep,
})
const tools = [search, slots]
const user = (text: string) => ({ role: 'user' as const, content: [{ type: 'text' as const, text }] })
const assistant = (text: string) => ({
  role: 'assistant' as const,
  content: [{ type: 'text' as const, text }],
})
const task = 'What is the weather in Oslo?'
const seeds = [1, 2, 3, 4]

async function say(seed: number, damage: RehearsalDamage, prompt: LanguageModelV4Prompt) {
  const model = rehearsalModel({ seed, damage })
  const asked = async () => model.doGenerate({ prompt })
  // A connection that is lost is lost once.
  const { content, finishReason } = await asked().catch(asked)
  return {
    text: content.map((part) => (part.type === 'text' ? part.text : '')).join(''),
    finish: finishReason.unified,
  }
}

describe.each(rehearsalDamages)('%s', (damage) => {
  const formats = { xml: xml(), markdown: markdown(), labels: labels() }
  const chains = { JSON: jsonToolChain, YAML: yamlToolChain }
  for (const [formatName, format] of Object.entries(formats))
    for (const [chainName, createChain] of Object.entries(chains))
      it(`${formatName} and ${chainName}: a loop gets to its answer, and nothing runs that was only shown`, async () => {
        for (const seed of seeds) {
          const chain = createChain({ tools })
          const answer = jsonTermination(z.object({ city: z.string(), celsius: z.number() }))
          const sections = [textSection('thinking', 'Think.'), chain, answer]
          const prompt: LanguageModelV4Prompt = [
            { role: 'system', content: format.describe(sections) },
            user(task),
          ]
          ran.length = 0
          let value: unknown
          for (let turn = 0; turn < 12 && value === undefined; turn++) {
            const { text, finish } = await say(seed, damage, prompt)
            const parts = format.read(text, sections)
            prompt.push(assistant(text))
            const asked = parts.value.sections(chain.name)
            const last = parts.value.sections('answer').at(-1)
            if (asked.length > 0 && finish !== 'length') {
              const { text: observed } = await chain.execute(asked, { format })
              prompt.push(user(observed))
            } else if (last && finish !== 'length') {
              const read = answer.read(last.content)
              if (read.ok) value = read.value
              else prompt.push(user('The answer does not fit.'))
            } else prompt.push(user('Your reply was cut off, or brought nothing.'))
          }
          expect(['string', 'object'], JSON.stringify(prompt, null, 1)).toContain(typeof value)
          expect(value).not.toBe('')
          expect(ran.length).toBeGreaterThan(0)
          expect(ran.length).toBeLessThanOrEqual(3)
          expect(JSON.stringify(ran)).not.toContain('EXAMPLE')
        }
      })

  it('replies: the same', async () => {
    const chain = jsonToolChain({ tools })
    for (const seed of seeds) {
      const prompt: LanguageModelV4Prompt = [{ role: 'system', content: describeReply(tools) }, user(task)]
      ran.length = 0
      let done = false
      for (let turn = 0; turn < 12 && !done; turn++) {
        const { text, finish } = await say(seed, damage, prompt)
        const read = readReply(text, { tools })
        prompt.push(assistant(text))
        if (finish === 'length') prompt.push(user('Your reply was cut off.'))
        else if (read.ok && read.value.type === 'action') {
          const observed = await chain.run(read.value.call, { format: xml() })
          prompt.push(user(observed.text))
        } else if (retryAdvice(read).retry) prompt.push(user(`Error: ${retryAdvice(read).message}`))
        else done = true
      }
      expect(done).toBe(true)
      expect(JSON.stringify(ran)).not.toContain('EXAMPLE')
    }
  })

  it('plans and values are read without a throw', async () => {
    for (const seed of seeds) {
      const plan = await say(seed, damage, [{ role: 'system', content: describePlan(tools) }, user(task)])
      const { value } = readPlan(plan.text)
      expect(JSON.stringify(value?.toolCalls ?? [])).not.toContain('EXAMPLE')
      const model = rehearsalModel({ seed, damage })
      const schema = {
        type: 'object' as const,
        properties: { n: { type: 'number' as const } },
        required: ['n'],
      }
      const asked = async () =>
        model.doGenerate({ prompt: [user(task)], responseFormat: { type: 'json', schema } })
      const { content } = await asked().catch(asked)
      const [part] = content
      readJson(part?.type === 'text' ? part.text : '', schema)
    }
  })

  it('dialects: no call runs that was only shown', async () => {
    for (const row of dialects) {
      let system: string
      try {
        system = describeToolCalls(tools, { dialect: row })
      } catch {
        continue
      }
      for (const seed of [1, 2]) {
        const { text } = await say(seed, damage, [{ role: 'system', content: system }, user(task)])
        const { value } = readToolCalls(text, { tools, dialect: row })
        expect(JSON.stringify(value.calls), `${row.name}: ${text}`).not.toContain('EXAMPLE')
      }
    }
  })

  it('leaves its mark', async () => {
    const sections = [
      textSection('thinking', 'Think.'),
      jsonToolChain({ tools }),
      jsonTermination(z.object({ n: z.number() })),
    ]
    const prompt = [{ role: 'system' as const, content: xml().describe(sections) }, user(task)]
    const clean = (await rehearsalModel().doGenerate({ prompt })).content
    const model = rehearsalModel({ damage })
    const damaged = await model.doGenerate({ prompt }).then(
      ({ content }) => content,
      (error: Error) => error.message,
    )
    if (damage === 'break') expect(damaged).toContain('connection was reset')
    else if (damage !== 'mixed') expect(damaged).not.toEqual(clean)
    const spared = await rehearsalModel({ damage, rate: 0 }).doGenerate({ prompt })
    expect(spared.content).toEqual(clean)
  })
})

describe('chooseDamage', () => {
  const choose = (wanted: RehearsalDamage[], failures: number, at = 0) => [
    ...chooseDamage(wanted, 1, failures, () => at),
  ]

  it('spoils no reply that was complained about, and damages none after the second complaint', () => {
    expect(choose(['truncated', 'prose'], 0)).toEqual(['truncated', 'prose'])
    expect(choose(['truncated', 'prose'], 1)).toEqual(['prose'])
    expect(choose(['truncated', 'prose'], 2)).toEqual([])
  })

  it('mixes several', () => {
    expect(choose(['mixed'], 0, 0.1).length).toBe(rehearsalDamages.length - 1)
    expect(choose(['mixed'], 0, 0.9)).toEqual([])
  })
})

describe('spoilTypes', () => {
  it('always spoils something', () => {
    for (const value of [{ a: 'x' }, { n: 1, list: ['a'] }, ['a', 'b'], 'x', 3]) {
      for (const at of [0, 0.5, 0.99]) expect(spoilTypes(value, () => at)).not.toEqual(value)
    }
    expect(spoilTypes({ n: 1, list: ['a'], on: true }, () => 0.5)).toEqual({ n: '1', list: 'a', on: 'true' })
  })
})
