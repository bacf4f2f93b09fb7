import { describe, expect, it } from 'vitest'
import { xml } from '../text/index.ts'
import { createToolCallReader, type ToolCallOptions } from './create-tool-call-reader.ts'
import { defineTool } from './define-tool.ts'
import { jsonToolChain } from './json-tool-chain.ts'
import { readToolCalls } from './read-tool-calls.ts'

const text = { type: 'string' }
const tools = [
  { name: 'weather', parameters: { type: 'object', properties: { city: text }, required: ['city'] } },
  { name: 'rm', parameters: { type: 'object', properties: { path: text }, required: ['path'] } },
  { name: 'note', parameters: { type: 'object', properties: { body: text }, required: ['body'] } },
]
const call = '<tool_call>{"name": "rm", "arguments": {"path": "/"}}</tool_call>'
const inString = JSON.stringify(`Never write ${call} in a`).slice(1, -1)

function read(reply: string, options: ToolCallOptions = {}) {
  const whole = readToolCalls(reply, { tools, ...options })
  const reader = createToolCallReader({ tools, ...options })
  for (const c of reply) reader.push(c)
  expect(reader.end()).toEqual(whole)
  return {
    runs: whole.value.calls.filter(({ complete }) => complete).map(({ name }) => name),
    ok: whole.ok,
    codes: whole.issues.map(({ code }) => code),
    content: whole.value.content,
  }
}

describe('a call that is only shown', () => {
  it.each([
    ['in inline code', `\`${call}\``],
    ['behind other words in inline code', `\`like ${call}\``],
    ['in a code block with words behind it', `\`\`\`python\n${call}\n\`\`\`\nThat is how.`],
    ['in a code block of tildes', `So:\n~~~\n${call}\n~~~`],
    ['in a code block within a longer one', `So:\n\`\`\`\`\n\`\`\`\n${call}\n\`\`\`\n\`\`\`\``],
    ['in a quoted line', `> ${call}`],
    ['in quotes', `It said "${call}"`],
    ['in a comment', `<!-- ${call} -->`],
    ['in a result that is quoted back', `<tool_response>${call}</tool_response>`],
    ['in an example', `<example>${call}</example>`],
    ['in reasoning', `<think>I could ${call} but no</think>No.`],
    ['among other words, as a value', 'It said: {"name": "rm", "arguments": {"path": "/"}}, which I ignore.'],
    ['among other words, as Python', 'It said [rm(path="/")], which I ignore.'],
  ])('does not run, and is said: %s', (_, reply) => {
    const { runs, codes } = read(reply)
    expect(runs).toEqual([])
    expect(codes).toContain('call.embedded')
  })

  it.each([
    ['of a value that is no call', `{"answer": "use ${inString}"}`],
    [
      'of a call with a wrong key',
      `<tool_call>{"nam": "weather", "arguments": {"city": "${inString}"}}</tool_call>`,
    ],
    ['of a list of tools', '{"tools": [{"name": "rm", "parameters": {"path": {"type": "string"}}}]}'],
    ['as the value of a key', '{"answer": {"name": "rm", "arguments": {"path": "/"}}}'],
  ])('does not run as a part %s', (_, reply) => {
    expect(read(reply)).toMatchObject({ runs: [], content: reply })
  })

  it.each([
    ['hermes', `<tool_call>{"name": "note", "arguments": {"body": "${inString}`],
    ['plain JSON', `{"name": "note", "arguments": {"body": "${inString}`],
    ['mistral', `[TOOL_CALLS]note[ARGS]{"body": "${inString}`],
    ['python', `<|tool_call_start|>[note(body="${inString}`],
    ['tags', `<function=note><parameter=body>Never write ${call} in a`],
  ])('does not run within a call that was cut off: %s', (_, reply) => {
    const { runs, ok, codes } = read(reply)
    expect(runs).toEqual([])
    expect(ok).toBe(false)
    expect(codes).toContain('call.cut_off')
  })

  it('runs when it is all of a code block, and that is all of the text', () => {
    expect(read(`\`\`\`\n${call}\n\`\`\``)).toMatchObject({ runs: ['rm'], ok: true, codes: [] })
  })
})

describe('a call without marks among words', () => {
  const reply = 'Let me see.\n{"name": "rm", "parameters": {"path": "/tmp/a"}}'

  it('is only shown, where the dialect is not known', () => {
    expect(read(reply)).toMatchObject({ runs: [], content: reply })
  })

  it('is meant, where the dialect is named and has no marks', () => {
    expect(read(reply, { dialect: 'llama3-json' })).toMatchObject({ runs: ['rm'], ok: true })
    expect(read('So: [rm(path="/tmp/a")]', { dialect: 'pythonic' })).toMatchObject({ runs: ['rm'], ok: true })
  })
})

describe('a call that says two things', () => {
  it.each([
    '{"name": "rm", "arguments": {"path": "a"}, "arguments": {"path": "b"}}',
    '{"name": "rm", "arguments": {"path": "a"}, "args": {"path": "b"}}',
    '{"name": "rm", "tool": "weather", "arguments": {"path": "a"}}',
  ])('is refused: %s', (body) => {
    const { ok, codes } = read(`<tool_call>${body}</tool_call>`)
    expect(ok).toBe(false)
    expect(codes).toContain('call.duplicate_key')
  })
})

describe('a call that was cut off', () => {
  it('does not run in a tool chain', async () => {
    const ran: unknown[] = []
    const rm = defineTool({
      name: 'rm',
      description: 'Removes a file',
      input: { type: 'object', properties: { path: { type: 'string' } } },
      run: (input) => void ran.push(input),
    })
    const { value } = readToolCalls('<tool_call>{"name": "rm", "arguments": {"path": "/home', { tools: [rm] })
    const { raw } = await jsonToolChain({ tools: [rm] }).run(value.calls, { format: xml() })
    expect(ran).toEqual([])
    expect(raw.errors.map((error) => error?.code)).toEqual(['tool.cut_off'])
  })

  it('is not whole, where calls are expected', () => {
    const { runs, ok, codes } = read('weather(city="/home', { expect: 'calls' })
    expect(runs).toEqual([])
    expect(ok).toBe(false)
    expect(codes).toContain('call.cut_off')
  })
})
