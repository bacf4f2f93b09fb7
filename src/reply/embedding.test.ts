import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tools } from '../../fixtures/reply/tools.ts'
import { createReplyReader, type ReplyReaderOptions } from './create-reply-reader.ts'
import { readReply } from './read-reply.ts'
import type { Reply } from './reply.ts'

const path = fc.string({ unit: fc.constantFrom(...'ab/."\\{}[]`<> \n'), maxLength: 12 })

const action = fc
  .record({
    name: fc.constantFrom('fs.read', 'now', 'nope'),
    path,
    pretty: fc.boolean(),
    nested: fc.boolean(),
  })
  .map(({ name, path, pretty, nested }) => {
    const call = { tool: name, args: name === 'now' ? {} : { path } }
    const value = nested ? { type: 'action', action: call } : { type: 'action', ...call }
    return JSON.stringify(value, null, pretty ? 2 : 0)
  })

/** Prose with all that may confuse a reader, but for what would end a place that an action stands in. */
const prose = fc
  .array(
    fc.constantFrom(
      'word',
      ' ',
      '\n',
      '\n\n',
      '{',
      '}',
      '[',
      ']',
      '(',
      ')',
      '"',
      "'",
      '`',
      '“',
      '>',
      '- ',
      '# ',
      '{"a": 1}',
      '{"a": "b',
      '{name}',
      '[1]',
      '[x](y)',
      '```\n',
      '~~~\n',
      '<b>',
      '\\',
      ':',
      ',',
      '{"type": "Point"}',
      'type: action',
      '/* x */',
      '// y\n',
      '🎉',
    ),
    { maxLength: 12 },
  )
  .map((parts) => parts.join(''))

const clean = fc.constantFrom('', 'Here it is:', 'For example,\n\n', 'See below.\n', 'You can write ')
const after = fc
  .tuple(prose, fc.constantFrom('x', '.', ' thanks', '\nDone.'))
  .map(([text, end]) => text + end)

const fence = (text: string, size: number, mark = '`') =>
  `${mark.repeat(size)}json\n${text}\n${mark.repeat(size)}`

/** Ways in which an action stands in a text without being one. */
const embeddings: Record<string, fc.Arbitrary<string>> = {
  'text after it': fc.tuple(prose, action, after).map(([a, b, c]) => `${a}\n${b}\n${c}`),
  'text around it on the line': fc.tuple(prose, action, after).map(([a, b, c]) => `${a} ${b} ${c}`),
  'a fence after text': fc
    .tuple(prose, action, fc.nat(3), fc.constantFrom('`', '~'))
    .map(([a, b, n, mark]) => `${a}text\n\n${fence(b, 3 + n, mark)}`),
  'a fence before text': fc.tuple(action, after, fc.nat(3)).map(([a, b, n]) => `${fence(a, 3 + n)}\n${b}`),
  'a fence within a fence': fc.tuple(clean, action).map(([a, b]) => `${a}\n${fence(fence(b, 3), 4)}`),
  'an unclosed fence': fc.tuple(clean, action).map(([a, b]) => `${a}x\n\`\`\`\n${b}`),
  'inline code': fc.tuple(clean, action, fc.nat(1)).map(([a, b, n]) => {
    const mark = '`'.repeat(n + 1)
    return `${a}${mark}${b.replaceAll('`', "'")}${mark}`
  }),
  quotes: fc.tuple(clean, action).map(([a, b]) => `${a}"${b}"`),
  'curly quotes': fc.tuple(clean, action).map(([a, b]) => `${a}“${b}”`),
  'a string': fc.tuple(clean, action).map(([a, b]) => `${a}${JSON.stringify(b)}`),
  'a string of an object': fc.tuple(clean, action).map(([a, b]) => `${a}${JSON.stringify({ note: b })}`),
  'a text object': fc
    .tuple(prose, action)
    .map(([a, b]) => JSON.stringify({ type: 'text', text: `${a}${b}` })),
  'another object': fc.tuple(clean, action).map(([a, b]) => `${a}{"example": ${b}}`),
  'an unclosed object': fc.tuple(clean, action).map(([a, b]) => `${a}{"example":\n${b}`),
  'a list': fc.tuple(clean, action).map(([a, b]) => `${a}[${b}]`),
  'a block quote': fc.tuple(clean, action).map(
    ([a, b]) =>
      `${a}\n${b
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n')}`,
  ),
  'a list item': fc
    .tuple(clean, action, fc.constantFrom('-', '*', '1.'))
    .map(([a, b, m]) => `${a}\n${m} ${b}`),
  reasoning: fc.tuple(prose, action, prose).map(([a, b, c]) => `<think>${a}${b}${c}</think>The answer.`),
  'implied reasoning': fc.tuple(clean, action).map(([a, b]) => `${a}${b}\n</think>\nThe answer.`),
  'unclosed reasoning': fc.tuple(clean, action).map(([a, b]) => `${a}<think>${b}`),
  'words before it on its line': fc
    .tuple(fc.constantFrom('Example:', 'Do not write', 'Let me look.', '<!-- x -->'), action)
    .map(([a, b]) => `${a} ${b}`),
  'two actions': fc.tuple(prose, action, action).map(([a, b, c]) => `${a}\n${b}\n${c}`),
  'half an action': fc
    .tuple(prose, action, fc.double({ min: 0, max: 0.999, noNaN: true }))
    .map(([a, b, share]) => `${a}\n${b.slice(0, Math.floor(b.length * share))}`),
}

