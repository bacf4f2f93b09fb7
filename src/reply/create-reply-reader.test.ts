import { describe, expect, it } from 'vitest'
import { tools } from '../../fixtures/reply/tools.ts'
import { createReplyReader } from './create-reply-reader.ts'
import { readReply } from './read-reply.ts'
import type { ReplyEvent } from './shown-text.ts'

const action = '{"type": "action", "tool": "fs.read", "args": {"path": "README.md"}}'

function record(chunks: readonly string[]) {
  const events: ReplyEvent[] = []
  const reader = createReplyReader({ tools, onEvent: (event) => events.push(event) })
  const log: string[] = []
  for (const chunk of chunks) {
    reader.push(chunk)
    log.push(`${reader.state}: ${reader.text}`)
  }
  return { reader, events, log }
}

describe('createReplyReader', () => {
  it('shows text as it comes, and holds back what may become an action', () => {
    const { reader, log, events } = record([
      'Let me ',
      'look.\n\n',
      '{"ty',
      'pe": "action", "tool": ',
      action.slice(27),
    ])
    expect(log).toEqual([
      'text: Let me',
      'text: Let me look.',
      'held: Let me look.',
      'action: Let me look.',
      'action: Let me look.',
    ])
    expect(reader.action).toEqual({ type: 'action', tool: 'fs.read', args: { path: 'README.md' } })
    const read = reader.end()
    expect(read).toMatchObject({ ok: true, value: { type: 'action', text: 'Let me look.' } })
    expect(reader.state).toBe('done')
    expect(events).toEqual([
      { type: 'text-delta', text: 'Let me' },
      { type: 'text-delta', text: ' look.' },
      { type: 'action-start' },
    ])
  })

  it('gives free what turns out to be text', () => {
    const { log } = record(['The point is {"x"', ': 1, "y": 2}', ' here.'])
    expect(log).toEqual([
      'held: The point is',
      'text: The point is {"x": 1, "y": 2}',
      'text: The point is {"x": 1, "y": 2} here.',
    ])
  })

  it('streams code in a fence, unless it may be the whole reply and an object', () => {
    expect(record(['```py\nprint', '(1)\n']).log).toEqual(['text: ```py\nprint', 'text: ```py\nprint(1)'])
    expect(record(['```json\n{"a"', ': 1}\n```', '\nok']).log).toEqual([
      'held: ',
      'held: ',
      'text: ```json\n{"a": 1}\n```\nok',
    ])
    expect(record(['See:\n```json\n{"a', '": 1}\n']).log).toEqual([
      'text: See:\n```json\n{"a',
      'text: See:\n```json\n{"a": 1}',
    ])
  })

  it('streams a text that is written as an object', () => {
    const { log, reader } = record(['{"type": "text", "te', 'xt": "Hello', ' there', '."}'])
    expect(log).toEqual(['held: ', 'held: Hello', 'held: Hello there', 'text: Hello there.'])
    expect(reader.end().value).toEqual({ type: 'text', text: 'Hello there.' })
  })

  it('tells reasoning apart, also when only its end is marked', () => {
    const { events, reader } = record(['<think>hm', 'm</think>\n', 'Hi'])
    expect(events).toEqual([
      { type: 'reasoning-start' },
      { type: 'reasoning-delta', text: 'hm' },
      { type: 'reasoning-delta', text: 'm' },
      { type: 'reasoning-end' },
      { type: 'text-delta', text: 'Hi' },
    ])
    expect(reader.reasoning).toBe('hmm')
    const implied = record(['I wonder.', '\n</think>', 'Hi'])
    expect(implied.log).toEqual(['text: I wonder.', 'text: ', 'text: Hi'])
    expect(implied.events).toContainEqual({ type: 'reasoning-implied' })
    expect(implied.reader.reasoning).toBe('I wonder.')
  })

  it('does not take a reply that was cut for a whole one', () => {
    for (const text of [action, 'Hello', '{"type": "error", "code": "a", "message": "b"}', '']) {
      const reader = createReplyReader({ tools })
      reader.push(text)
      const read = reader.end({ cut: true })
      expect(read).toMatchObject({ ok: false, complete: false })
      expect(read.issues.map(({ code }) => code)).toContain('reply.cut_off')
      expect(read.value).not.toHaveProperty('call')
    }
  })

  it('gives the same again after the end, and hears no more', () => {
    const reader = createReplyReader({ tools })
    reader.push(action)
    const read = reader.end()
    reader.push(' more')
    expect(reader.end()).toBe(read)
  })

  it('throws when a chunk is no text', () => {
    const reader = createReplyReader({ tools })
    for (const chunk of [undefined, null, 5, new Uint8Array(2)] as unknown as string[])
      expect(() => reader.push(chunk)).toThrow(
        expect.objectContaining({ name: 'LegibleError', code: 'core.no_text' }),
      )
    reader.push('Hello.')
    expect(reader.end().value).toEqual({ type: 'text', text: 'Hello.' })
  })

  it('numbers calls by those that came before', () => {
    const ids = [0, 1].map((callsBefore) => {
      const read = readReply(action, { tools, callsBefore })
      return read.ok && read.value.type === 'action' ? read.value.call.id : ''
    })
    expect(ids[0]).toMatch(/^call_1_/)
    expect(ids[1]).toMatch(/^call_2_/)
  })

  it('takes a list of tools, and throws without any', () => {
    expect(readReply(action, { tools: [] }).issues).toMatchObject([{ code: 'tool.unknown' }])
    expect(() => readReply('', {} as never)).toThrow(/tools/)
  })
})

