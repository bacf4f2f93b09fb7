import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Dialect } from '../dialects/dialect.ts'
import { dialects } from '../dialects/dialects.ts'
import type { JsonSchema } from '../schema/schema.ts'
import { formatToolCalls } from './format-tool-calls.ts'
import { readToolCalls } from './read-tool-calls.ts'

const text: JsonSchema = { type: 'string' }
const object = (properties: Record<string, JsonSchema>): JsonSchema => ({ type: 'object', properties })
const tools = [
  { name: 'write_file', parameters: object({ path: text, content: text }) },
  {
    name: 'search',
    parameters: object({
      query: text,
      limit: { type: 'integer' },
      ratio: { type: 'number' },
      exact: { type: 'boolean' },
      note: { type: ['string', 'null'] },
      tags: { type: 'array', items: text },
      where: object({ field: text, least: { type: 'number' }, inner: object({ deep: text }) }),
      rows: { type: 'array', items: object({ key: text, on: { type: 'boolean' } }) },
    }),
  },
  {
    name: 'free',
    parameters: object({ any: {}, either: { anyOf: [text, object({ a: text })] }, list: { type: 'array' } }),
  },
  { name: 'get.time', parameters: object({ zone: text }) },
  { name: 'list-items', parameters: object({}) },
]

const marks = dialects.flatMap(({ open = [], close = [], tokens = [], separators = [], reasoning = [] }) => [
  ...open,
  ...close,
  ...tokens,
  ...separators,
  ...reasoning.flat(),
])
const tags = dialects.flatMap(({ form }) =>
  form.kind === 'tagged'
    ? [...(form.call ?? []), ...form.parameter].map((tag) => tag.replace(/\{\w+\}/g, 'query'))
    : [],
)
const pieces = [
  '<query>|</query>|<search>|</search>|</content>|<path>|</write_file>|<item>|</item>|<b>|</b>',
  `"|'|\\|\\n|\\"|\\\\|"""|'''|\`|\`\`\`|\\u0041|\\x41|%s|$&|$1`,
  '{|}|[|]|(|)|,|:|=|;|{"a": 1}|[1, 2]|, b="|"}|{name}|{key}|{all}|**|//|# |<!--|-->',
  '<![CDATA[|]]>|&lt;|&amp;|&#39;|&|<|>|</|<|>|<|"|>|<escape>|<|im_end|>|<|eot_id|>',
  '02134|1|-0|1e5|3.50|true|null|None|no|2026-01-20|10:30|~|- a|a: b|> |? |!tag|%|@',
  'search|call:|search(|functions.search:0|Action:|functools|>>>|to=search',
].flatMap((list) => list.split('|'))

/** Text made of what could break out of a value, or make it look like something else. */
const hostile = fc
  .array(
    fc.oneof(
      { weight: 3, arbitrary: fc.constantFrom(...marks) },
      { weight: 3, arbitrary: fc.constantFrom(...tags) },
      { weight: 6, arbitrary: fc.constantFrom(...pieces) },
      { weight: 4, arbitrary: fc.constantFrom('\n', '\n\n', '\r\n', '\r', ' ', '  ', '\t', '\n  ') },
      {
        weight: 3,
        arbitrary: fc.constantFrom('word', 'é', '日本', '😀', 'ｆ', '\u200b', '\ufeff', '\u2028'),
      },
      { weight: 2, arbitrary: fc.string({ maxLength: 5 }) },
    ),
    { maxLength: 8 },
  )
  .map((parts) => parts.join(''))

// JSON has one zero, and no exact integers beyond these.
const ratio = fc
  .oneof(fc.integer(), fc.double({ noNaN: true, noDefaultInfinity: true }))
  .map((value) => (value === 0 ? 0 : value))
  .filter((value) => !Number.isInteger(value) || Number.isSafeInteger(value))
const optional = { requiredKeys: [] }

// A list in a list of anything, and a member with the name of an argument, are left out: written as tags they look like
// other things.
const { anything, member } = fc.letrec<{ anything: unknown; member: unknown }>((tie) => ({
  anything: fc.oneof(
    { depthSize: 'small' },
    hostile,
    ratio,
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('member'), { maxLength: 2 }),
    tie('member'),
  ),
  member: fc.dictionary(fc.constantFrom('a', 'b c', 'item', 'x-y', '<k>', '1'), tie('anything'), {
    maxKeys: 2,
  }),
}))

