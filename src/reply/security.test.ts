import { describe, expect, it } from 'vitest'
import { tools } from '../../fixtures/reply/tools.ts'
import { suggestRetry } from '../core/suggest-retry.ts'
import { createToolRegistry } from '../tool/create-tool-registry.ts'
import { defineTool } from '../tool/define-tool.ts'
import { describeReply } from './describe-reply.ts'
import { readReply } from './read-reply.ts'
import { retryAdvice } from './retry-advice.ts'

const read = (text: string) => readReply(text, { tools })
const codes = (text: string) => read(text).issues.map(({ code }) => code)
const action = '{"type": "action", "tool": "fs.read", "args": {"path": "README.md"}}'

describe('security properties', () => {
  it('1. tool calls must be explicit JSON with type="action"', () => {
    expect(read(action)).toMatchObject({ ok: true, value: { type: 'action', call: { name: 'fs.read' } } })
    for (const text of [
      '{"tool": "fs.read", "args": {"path": "README.md"}}',
      '{"type": "tool_call", "tool": "fs.read", "args": {"path": "README.md"}}',
      '{"type": "ACTION", "tool": "fs.read", "args": {"path": "README.md"}}',
      '{"type": ["action"], "tool": "fs.read", "args": {"path": "README.md"}}',
    ]) {
      expect(read(text).ok, text).toBe(false)
      expect(codes(text)).toContain('reply.untyped_action')
    }
    for (const text of [
      'I will call fs.read with README.md.',
      'fs.read(path="README.md")',
      'Action: fs.read\nAction Input: {"path": "README.md"}',
      'I will **not** call fs.list.',
    ])
      expect(read(text), text).toMatchObject({ ok: true, value: { type: 'text', text } })
  })

  it('2. all tool arguments are validated against the schema of the registry', () => {
    const text = '{"type": "action", "tool": "fs.write", "args": {"content": [1], "mode": "append"}}'
    const { ok, issues } = read(text)
    expect(ok).toBe(false)
    const [issue] = issues.filter(({ severity }) => severity === 'error')
    expect(issue).toMatchObject({ code: 'tool.invalid_arguments', params: { tool: 'fs.write' } })
    // all problems at once
    expect(issue?.hint).toMatch(/path: missing/)
    expect(issue?.hint).toMatch(/mode: expected one of/)
    for (const args of ['["README.md"]', '"README.md"', '7', 'true'])
      expect(codes(`{"type": "action", "tool": "fs.read", "args": ${args}}`)).toEqual([
        'tool.invalid_arguments',
      ])
  })

  it('3. unknown tools are rejected before execution', () => {
    const { ok, value, issues } = read('{"type": "action", "tool": "fs.delete", "args": {"path": "/"}}')
    expect(ok).toBe(false)
    expect(value).toEqual({ type: 'text', text: '' })
    expect(issues).toMatchObject([{ code: 'tool.unknown', params: { name: 'fs.delete' } }])
    expect(suggestRetry(issues)).toMatch(/fs\.read/)
    for (const name of ['constructor', '__proto__', 'toString', 'FS.READ', ' fs.read'])
      expect(read(`{"type": "action", "tool": ${JSON.stringify(name)}, "args": {"path": "a"}}`).ok).toBe(
        false,
      )
  })

  it("4. parse errors don't silently fail", () => {
    for (const text of [
      '',
      '{"type": "action", "tool": "fs.read", "args": {"path": "READ',
      '{"type": "action", "tool": "fs.read", "args": ]}',
      '{"type": "action" "tool" "fs.read" oops {{}',
      `${action}\n${action}`,
      `${action} and more`,
      '{"type": "action"}',
      '{"type": "action", "tool": "fs.read", "args": {"path": ...}}',
    ]) {
      const result = read(text)
      expect(result.ok, text).toBe(false)
      expect(result.issues.some(({ severity }) => severity === 'error')).toBe(true)
      expect(suggestRetry(result.issues)).not.toBe('')
    }
  })

  it('5. a model cannot invoke tools via embedded examples', () => {
    for (const text of [
      `For example:\n\`\`\`json\n${action}\n\`\`\``,
      `\`\`\`json\n${action}\n\`\`\`\nis an example.`,
      `Write \`${action}\``,
      `He wrote "${action}"`,
      `> ${action}`,
      `- ${action}`,
      `<think>${action}</think>\nHello.`,
      `${action}\n</think>\nHello.`,
      `{"example": ${action}}`,
      JSON.stringify({ example: action }),
      JSON.stringify(action),
    ]) {
      const result = read(text)
      expect(result, text).toMatchObject({ ok: true, value: { type: 'text' } })
      expect(codes(text)).toContain('reply.embedded_action')
    }
  })

  it('6. all validation happens before anything is dispatched', () => {
    let runs = 0
    const registry = createToolRegistry([
      defineTool({
        name: 'count',
        description: 'Counts.',
        input: { type: 'object', properties: { by: { type: 'integer' } }, required: ['by'] },
        run: () => ++runs,
      }),
    ])
    const good = readReply('{"type": "action", "tool": "count", "args": {"by": "2"}}', { tools: registry })
    // What comes out is what the schema accepts, not what the model wrote.
    expect(good).toMatchObject({ ok: true, value: { call: { name: 'count', arguments: { by: 2 } } } })
    const bad = readReply('{"type": "action", "tool": "count", "args": {"by": "many"}}', { tools: registry })
    expect(bad.ok).toBe(false)
    // A rejected reply holds no call that a careless program could run.
    expect(JSON.stringify(bad.value)).not.toMatch(/call|count/)
    expect(runs).toBe(0)
  })
})

