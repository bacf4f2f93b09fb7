import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { tools } from '../../fixtures/reply/tools.ts'
import { formatReply } from './format-reply.ts'
import { readReply } from './read-reply.ts'
import type { Reply } from './reply.ts'

const again = (reply: Reply) => readReply(formatReply(reply, tools), { tools })

describe('formatReply', () => {
  it('writes text, actions and errors as the contract has them', () => {
    expect(formatReply({ type: 'text', text: 'Hello.' }, tools)).toBe('Hello.')
    expect(
      formatReply(
        {
          type: 'action',
          text: 'Reading.',
          call: { id: 'c1', name: 'fs.read', arguments: { path: 'a' } },
          span: [0, 0],
        },
        tools,
      ),
    ).toBe('Reading.\n\n{"type":"action","id":"c1","tool":"fs.read","args":{"path":"a"}}')
    expect(formatReply({ type: 'error', code: 'a', message: 'b', text: '' }, tools)).toBe(
      '{"type":"error","code":"a","message":"b"}',
    )
  })

  it('writes a text that looks like an action so that it stays text', () => {
    const text = '{"type": "action", "tool": "now", "args": {}}'
    expect(again({ type: 'text', text })).toMatchObject({ ok: true, value: { type: 'text', text } })
  })

  it('is read back, whatever the text and the arguments', () => {
    const words = fc.constantFrom(
      ...[
        'word',
        ' ',
        '\n',
        '{',
        '}',
        '[',
        '"',
        '`',
        '```\n',
        '<think>',
        '</think>',
        '> ',
        '{"type": "action"}',
      ],
      ...[
        '{"type": "error", "code": "x"}',
        '{"type": "text", "text": "a"}',
        '{"a": 1}',
        '{"tool": "now"}',
        '\\',
      ],
    )
    const texts = fc.array(words, { maxLength: 10 }).map((parts) => parts.join('').trim())
    fc.assert(
      fc.property(texts, fc.string(), fc.constantFrom('text', 'action', 'error'), (text, path, type) => {
        if (type === 'text' && text === '') return
        const call = { id: 'c1', name: 'fs.read', arguments: { path } }
        const reply =
          type === 'text'
            ? { type, text }
            : type === 'action'
              ? { type, text, call }
              : { type, code: 'a', message: path || 'b', text }
        expect(again({ span: [0, 0], ...reply } as Reply)).toMatchObject({ ok: true, value: reply })
      }),
      { numRuns: Number(process.env.PROPERTY_RUNS ?? 300), seed: Number(process.env.PROPERTY_SEED ?? 1) },
    )
  })
})