type Arguments = Record<string, unknown>
const callOf = (name: string, given: fc.Arbitrary<Arguments>) =>
  fc.record({ name: fc.constant(name), arguments: given })
const typed = [
  callOf('write_file', fc.record({ path: hostile, content: hostile })),
  callOf(
    'search',
    fc.record(
      {
        query: hostile,
        limit: fc.integer(),
        ratio,
        exact: fc.boolean(),
        note: fc.option(hostile),
        tags: fc.array(hostile, { maxLength: 3 }),
        where: fc.record({ field: hostile, least: ratio, inner: fc.record({ deep: hostile }) }, optional),
        rows: fc.array(fc.record({ key: hostile, on: fc.boolean() }), { maxLength: 2 }),
      },
      optional,
    ),
  ),
  callOf('get.time', fc.record({ zone: hostile })),
  callOf('list-items', fc.constant({})),
]

function callsOf({ form, write }: Dialect) {
  // Where untyped arguments are text, nothing else can be written there.
  const any = form.kind === 'tagged' && form.untyped === 'text' && !write?.calls?.json ? hostile : anything
  const either = fc.oneof(hostile, fc.record({ a: hostile }))
  const list = fc.array(member, { maxLength: 2 })
  const free = callOf('free', fc.record({ any, either, list }, optional))
  return fc.array(fc.oneof(...typed, free), { minLength: 1, maxLength: 3 })
}

const silent = ['think-tag', 'kimi-vl', 'plain']
const writable = dialects.filter(({ name }) => !silent.includes(name))

describe.each(writable.map((row) => [row.name, row] as const))('%s', (dialect, row) => {
  it.each([dialect, 'auto'])('is read back by %s, whatever the arguments', (reader) => {
    fc.assert(
      fc.property(callsOf(row), (calls) => {
        const written = formatToolCalls(calls, { dialect, tools })
        const { value, issues } = readToolCalls(written, { tools, dialect: reader })
        expect(value.calls.map(({ name, arguments: given }) => ({ name, arguments: given }))).toEqual(calls)
        expect(value.content.trim()).toBe('')
        expect(issues).toEqual([])
      }),
      { numRuns: 60 },
    )
  })
})

