import { describe, expect, test } from 'vitest'
import { z } from 'zod'
import { scriptedModel } from '../model/rehearsal/scripted-model.ts'
import { defineTool } from '../tool/define-tool.ts'
import { chat } from './chat.ts'

const ran: string[] = []
const read = defineTool({
  name: 'fs.read',
  description: 'Reads a file.',
  input: z.object({ path: z.string() }),
  run({ path }) {
    ran.push(path)
    return `content of ${path}`
  },
})
const action = (path: string) => `{"type": "action", "tool": "fs.read", "args": {"path": "${path}"}}`

describe('text | action | error', () => {
  test('text ends the turn, and streams', async () => {
    const run = chat({ model: scriptedModel(['Hello there.']), tools: [read] }).start('Hi')
    let shown = ''
    for await (const event of run) if (event.type === 'text-delta') shown += event.text
    expect(await run.outcome).toMatchObject({ kind: 'answered', value: 'Hello there.', turns: 1 })
    expect(shown).toBe('Hello there.')
  })

  test('an action runs, and its result is followed up', async () => {
    ran.length = 0
    const model = scriptedModel([`Let me look.\n\n${action('a.md')}`, action('b.md'), 'Both are fine.'])
    const outcome = await chat({ model, tools: [read] }).start('Check').outcome
    expect(outcome).toMatchObject({ kind: 'answered', value: 'Both are fine.', turns: 3, calls: 2 })
    expect(ran).toEqual(['a.md', 'b.md'])
    expect(JSON.stringify(model.calls[2]?.prompt)).toContain('content of b.md')
    const ids = outcome.messages.flatMap((message) =>
      message.role === 'assistant' ? (message.calls ?? []) : [],
    )
    expect(new Set(ids.map(({ id }) => id)).size).toBe(2)
  })

  test('an error that the model reports is an outcome of its own', async () => {
    const model = scriptedModel(['{"type": "error", "code": "permission_denied", "message": "not mine"}'])
    expect(await chat({ model, tools: [read] }).start('Go').outcome).toMatchObject({
      kind: 'reported',
      code: 'permission_denied',
      message: 'not mine',
    })
  })

  test('what breaks the contract goes back', async () => {
    ran.length = 0
    const model = scriptedModel([
      `${action('a')}\n${action('b')}`,
      '{"type": "action", "tool": "fs.reed", "args": {"path": "a"}}',
      'I see.',
    ])
    const outcome = await chat({ model, tools: [read] }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'answered', value: 'I see.', turns: 3, calls: 0 })
    expect(ran).toEqual([])
    expect(JSON.stringify(model.calls[2]?.prompt.at(-1))).toContain('fs.read')
  })

  test('a cut reply is neither an answer nor an action', async () => {
    ran.length = 0
    const model = scriptedModel([
      { text: 'The answer is 4', finishReason: 'length' },
      { text: action('a'), finishReason: 'length' },
      'Fine.',
    ])
    expect(await chat({ model, tools: [read] }).start('Go').outcome).toMatchObject({
      value: 'Fine.',
      turns: 3,
    })
    expect(ran).toEqual([])
  })

  test('an action in an example does not run; the model is asked once whether it was meant', async () => {
    ran.length = 0
    const example = `You would write:\n\`\`\`json\n${action('EXAMPLE')}\n\`\`\``
    const model = scriptedModel([example, example])
    const outcome = await chat({ model, tools: [read] }).start('How do I call you?').outcome
    expect(outcome.kind).toBe('answered')
    expect(ran).toEqual([])
  })

  test('without tools there is no contract to break', async () => {
    const model = scriptedModel(['Hi.'])
    await chat({ model }).start('Hi').outcome
    expect(model.calls[0]?.prompt).toEqual([{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }])
  })

  test('the conversation goes on', async () => {
    const model = scriptedModel(['One.', 'Two.'])
    const agent = chat({ model, tools: [read], system: 'Be brief.' })
    const { messages: history } = await agent.start('First').outcome
    const { messages } = await agent.start('Second', { history }).outcome
    expect(messages.map(({ role }) => role)).toEqual(['system', 'user', 'assistant', 'user', 'assistant'])
    expect(messages[0]?.content).toMatch(/^Be brief\./)
  })
})

describe('with calls of the provider', () => {
  const native = (...paths: string[]) => ({
    content: paths.map((path, i) => ({
      type: 'tool-call' as const,
      toolName: 'fs.read',
      input: { path },
      toolCallId: `id_${path}_${i}`,
    })),
  })

  test('several at once; results go back as such', async () => {
    ran.length = 0
    const model = scriptedModel([native('a', 'b'), '<think>hm</think>Done.'])
    const outcome = await chat({ model, tools: [read], native: true }).start('Go').outcome
    expect(outcome).toMatchObject({ kind: 'answered', value: 'Done.', calls: 2 })
    expect(ran.sort()).toEqual(['a', 'b'])
    expect(model.calls[0]?.tools).toMatchObject([{ type: 'function', name: 'fs.read' }])
    const [said, told] = model.calls[1]?.prompt.slice(-2) ?? []
    expect(said).toMatchObject({
      role: 'assistant',
      content: [
        { type: 'tool-call', toolCallId: 'id_a_0', input: { path: 'a' } },
        { type: 'tool-call', toolCallId: 'id_b_1' },
      ],
    })
    expect(told).toMatchObject({
      role: 'tool',
      content: [
        { toolCallId: 'id_a_0', output: { type: 'text', value: 'content of a' } },
        { toolCallId: 'id_b_1' },
      ],
    })
  })

  test('broken arguments go back, mended ones run, cut ones do not', async () => {
    ran.length = 0
    const call = (input: unknown) => ({ type: 'tool-call' as const, toolName: 'fs.read', input })
    const model = scriptedModel([
      { content: [call("{'path': 'mended'}")] },
      { content: [call('{"path": 3, "x": {}}'), call('"nothing"')] },
      { content: [call('{"path": "cut"}')], finishReason: 'length' },
      'Done.',
    ])
    const outcome = await chat({ model, tools: [read], native: true, limits: { idle: 5 } }).start('Go')
      .outcome
    expect(outcome).toMatchObject({ kind: 'answered', value: 'Done.' })
    expect(ran).not.toContain('cut')
    expect(ran).toContain('mended')
  })

  test('an empty reply is no answer', async () => {
    const model = scriptedModel(['', 'Yes.'])
    expect(await chat({ model, native: true }).start('Go').outcome).toMatchObject({ value: 'Yes.', turns: 2 })
  })
})
