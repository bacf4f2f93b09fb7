import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../model/rehearsal/scripted-model.ts'
import { jsonTermination } from '../section/json-termination.ts'
import { textTermination } from '../section/text-termination.ts'
import { labels } from '../text/labels.ts'
import { markdown } from '../text/markdown.ts'
import { xml } from '../text/xml.ts'
import { defineTool } from '../tool/define-tool.ts'
import { jsonToolChain } from '../tool/json-tool-chain.ts'
import { toolResult } from '../tool/tool-result.ts'
import { yamlToolChain } from '../tool/yaml-tool-chain.ts'
import { react } from './react.ts'

const ran: unknown[] = []
const search = defineTool({
  name: 'search',
  description: 'Searches the web.',
  input: z.object({ query: z.string() }),
  run({ query }) {
    ran.push(query)
    return { found: query.toUpperCase() }
  },
})

/** What the model was told last. */
function lastTold(model: ReturnType<typeof scriptedModel>): string {
  const last = model.calls.at(-1)?.prompt.at(-1)
  return typeof last?.content === 'string'
    ? last.content
    : (last?.content ?? []).map((part) => (part.type === 'text' ? part.text : `(${part.type})`)).join('\n')
}

describe('every format with every chain and every termination', () => {
  const calls = {
    json: '{"tool": "search", "args": {"query": "tokyo"}}',
    yaml: 'tool: search\nargs:\n  query: tokyo',
  }
  const answers = { text: 'It rains.', json: '{"city": "Tokyo", "n": 3}' }
  const write = {
    xml: (name: string, content: string) => `<${name}>\n${content}\n</${name}>\n`,
    markdown: (name: string, content: string) => `# ${name}\n${content}\n\n`,
    labels: (name: string, content: string) => `${name}:\n${content}\n\n`,
  }
  for (const format of [xml(), markdown(), labels()])
    for (const chain of ['json', 'yaml'] as const)
      for (const answer of ['text', 'json'] as const)
        test(`${format.name}, ${chain}, ${answer}`, async () => {
          ran.length = 0
          const section = write[format.name as keyof typeof write]
          const model = scriptedModel([
            section('thinking', 'I must look.') + section('action', calls[chain]),
            section('answer', answers[answer]),
          ])
          const termination =
            answer === 'text'
              ? textTermination()
              : jsonTermination(z.object({ city: z.string(), n: z.number() }))
          const agent = react({
            model,
            tools: [search],
            format,
            chain: chain === 'json' ? jsonToolChain : yamlToolChain,
            answer: termination as ReturnType<typeof textTermination>,
          })
          const outcome = await agent.start('Weather?').outcome
          expect(outcome).toMatchObject({
            kind: 'answered',
            value: answer === 'text' ? 'It rains.' : { city: 'Tokyo', n: 3 },
            turns: 2,
            calls: 1,
          })
          expect(ran).toEqual(['tokyo'])
          expect(lastTold(model)).toContain('TOKYO')
        })
})

test('messages carry calls and results, and media go to the model', async () => {
  const shot = defineTool({
    name: 'shot',
    description: 'Takes a picture.',
    run: () =>
      toolResult({
        text: 'done',
        media: [{ type: 'image', mediaType: 'image/png', data: new Uint8Array([1, 2]) }],
      }),
  })
  const model = scriptedModel(['<action>{"tool": "shot"}</action>', '<answer>seen</answer>'])
  const outcome = await react({ model, tools: [shot] }).start('Look').outcome
  const [system, task, said, told] = outcome.messages
  expect([system?.role, task?.role]).toEqual(['system', 'user'])
  expect(said).toMatchObject({ role: 'assistant', calls: [{ name: 'shot', arguments: {} }] })
  expect(told).toMatchObject({ role: 'tool', results: [{ name: 'shot', output: 'done' }] })
  const file = model.calls[1]?.prompt.at(-1)?.content.at(-1)
  expect(file).toMatchObject({ type: 'file', mediaType: 'image/png', data: { data: new Uint8Array([1, 2]) } })
})