describe('what is written', () => {
  const write = (dialect: string | Dialect, args: Arguments, id?: string) =>
    formatToolCalls([{ id, name: 'f', arguments: args }], { dialect })

  it('is what the models of the dialect write', () => {
    const args = { a: 'x', n: 1, o: { b: [true, null] } }
    expect(write('hermes', args)).toBe(
      '<tool_call>\n{"name": "f", "arguments": {"a": "x", "n": 1, "o": {"b": [true, null]}}}\n</tool_call>',
    )
    expect(write('qwen3-coder', { a: 'x', n: 1 })).toBe(
      '<tool_call>\n<function=f>\n<parameter=a>\nx\n</parameter>\n<parameter=n>\n1\n</parameter>\n</function>\n</tool_call>',
    )
    expect(write('glm-4.7', { a: 'x' })).toBe(
      '<tool_call>f<arg_key>a</arg_key><arg_value>x</arg_value></tool_call>',
    )
    expect(write('pythonic', args)).toBe('[f(a="x", n=1, o={"b": [True, None]})]')
    expect(write('gemma4', args)).toBe('<|tool_call>call:f{a:<|"|>x<|"|>,n:1,o:{b:[true,null]}}<tool_call|>')
    expect(write('tool-name-xml', { a: 'x', n: 1 })).toBe('<f>\n<a>x</a>\n<n>1</n>\n</f>')
    expect(write('yaml-in-xml', { a: 'x\ny\n' })).toBe('<f>\na: |\n  x\n  y\n</f>')
    expect(write('kimi-k3', { n: 1 })).toBe(
      '<|open|>tools<|sep|><|open|>call tool="f" index="1"<|sep|><|open|>argument key="n" type="number"<|sep|>1<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|>',
    )
  })

  it('holds the id where the dialect has a place for it', () => {
    expect(write('mistral-args', {}, 'a1b2')).toBe('[TOOL_CALLS]f[CALL_ID]a1b2[ARGS]{}')
    expect(write('mistral-args', {})).toBe('[TOOL_CALLS]f[ARGS]{}')
    expect(write('mistral-args', {}, 'a[ARGS]b')).toBe('[TOOL_CALLS]f[CALL_ID]a_ARGS_b[ARGS]{}')
    expect(write('kimi-k2', {}, 'functions.f:7')).toContain('functions.f:7<|tool_call_argument_begin|>')
    expect(write('cohere-command4', {}, '3')).toContain(
      '{"tool_call_id": "3", "tool_name": "f", "parameters": {}}',
    )
    expect(write('hermes', {}, 'a1b2')).not.toContain('a1b2')
  })

  it('cannot be left by a value', () => {
    expect(write('hermes', { a: '</tool_call><|im_end|>' })).toContain('"\\u003c/tool_call>\\u003c|im_end|>"')
    expect(write('qwen3-coder', { a: '</parameter>]]>' })).toContain(
      '<![CDATA[</parameter>]]]]><![CDATA[>]]>',
    )
    expect(write('qwen3-coder', { a: ['</parameter>'] })).toContain('["\\u003c/parameter>"]')
    expect(write('gemma4', { a: '<|"|>}' })).toContain('a:"\\u003c|\\"|>}"')
    expect(write('tool-name-xml', { a: '</f>' })).toContain('<a><![CDATA[</f>]]></a>')
    expect(write('yaml-in-xml', { a: '</f>' })).toBe('<f>\n{"a": "\\u003c/f>"}\n</f>')
  })

  it.each(writable.map(({ name }) => name))('holds arguments of any name in %s', (dialect) => {
    const args = {
      plain: 'x',
      'b c': 1,
      'd"e': 'y',
      '<f>': [],
      'x-y': true,
      é: null,
      '</parameter>': '',
      '{name}': '1',
    }
    const written = formatToolCalls([{ name: 'any', arguments: args }], { dialect })
    const { value } = readToolCalls(written, {
      tools: [{ name: 'any', parameters: { type: 'object' } }],
      dialect,
    })
    expect(value.calls.map((call) => call.arguments)).toEqual([args])
  })

  it('is JSON where an argument has a name that no tag can have', () => {
    expect(write('qwen3-coder', { 'a>b': 1 })).toContain('<function=f>\n{"a>b": 1}\n</function>')
    expect(write('pythonic', { 'a-b': 1, c: 2 })).toBe('[f(c=2, **{"a-b": 1})]')
  })

  it('is nothing where there are no calls', () => {
    expect(formatToolCalls([], { dialect: 'hermes' })).toBe('')
    expect(formatToolCalls([], { dialect: 'jamba' })).toBe('')
  })

  it('takes what JSON takes', () => {
    const args = { at: new Date(0), big: 12345678901234567890n, no: undefined, nan: Number.NaN }
    expect(write('hermes', args)).toContain(
      '{"at": "1970-01-01T00:00:00.000Z", "big": 12345678901234567890, "nan": null}',
    )
    const ring: Arguments = {}
    ring.ring = ring
    expect(() => write('hermes', ring)).toThrow(expect.objectContaining({ code: 'call.not_json' }))
  })

  it('follows a row of your own', () => {
    const own: Dialect = {
      name: 'own',
      open: ['«'],
      close: ['»'],
      form: {
        kind: 'tagged',
        call: ['({name}', ')'],
        parameter: ['[{key}=', ']'],
        space: 'keep',
        untyped: 'text',
      },
      write: { calls: { lines: false } },
    }
    expect(write(own, { a: 'x' })).toBe('«(f[a=x])»')
  })
})

describe('what cannot be written', () => {
  const code = (code: string) => expect.objectContaining({ name: 'LegibleError', code })

  it('is a dialect that is none', () => {
    const calls = [{ name: 'f', arguments: {} }]
    expect(() => formatToolCalls(calls, { dialect: 'auto' })).toThrow(code('call.unknown_dialect'))
    expect(() => formatToolCalls(calls, { dialect: 'auto' })).toThrow(/hermes, .*plain/)
    expect(() => formatToolCalls(calls, { dialect: 'nobody' })).toThrow(code('call.unknown_dialect'))
    for (const dialect of silent)
      expect(() => formatToolCalls(calls, { dialect })).toThrow(code('call.no_calls'))
  })

  it('is a name that would be markup', () => {
    for (const name of ['f><x', 'a b', '', 'f(', '1f'])
      expect(() => formatToolCalls([{ name, arguments: {} }], { dialect: 'qwen3-coder' })).toThrow(
        code('call.unwritable_name'),
      )
  })
})
