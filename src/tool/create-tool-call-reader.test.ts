import { describe, expect, it } from 'vitest'
import { createToolCallReader, type ToolCallReaderOptions } from './create-tool-call-reader.ts'
import type { DeclaredTool } from './declared-tools.ts'
import { readToolCalls } from './read-tool-calls.ts'
import type { ToolCallEvent } from './tool-calls.ts'

const tools: readonly DeclaredTool[] = [
  { name: 'forecast', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
  { name: 'ping' },
]

function events(chunks: Iterable<string>, options: ToolCallReaderOptions = { tools }): ToolCallEvent[] {
  const told: ToolCallEvent[] = []
  const reader = createToolCallReader({ ...options, onEvent: (event) => told.push(event) })
  for (const chunk of chunks) reader.push(chunk)
  reader.end()
  return told
}

const told = (list: readonly ToolCallEvent[]) =>
  list.map((event) => {
    if (event.type === 'call-start') return `start ${event.index} ${event.name}`
    if (event.type === 'call-end') return `end ${event.index}${event.call.complete ? '' : ' cut'}`
    return `${event.type.replace('-delta', '')} ${JSON.stringify(event.text)}`
  })

describe('events', () => {
  it('tell of text, reasoning and calls in their order', () => {
    const text =
      '<think>Hm.</think>Hi.\n<tool_call>{"name": "forecast", "arguments": {"city": "Lisbon"}}</tool_call>'
    expect(told(events([text]))).toEqual([
      'reasoning "Hm."',
      'content "Hi."',
      'start 0 forecast',
      'call "{\\"city\\": \\"Lisbon\\"}"',
      'end 0',
    ])
  })

  it('tell of a call as soon as its name is there, and of its arguments as they come', () => {
    const reader = createToolCallReader({ tools, onEvent: (event) => list.push(event) })
    const list: ToolCallEvent[] = []
    reader.push('<tool_call>{"name": "forecast", "arg')
    expect(told(list)).toEqual(['start 0 forecast'])
    reader.push('uments": {"city": "Lis')
    expect(told(list).join()).toContain('Lis')
    reader.push('bon"}}')
    reader.end()
    expect(told(list).at(-1)).toBe('end 0')
  })

  it('change nothing about what is read', () => {
    for (const text of [
      '<tool_call>{"name": "ping", "arguments": {}, "id": "late"}</tool_call>',
      '<tool_call>{"id": "early", "name": "ping", "arguments": {}}</tool_call>',
      '<tool_call>{"tool_name": "ping", "name": "forecast", "arguments": {}}</tool_call>',
      '<tool_call>{"name": "ping", "name": "forecast", "arguments": {}}</tool_call>',
      '[TOOL_CALLS][{"name": "ping", "arguments": {}, "id": "late"}]',
      '<TOOLCALL>[{"function": {"name": "ping"}}, {"name": "forecast"}]</TOOLCALL>',
    ]) {
      const list: ToolCallEvent[] = []
      const reader = createToolCallReader({ tools, onEvent: (event) => list.push(event) })
      reader.push(text)
      const read = reader.end()
      expect(read).toEqual(readToolCalls(text, { tools }))
      const starts = list.flatMap((event) => (event.type === 'call-start' ? [[event.id, event.name]] : []))
      expect(starts).toEqual(read.value.calls.map(({ id, name }) => [id, name]))
    }
  })

  it('wait for an id where the dialect writes it behind the name', () => {
    const { value } = readToolCalls('[TOOL_CALLS][{"name": "ping", "arguments": {}, "id": "x1"}]')
    expect(value.calls[0]?.id).toBe('x1')
  })

  it('tell of a call that is cut off', () => {
    expect(told(events(['<tool_call>{"name": "ping", "arg'])).at(-1)).toBe('end 0 cut')
    expect(events(['<tool_call>{"name": "pi'])).toEqual([])
  })

  it('come at the end where calls are expected in any form', () => {
    const list: ToolCallEvent[] = []
    const reader = createToolCallReader({ tools, expect: 'calls', onEvent: (event) => list.push(event) })
    reader.push('I call forecast(city="Lisbon").')
    expect(list).toEqual([])
    reader.end()
    expect(told(list)).toEqual([
      'content "I call "',
      'start 0 forecast',
      'call "{\\"city\\":\\"Lisbon\\"}"',
      'end 0',
      'content "."',
    ])
  })
})

describe('reader', () => {
  it('takes nothing after its end', () => {
    const reader = createToolCallReader()
    reader.push('a')
    const read = reader.end()
    reader.push('b')
    expect(reader.end()).toBe(read)
    expect(read.value.content).toBe('a')
  })

  it('wants text', () => {
    expect(() => createToolCallReader().push(1 as never)).toThrow()
    expect(() => readToolCalls(undefined as never)).toThrow()
    expect(() => readToolCalls('', { dialect: 'esperanto' })).toThrow('There is no dialect "esperanto"')
  })

  it('gives ids that differ, also where the model repeats them', () => {
    const call = '{"id": "a", "name": "ping", "arguments": {}}'
    const { value } = readToolCalls(`<tool_call>${call}</tool_call><tool_call>${call}</tool_call>`)
    expect(value.calls[0]?.id).toBe('a')
    expect(new Set(value.calls.map(({ id }) => id)).size).toBe(2)
  })

  it('gives the same ids each time', () => {
    const text = '<tool_call>{"name": "ping", "arguments": {}}</tool_call>'
    expect(readToolCalls(text)).toEqual(readToolCalls(text))
  })

  it('reads names that every object has as names', () => {
    const text = '<tool_call>{"name": "constructor", "arguments": {"__proto__": {"a": 1}}}</tool_call>'
    const read = readToolCalls(text, { tools })
    expect(read.issues.map(({ code }) => code)).toContain('tool.unknown')
    expect(Object.getPrototypeOf(read.value.calls[0]?.arguments)).toBe(Object.prototype)
  })

  it('says an issue of a mark once', () => {
    const { issues } = readToolCalls('[{"name": x{ <tool_call>>', { tools })
    expect(issues.map(({ code, span }) => [code, span])).toEqual([['call.unreadable', [13, 24]]])
  })

  it('keeps a header whose call never came', () => {
    const text = '<|start|>assistant to=functions.ping<|message|>'
    const { value, complete } = readToolCalls(text)
    expect(complete).toBe(false)
    expect(value.parts).toEqual([{ type: 'markup', span: [0, text.length] }])
  })
})