describe('what goes back to the model', () => {
  test('a reply without sections', async () => {
    const model = scriptedModel(['I would say it rains.', '<answer>rain</answer>'])
    const outcome = await react({ model, tools: [search] }).start('Weather?').outcome
    expect(outcome).toMatchObject({ kind: 'answered', value: 'rain', turns: 2 })
    expect(lastTold(model)).toMatch(/section|tag/i)
  })

  test('arguments that do not fit', async () => {
    ran.length = 0
    const model = scriptedModel([
      '<action>{"tool": "search", "args": {"q": {"deep": 1}}}</action>',
      '<action>{"tool": "search", "args": {"query": "x"}}</action>',
      '<answer>done</answer>',
    ])
    const outcome = await react({ model, tools: [search] }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'answered', calls: 1 })
    expect(ran).toEqual(['x'])
    const told = model.calls[1]?.prompt.at(-1)
    expect(JSON.stringify(told)).toContain('query')
  })

  test('an answer that its schema rejects', async () => {
    const model = scriptedModel(['<answer>{"n": "many"}</answer>', '<answer>{"n": 4}</answer>'])
    const outcome = await react({ model, answer: z.object({ n: z.number() }) }).start('How many?').outcome
    expect(outcome).toMatchObject({ kind: 'answered', value: { n: 4 } })
    expect(lastTold(model)).toContain('n: expected a number')
  })

  test('an answer beside calls is not taken', async () => {
    ran.length = 0
    const model = scriptedModel([
      '<action>{"tool": "search", "args": {"query": "a"}}</action><answer>made up</answer>',
      '<answer>looked up</answer>',
    ])
    const outcome = await react({ model, tools: [search] }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'answered', value: 'looked up' })
    expect(ran).toEqual(['a'])
    expect(lastTold(model)).toContain('was not taken')
  })

  test('a reply that was cut off: no half call runs', async () => {
    ran.length = 0
    const model = scriptedModel([
      { text: '<action>{"tool": "search", "args": {"query": "drop tab"}}', finishReason: 'length' },
      '<answer>done</answer>',
    ])
    const outcome = await react({ model, tools: [search] }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'answered', value: 'done' })
    expect(ran).toEqual([])
    expect(lastTold(model)).toMatch(/cut off|not complete|whole/i)
  })
})

test('an empty action beside an answer ends the loop', async () => {
  const model = scriptedModel(['<action></action><answer>42</answer>'])
  expect(await react({ model, tools: [search] }).start('Go').outcome).toMatchObject({ value: '42', turns: 1 })
})

test('a last section without its end counts when the model ended by itself', async () => {
  ran.length = 0
  const model = scriptedModel([
    '<action>{"tool": "search", "args": {"query": "a"}}',
    '<thinking>fine</thinking><answer>42',
  ])
  expect(await react({ model, tools: [search] }).start('Go').outcome).toMatchObject({ value: '42' })
  expect(ran).toEqual(['a'])
})

test('what is shown in reasoning, thinking or a fence never runs', async () => {
  ran.length = 0
  const call = '<action>{"tool": "search", "args": {"query": "EXAMPLE"}}</action>'
  const model = scriptedModel([
    `<think>${call}</think><thinking>I could write ${call}</thinking>Like so:\n\`\`\`\n${call}\n\`\`\`\n<answer>no</answer>`,
  ])
  expect(await react({ model, tools: [search] }).start('Go').outcome).toMatchObject({ value: 'no' })
  expect(ran).toEqual([])
})

test('reasoning does not go back to the model', async () => {
  const model = scriptedModel([
    '<think>secret thoughts</think><action>{"tool": "search", "args": {"query": "a"}}</action>',
    '<answer>x</answer>',
  ])
  await react({ model, tools: [search] }).start('Go').outcome
  expect(JSON.stringify(model.calls[1]?.prompt)).not.toContain('secret thoughts')
})

test('a conversation goes on', async () => {
  const model = scriptedModel(['<answer>one</answer>', '<answer>two</answer>'])
  const agent = react({ model })
  const first = await agent.start('First?').outcome
  const second = await agent.start('Second?', { history: first.messages }).outcome
  expect(second.messages.map(({ role }) => role)).toEqual([
    'system',
    'user',
    'assistant',
    'user',
    'assistant',
  ])
})