// As in tests/properties.test.ts: PROPERTY_RUNS=20000 searches longer, PROPERTY_SEED=2 elsewhere.
const runs = {
  numRuns: Number(process.env.PROPERTY_RUNS ?? 300),
  seed: Number(process.env.PROPERTY_SEED ?? 1),
}

describe('an action is never live', () => {
  it.each(Object.entries(embeddings))('in %s', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const { ok, value } = readReply(text, { tools })
        expect(ok && value.type === 'action', text).toBe(false)
        expect(value).not.toHaveProperty('call')
      }),
      runs,
    )
  })

  const loud = Object.entries(embeddings).filter(([name]) => name !== 'half an action')
  it.each(loud)('nor ignored silently, in %s', (_, texts) => {
    fc.assert(
      fc.property(texts, (text) => {
        const { issues } = readReply(text, { tools })
        expect(
          issues.some(({ severity }) => severity !== 'repair'),
          text,
        ).toBe(true)
      }),
      runs,
    )
  })

  it('at whatever depth', () => {
    const wraps: ((text: string) => string)[] = [
      (text) => `Look:\n${fence(text, 6)}\nok`,
      (text) => `{"x": ${text}}`,
      (text) => JSON.stringify({ x: text }),
      (text) => `<think>${text}</think>ok`,
      (text) => `> ${text.replaceAll('\n', '\n> ')}`,
      (text) => `a ${text} b`,
      (text) => `"${text}"`,
      (text) => `[${text}]`,
    ]
    fc.assert(
      fc.property(
        action,
        fc.array(fc.constantFrom(...wraps), { minLength: 1, maxLength: 4 }),
        (text, ways) => {
          const whole = ways.reduce((inner, wrap) => wrap(inner), text)
          const { ok, value } = readReply(whole, { tools })
          expect(ok && value.type === 'action', whole).toBe(false)
        },
      ),
      runs,
    )
  })
})

describe('a call that does not say that it is an action', () => {
  const ways: Record<string, (name: string) => string> = {
    'an object': (name) => `{"tool":"${name}"}`,
    'an object with arguments': (name) => `{"name": "${name}", "arguments": {}}`,
    'a list': (name) => `[{"tool":"${name}"}]`,
    tags: (name) => `<tool_call>\n{"name":"${name}","arguments":{}}\n</tool_call>`,
    'tags with arguments in tags': (name) => `<tool_call>\n<function=${name}>\n</function>\n</tool_call>`,
    'a message': (name) => `{"role": "assistant", "tool_calls":[{"function":{"name":"${name}"}}]}`,
    'a part of a message': (name) => `{"functionCall": {"name": "${name}", "args": {}}}`,
    'a block of a message': (name) => `[{"type": "tool_use", "name": "${name}", "input": {}}]`,
  }
  const around: ((text: string) => string)[] = [
    (text) => text,
    (text) => `Let me see.\n${text}`,
    (text) => `<think>Hm.</think>\n\n${text}`,
    (text) => `<think>Hm.</think>\n${text}\nDone.`,
    (text) => `\`\`\`json\n${text}\n\`\`\``,
    (text) => `Here:\n\n\`\`\`json\n${text}\n\`\`\``,
  ]

  it.each(Object.entries(ways))('is text, and it is said, as %s', (_, write) => {
    const text = write('now')
    for (const [i, put] of around.entries()) {
      // Tags in a fence are code.
      const isTags = text.includes('<function')
      if (i > 3 && isTags) continue
      const { value, issues } = readReply(put(text), { tools })
      expect(value).toHaveProperty('type', 'text')
      const codes = issues.map(({ code }) => code)
      expect(codes, put(text)).toHaveLength(1)
      const isError = i < 3 && !isTags
      expect(codes[0]).toMatch(isError ? /untyped_action/ : /untyped_action|embedded_action/)
    }
  })
})