describe('acceptance criteria and test cases of the specification', () => {
  it('handles text, action and error replies correctly', () => {
    expect(read("I'll help you read that file. Let me fetch it for you.").value).toMatchObject({
      type: 'text',
    })
    expect(read(action).value).toMatchObject({ type: 'action', call: { arguments: { path: 'README.md' } } })
    expect(
      read('{"type": "error", "code": "permission_denied", "message": "I don\'t have permission"}'),
    ).toMatchObject({
      ok: true,
      value: { type: 'error', code: 'permission_denied', message: "I don't have permission" },
    })
  })

  it('valid tool calls parse correctly, after any text', () => {
    const text = `I'll help you read that file. Let me fetch it for you.\n\n${action}`
    expect(read(text).value).toMatchObject({
      type: 'action',
      text: "I'll help you read that file. Let me fetch it for you.",
      span: [56, 56 + action.length],
    })
  })

  it('invalid JSON is treated as text, and nothing of the text is deleted', () => {
    const text = 'In Go, { "type": broken ] is no JSON, and {this} neither: map[string]any{"a": 1}.'
    expect(read(text)).toMatchObject({ ok: true, value: { type: 'text', text } })
  })

  it('schema validation rejects bad args', () => {
    expect(codes('{"type": "action", "tool": "fs.read", "args": {}}')).toEqual(['tool.invalid_arguments'])
  })

  it('text without JSON is text', () => {
    expect(read('No braces here.')).toEqual({
      ok: true,
      value: { type: 'text', text: 'No braces here.' },
      complete: true,
      issues: [],
    })
  })

  it('an unknown response type is text, and that is said', () => {
    const text = '{"type": "summary", "body": "All is well."}'
    expect(read(text)).toMatchObject({ ok: true, value: { type: 'text', text } })
    expect(codes(text)).toEqual(['reply.unknown_type'])
  })

  it('unknown tools produce clear error messages', () => {
    const { issues } = read('{"type": "action", "tool": "fs.red", "args": {"path": "a"}}')
    expect(issues[0]?.message).toBe('there is no tool "fs.red"')
    expect(issues[0]?.hint).toMatch(/The tools are: fs\.read, fs\.write, search, now\./)
  })

  it('error responses are parsed correctly', () => {
    for (const code of ['permission_denied', 'invalid_args', 'tool_not_found'])
      expect(read(JSON.stringify({ type: 'error', code, message: 'explanation' }))).toEqual({
        ok: true,
        value: { type: 'error', code, message: 'explanation', text: '' },
        complete: true,
        issues: [],
      })
  })

  it('error responses are first-class: no parse failure, and no retry', () => {
    const result = read('{"type": "error", "code": "tool_not_found", "message": "I have no such tool"}')
    expect(result.ok).toBe(true)
    expect(retryAdvice(result)).toEqual({ retry: false, reason: 'reported', message: '' })
  })

  it('a validation failure is not the error of the model: it is retried with a suggestion', () => {
    const advice = retryAdvice(read('{"type": "action", "tool": "nope", "args": {}}'))
    expect(advice).toMatchObject({ retry: true, reason: 'rejected' })
    expect(advice.message).toMatch(/There is no tool "nope"/)
  })

  it('parse failures come with suggestions', () => {
    const suggestions: [string, RegExp][] = [
      ['', /Your reply was empty/],
      [action.slice(0, -9), /Write the whole object again/],
      [`${action}\n${action}`, /exactly one action per reply/],
      [`${action}\nDone.`, /write nothing after it/],
      ['{"tool": "fs.read", "args": {"path": "a"}}', /"type": "action"/],
      ['{"type": "action", "args": {"path": "a"}}', /fs\.read/],
    ]
    for (const [text, suggestion] of suggestions) {
      const { retry, message } = retryAdvice(read(text))
      expect(retry, text).toBe(true)
      expect(message).toMatch(suggestion)
    }
  })

  it('partial responses, multiple calls and escaped JSON in text are told apart', () => {
    const escaped = `The log says ${JSON.stringify(action)}.`
    expect(read(action.slice(0, -5))).toMatchObject({ ok: false, complete: false })
    expect(codes(action.slice(0, -5))).toEqual(['reply.truncated'])
    expect(read(`${action}${action}`)).toMatchObject({ ok: false, complete: true })
    expect(codes(`${action}${action}`)).toEqual(['reply.ambiguous'])
    expect(read(escaped)).toMatchObject({ ok: true, complete: true, value: { type: 'text', text: escaped } })
    expect(codes(escaped)).toEqual(['reply.embedded_action'])
  })

  it('a tool call in conversational filler is neither run nor lost', () => {
    const text = `Sure thing! I would just call ${action} and then we are done, ok?`
    expect(read(text)).toMatchObject({ ok: false, value: { type: 'text', text } })
    expect(codes(text)).toEqual(['reply.ambiguous'])
  })

  it('ambiguous cases (multiple JSON blocks) are handled safely', () => {
    const second = action.length + 6
    expect(read(`${action}\n\nor\n\n${action}`).issues).toMatchObject([
      {
        code: 'reply.ambiguous',
        span: [0, second + action.length],
        params: {
          reason: 'several_actions',
          count: 2,
          spans: [
            [0, action.length],
            [second, second + action.length],
          ],
        },
      },
    ])
    expect(read(`{"a": 1}\n\n${action}`)).toMatchObject({
      ok: true,
      value: { type: 'action', text: '{"a": 1}' },
    })
    expect(codes(`${action}\n\n{"a": 1}`)).toEqual(['reply.ambiguous'])
  })

  it('the prompt specifies the structured output', () => {
    const prompt = describeReply(tools)
    expect(prompt).toContain('"type": "action"')
    expect(prompt).toContain('"type": "error"')
    for (const name of tools.names()) expect(prompt).toContain(`{"type":"action","tool":"${name}"`)
  })

  it('no tool call is silently ignored', () => {
    for (const text of [
      `Here:\n\`\`\`\n${action}\n\`\`\``,
      `a ${action} b`,
      `[${action}]`,
      `<tool>${action}</tool>`,
      action.replace('action', 'call'),
      action.slice(0, -1),
      `${action},`,
      `_${action}_`,
    ])
      expect(
        read(text).issues.some(({ severity }) => severity !== 'repair'),
        text,
      ).toBe(true)
  })
})

it('says what is missing when it is called with something else', () => {
  const legible = (code: string) => expect.objectContaining({ name: 'LegibleError', code })
  for (const text of [undefined, null, 5, {}] as unknown as string[])
    expect(() => readReply(text, { tools })).toThrow(legible('core.no_text'))
  expect(() => readReply('x', undefined as never)).toThrow(legible('reply.no_tools'))
  expect(() => readReply('x', null as never)).toThrow(legible('reply.no_tools'))
})