describe('work', () => {
  const families: Record<string, string> = {
    prose: 'hello there, ',
    braces: '{',
    'objects that break off': '{"a',
    objects: '{"a": 1} ',
    actions: `${action}\n`,
    'actions that break off': '{"type": "action", ',
    backticks: '`',
    fences: '```json\n{"type": "action"}\n```\n',
    'fences that are not closed': '```\n   ',
    'less-than signs': '<',
    'opening tags': '<think>',
    'closing tags': 'x</think>',
    thoughts: `<think>${action}</think>`,
    tildes: '~',
    'line breaks': '\n',
    'block quotes': '> {"a',
    quotes: '"{"type":"action',
    'words in objects': '{"a": b c} ',
    'half a tag': '<think ',
    'comments without end': '<!--',
    comments: `<!-- ${action} -->`,
    errors: '{"type": "error", "code": "a"}\n',
    'a text object': '{"type": "text", "text": "hello ',
  }
  const stepsOf = (text: string, size: number) => {
    const reader = createReplyReader({ tools }) as ReturnType<typeof createReplyReader> & { steps: number }
    for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size))
    reader.end()
    return reader.steps
  }

  it.each(Object.entries(families))('grows no faster than the text: %s', (_, part) => {
    const text = (size: number) => part.repeat(Math.ceil(size / part.length))
    for (const size of [1, 7, 1e6]) {
      const small = stepsOf(text(4000), size)
      const large = stepsOf(text(16_000), size)
      expect(large / small).toBeLessThan(4.6)
      expect(large).toBeLessThan(12 * 16_000)
    }
  })

  it.each(['{"a": 1} b ', '[1] b ', '{"a": b c} ', '{"tool": "now"} b ', '<tool_call>{"name": "x"}'])(
    'reads many values in one chunk: %s',
    (part) => {
      const start = performance.now()
      readReply(part.repeat(60_000), { tools })
      // To look at all that follows, for each of the values, takes minutes.
      expect(performance.now() - start).toBeLessThan(5000)
    },
  )

  it.each(['text', 'reasoning'] as const)('costs nothing to look at the %s after every chunk', (what) => {
    const reader = createReplyReader({ tools, reasoning: what === 'text' ? 'auto' : 'open' })
    const start = performance.now()
    let length = 0
    for (let i = 0; i < 110_000; i++) {
      reader.push('aaa')
      length = reader[what].length
    }
    expect(length).toBe(330_000)
    // A copy at each look takes a minute.
    expect(performance.now() - start).toBeLessThan(5000)
  })

  it('joins thoughts while they are read, without space around them', () => {
    const seen: string[] = []
    const reader = createReplyReader({ tools })
    for (const chunk of ['x </think> <think> a', ' ', 'b ', '</think>', '<think>', ' ', 'c']) {
      reader.push(chunk)
      seen.push(reader.reasoning)
    }
    const first = 'x\n\n---\n\na'
    const second = `${first} b`
    expect(seen).toEqual([first, first, second, second, second, second, `${second}\n\n---\n\nc`])
  })
})

it('tells the same around reasoning that is only closed, however the chunks fall', () => {
  const text = '{“type”:“action”,“tool”:“search”}// c\nx</think>y'
  const told = (size: number) => {
    const seen: string[] = []
    const reader = createReplyReader({
      tools,
      onEvent: (event) => {
        const delta = event.type === 'text-delta' ? event.text : undefined
        if (delta !== undefined && seen.at(-1)?.startsWith('text: ')) seen[seen.length - 1] += delta
        else seen.push(delta === undefined ? event.type : `text: ${delta}`)
      },
    })
    for (let at = 0; at < text.length; at += size) reader.push(text.slice(at, at + size))
    reader.end()
    return seen
  }
  for (const size of [1, 2, 3, 5, 7]) expect(told(size)).toEqual(told(text.length))
})
