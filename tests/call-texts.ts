// Made-up texts with calls in them, whole and broken, for what must hold for every text.
import fc from 'fast-check'
import { dialects } from '../src/dialects/dialects.ts'
import type { DeclaredTool } from '../src/tool/declared-tools.ts'

export const callTools: readonly DeclaredTool[] = [
  {
    name: 'look_up',
    parameters: {
      type: 'object',
      properties: {
        word: { type: 'string' },
        count: { type: 'integer' },
        exact: { type: 'boolean' },
        tags: { type: 'array', items: { type: 'string' } },
        where: { type: 'object', properties: { shelf: { type: 'string' } } },
      },
    },
  },
  {
    name: 'ring',
    parameters: { type: 'object', properties: { bell: { type: 'string' } }, required: ['bell'] },
  },
  { name: 'stop' },
]

const filled = (mark: string) =>
  mark.replaceAll('{name}', 'look_up').replaceAll('{key}', 'word').replaceAll('{attributes}', '')

/** Every mark of every row, and those that no row lists because they hold for all. */
const marks: readonly string[] = [
  ...new Set([
    ...dialects.flatMap(({ open, close, separators, tokens, reasoning, answer, headers, form }) => [
      ...[open, close, separators, tokens].flatMap((list) => list ?? []),
      ...[...(reasoning ?? []), ...(answer ?? [])].flat(),
      ...(headers ? [headers.start, headers.message, ...headers.end] : []),
      ...(form.kind === 'tagged'
        ? [form.call, form.parameter, ...(form.also?.calls ?? []), ...(form.also?.parameters ?? [])]
            .flatMap((pair) => pair ?? [])
            .map(filled)
        : []),
      ...(form.kind === 'brace' ? [form.quote] : []),
    ]),
    ...['```', '```json\n', '```xml\n', '\n```\n', '`', '<think>', '</think>', '<thinking>', '</thinking>'],
    ...['<|channel|>', 'analysis', 'commentary', 'final', 'assistant', ' to=', ' to=functions.look_up'],
    ...[
      '<look_up>',
      '</look_up>',
      '<look_up/>',
      '<ring>',
      '</ring>',
      '<word>',
      '</word>',
      '<bell>',
      '</bell>',
    ],
    ...[
      '<stop/>',
      '<stop>',
      '< stop >',
      '<tool_call:x>',
      '</tool_call:x>',
      '<![CDATA[',
      ']]>',
      'function=',
      '\\n',
    ],
  ]),
].filter((mark) => mark !== '')

const json = [
  '{"name": "look_up", "arguments": {"word": "a b", "count": 2}}',
  '{"name": "ring", "parameters": {"bell": "it\'s </tool_call> in a string"}}',
  '{"arguments": {"bell": "x"}, "name": "ring"}',
  '[{"name": "stop", "arguments": {}}, {"name": "ring", "arguments": {"bell": "y"}}]',
  '{"tool_calls": [{"id": "a1", "type": "function", "function": {"name": "stop", "arguments": "{}"}}]}',
  '[{"look_up": {"word": "a"}}]',
  '{"word": "a", "tags": ["b", "c"], "where": {"shelf": "d"}}',
  '{"bell": "🔔"}',
  '{"answer": 42}',
  '{"name": "stop", "arguments": {}, "id": "b2"}',
  '{"id": 7, "tool_name": "ring", "name": "stop", "name": "look_up", "parameters": {}}',
  '{"name": "stop", "function": {"name": "ring", "arguments": {"bell": "z"}}}',
  '[{"function": {"name": "ring"}}, {"name": "stop"}, 3, {"name": 5, "tool_name": "ring"}]',
  '{"name": "',
  '{"name": "stop", "arguments": {',
  ...['{', '}', '[', ']', '"', ',', ':', '{}', '[]', '[1]', '\\"', '\\'],
]

const wholes = [
  '<tool_call>\n{"name": "look_up", "arguments": {"word": "x"}}\n</tool_call>',
  '<tool_call>\n<function=look_up>\n<parameter=word>\nx\n</parameter>\n<parameter=count>\n3\n</parameter>\n</function>\n</tool_call>',
  '<tool_call>look_up\n<arg_key>word</arg_key>\n<arg_value>x</arg_value>\n</tool_call>',
  '<invoke name="ring"><parameter name="bell">x</parameter></invoke>',
  '<function name="ring"><param name="bell"><![CDATA[<x>]]></param></function>',
  '<｜DSML｜invoke name="ring"><｜DSML｜parameter name="bell" string="true">x</｜DSML｜parameter></｜DSML｜invoke>',
  '<ring><bell>x</bell></ring>',
  '<ring>\nbell: x\n</ring>',
  "[look_up(word='a', count=1), stop()]",
  'call:look_up{word:<|"|>x<|"|>,count:1}',
  '[TOOL_CALLS]ring[CALL_ID]abc123xyz[ARGS]{"bell": "x"}',
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.ring:0<|tool_call_argument_begin|>{"bell": "x"}<|tool_call_end|><|tool_calls_section_end|>',
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>ring\n```json\n{"bell": "x"}\n```<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  '<|start|>assistant<|channel|>commentary to=functions.ring <|constrain|>json<|message|>{"bell": "x"}<|call|>',
  '<|channel|>analysis<|message|>hm<|end|>',
  '>>>ring\n{"bell": "x"}',
  'ring\n{"bell": "x"}',
  'look_up(word="a")',
]

const prose = [
  ...[
    'Let me see.',
    'call',
    'look_up',
    'ring',
    'stop',
    'the ',
    'word',
    "it's",
    'a < b',
    'a > b',
    '1, 2',
    'x',
  ],
  ...[
    ' ',
    '\n',
    '\n\n',
    '\r\n',
    '\t',
    '  ',
    '\u00a0',
    'é',
    '🔔',
    '\ud83d',
    '｜',
    '▁',
    '日本',
    '\u2028',
    '\u0000',
  ],
]

const piece = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...marks) },
  { weight: 3, arbitrary: fc.constantFrom(...json) },
  { weight: 3, arbitrary: fc.constantFrom(...wholes) },
  { weight: 4, arbitrary: fc.constantFrom(...prose) },
  { weight: 1, arbitrary: fc.string({ maxLength: 6 }) },
)

/** A piece as it is, cut on either side, or within a string. */
const broken = fc.oneof(
  { weight: 6, arbitrary: piece },
  {
    weight: 2,
    arbitrary: fc
      .tuple(piece, fc.nat(60), fc.nat(8))
      .map(([text, end, start]) => text.slice(start % 3 === 0 ? start : 0, end)),
  },
  { weight: 1, arbitrary: piece.map((text) => JSON.stringify(text)) },
  {
    weight: 1,
    arbitrary: piece.map((text) => `{"name": "ring", "arguments": {"bell": ${JSON.stringify(text)}}}`),
  },
  { weight: 1, arbitrary: piece.map((text) => `<tool_call>${text}</tool_call>`) },
  {
    weight: 1,
    arbitrary: piece.map((text) => `<function=ring><parameter=bell>${text}</parameter></function>`),
  },
)

export const mixedText: fc.Arbitrary<string> = fc
  .array(broken, { maxLength: 14 })
  .map((pieces) => pieces.join(''))