describe('a live action', () => {
  const valid = fc.record({ path, pretty: fc.boolean() }).map(({ path, pretty }) => ({
    path,
    text: JSON.stringify({ type: 'action', tool: 'fs.read', args: { path } }, null, pretty ? 2 : 0),
  }))

  it('is read back exactly, whatever its arguments', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('', 'Reading it.\n\n'),
        (content, before) => {
          const text = `${before}${JSON.stringify({ type: 'action', tool: 'fs.write', args: { path: 'a', content } })}\n`
          expect(readReply(text, { tools })).toMatchObject({
            ok: true,
            value: { type: 'action', text: before.trim(), call: { arguments: { path: 'a', content } } },
            issues: [],
          })
        },
      ),
      runs,
    )
  })

  it('is one alone, after plain text, and in a fence alone', () => {
    const ways = [(a: string) => a, (a: string) => `Let me look.\n\n${a}`, (a: string) => fence(a, 8)]
    fc.assert(
      fc.property(valid, fc.constantFrom(...ways), ({ path, text }, way) => {
        const { ok, value } = readReply(way(text), { tools })
        expect(ok && value.type === 'action' && value.call.arguments, text).toEqual({ path })
      }),
      runs,
    )
  })
})

describe('hostile text', () => {
  const hostile = fc
    .array(
      fc.oneof(
        prose,
        action,
        fc.constantFrom(
          '<think>',
          '</think>',
          '```json\n',
          '{"type": "',
          'error", "code": "x"}',
          '"}',
          '\\"',
          '{"type": "text", "text": "hi',
          ', "b": 3}',
          '{"tool": "now"}',
          '[{"name": "now", "args": {}}]',
          '{"tool_calls": [{"function": {"name": "x"}}]}',
          '<tool_call>',
          '</tool_call>',
        ),
        fc.string({ unit: 'binary', maxLength: 6 }),
      ),
      { maxLength: 8 },
    )
    .map((parts) => parts.join(''))

  function stream(chunks: readonly string[], options: Partial<ReplyReaderOptions> = {}) {
    let shown = ''
    const reader = createReplyReader({
      tools,
      ...options,
      onEvent(event) {
        if (event.type === 'text-delta') shown += event.text
        if (event.type === 'reasoning-implied') shown = ''
      },
    })
    for (const chunk of chunks) reader.push(chunk)
    const before = reader.text
    expect(before).toBe(shown)
    return { read: reader.end(), shown }
  }

  it('never throws, reads the same at every split, and shows what it reads', () => {
    fc.assert(
      fc.property(hostile, fc.array(fc.nat(12), { maxLength: 40 }), (text, sizes) => {
        const whole = readReply(text, { tools })
        const chunks: string[] = []
        let at = 0
        for (const size of sizes) {
          chunks.push(text.slice(at, at + size))
          at += size
        }
        chunks.push(text.slice(at))
        for (const way of [chunks, text.split('')]) {
          const { read, shown } = stream(way)
          expect(read).toEqual(whole)
          expect(shown).toBe((read.value as Reply & { text: string }).text)
        }
        for (const { span } of whole.issues)
          if (span) expect(span[0] >= 0 && span[0] <= span[1] && span[1] <= text.length).toBe(true)
      }),
      { ...runs, numRuns: 4 * runs.numRuns },
    )
  })

  it('is no reply when it is cut', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        const reader = createReplyReader({ tools })
        reader.push(text)
        expect(reader.end({ cut: true })).toMatchObject({ ok: false, complete: false })
      }),
      runs,
    )
  })
})
