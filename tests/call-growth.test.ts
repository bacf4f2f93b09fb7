// Reading calls takes time that grows no faster than the text, whatever it says and however it is cut. Counted is work,
// not seconds: `steps` are characters that were moved over, those that were read again included.
import { describe, expect, it } from 'vitest'
import { dialects } from '../src/dialects/dialects.ts'
import { createToolCallReader, type ToolCallReaderOptions } from '../src/tool/create-tool-call-reader.ts'
import { callTools } from './call-texts.ts'

/** `part` over and over, `size` characters of it. */
const over = (part: string) => (size: number) => part.repeat(Math.ceil(size / part.length)).slice(0, size)
const behind = (start: string, part: string) => (size: number) => start + over(part)(size)
const within = (start: string, part: string, end: string) => (size: number) => start + over(part)(size) + end

const families: Readonly<Record<string, (size: number) => string>> = {
  // clean
  prose: over('Let me see what there is. '),
  'many calls': over('<tool_call>\n{"name": "ring", "arguments": {"bell": "x"}}\n</tool_call>\n'),
  'many calls in one list': within(
    '<TOOLCALL>[',
    '{"name": "ring", "arguments": {"bell": "x"}},',
    ']</TOOLCALL>',
  ),
  'many calls in tags': over(
    '<tool_call><function=ring><parameter=bell>x</parameter></function></tool_call>',
  ),
  'many calls in Python': within('[', 'ring(bell="x"), ', ']'),
  'a long value': within('<tool_call>{"name": "ring", "arguments": {"bell": "', 'lorem ', '"}}</tool_call>'),
  'a long value in a tag': within('<function=ring><parameter=bell>', 'lorem ', '</parameter></function>'),
  'a long value in braces': within('<|tool_call>call:ring{bell:<|"|>', 'lorem ', '<|"|>}<tool_call|>'),
  'a long value in Python': within('[ring(bell="', 'lorem ', '")]'),
  'a long value in the tag of a tool': within('<ring><bell>', 'lorem ', '</bell></ring>'),
  'a long thought': within('<think>', 'lorem ', '</think>'),
  // marks that nothing closes
  'places for calls': over('<tool_call>'),
  'places for calls with a brace': over('<tool_call>{"'),
  'places for calls with a name': over('<tool_call>{"name": "ring", '),
  'tags of calls': over('<function=ring>'),
  'tags of arguments': over('<function=f><parameter=a>'),
  'arguments without an end': behind('<function=look_up>', '<parameter=word>x'),
  'ends of arguments': behind('<function=ring><parameter=bell>', '</parameter>'),
  'ends of arguments with text': behind('<function=ring><parameter=bell>', '</parameter> x '),
  'ends of calls in an argument': behind('<function=ring><parameter=bell>', '</function> x '),
  'ends of calls in a string': behind('<tool_call>{"name": "ring", "arguments": {"bell": "', '</tool_call> '),
  'calls whose strings have no end': over('<tool_call>{"name": "ring", "arguments": {"bell": "</tool_call> '),
  'calls whose arguments have no end': over('<function=ring><parameter=bell></function> x '),
  'junk in a call': behind('<function=ring>', 'oops '),
  'brackets in a call': behind('<function=ring>', '< > '),
  'tags of tools': over('<ring>'),
  'tags of tools with arguments': over('<ring><bell>'),
  'tags of tools with text': over('<ring>x'),
  'names of tools': over('ring\n'),
  'names of tools with braces': over('ring\n{'),
  CDATA: behind('<ring><bell>', '<![CDATA['),
  'comments in the tag of a tool': behind('<save>', '<!--'),
  'tags within an argument': behind('<ring><bell>', '<a>'),
  'tags within an object': behind('<look_up><where>', '<a>'),
  'fields in the tag of a tool': behind('<look_up>', '<word>x</word>'),
  entities: behind('<ring><bell>', '&lt;'),
  pairs: over('<tool_call>f<arg_key>a</arg_key><arg_value>'),
  DSML: over('<｜DSML｜invoke name="ring"><｜DSML｜parameter name="bell">'),
  thoughts: over('<think>'),
  'ends of thoughts': over('</think>'),
  'thoughts with calls': over('<think><function=ring>'),
  'thoughts with calls that end': over('<think><tool_call>{</think>'),
  tokens: over('<|eot_id|>'),
  separators: over('[TOOL_CALLS]f[ARGS]'),
  sections: over('<|tool_calls_section_begin|><|tool_call_begin|>'),
  // headers
  headers: over('<|start|>assistant to=functions.ring<|message|>'),
  'headers without an end': over('<|start|>assistant'),
  recipients: over(' to=functions.ring '),
  'recipients in a header': behind('<|start|>', ' to=functions.ring '),
  channels: over('<|channel|>analysis'),
  messages: over('<|channel|>final<|message|>x'),
  // brackets, quotes, fences
  braces: over('{'),
  brackets: over('['),
  'braces and brackets': over('[{'),
  'braces with a name': over('{"name": '),
  'objects with a name': over('{"name": "ring"} '),
  'calls without an end': over('{"name": "ring", "arguments": {"bell": "x" '),
  'nested objects': within('<tool_call>{"name": "look_up", "arguments": ', '{"a": ', '</tool_call>'),
  'lists of calls': over('[f('),
  'lists of calls with names': over('[ring('),
  'lists of calls with strings': over('[ring(bell="'),
  'strings in a call': behind('[ring(bell="', '" x '),
  'apostrophes in a call': behind("[ring(bell='", "it's "),
  'nested calls': behind('[ring(bell=', '['),
  'quotes of a kind': behind('<|tool_call>call:ring{bell:', '<|"|>'),
  fences: over('```'),
  'fences with a line': over('```json\n'),
  'fences with braces': over('```json\n{"name": "'),
  'fences with calls': over('```\n<tool_call>{"name": "ring", "arguments": {}}</tool_call>\n```\n'),
  backticks: over('`<tool_call>` '),
  // lengths
  spaces: over(' '),
  'spaces behind a mark': behind('<tool_call>', ' '),
  'spaces behind a call': behind('<tool_call>{"name": "ring", "arguments": {}}', ' '),
  'spaces in a tag': behind('<function=ring>', ' '),
  'spaces behind an argument': behind('<function=ring><parameter=bell>x</parameter>', ' '),
  'spaces behind a header': behind('<|start|>assistant to=ring<|message|>', ' '),
  'spaces behind a fence': behind('```json\n', ' '),
  'spaces behind text': behind('x', ' '),
  'written line breaks': behind('<function=ring>', '\\n'),
  'commas behind a call': behind('<tool_call>{"name": "ring", "arguments": {}}', ', '),
  'a long name': behind('<tool_call>', 'n'),
  'a long name in a tag': behind('<function=', 'n'),
  'a long name in a list': behind('[', 'n'),
  'a long name in a string': behind('<tool_call>{"name": "', 'n'),
  'a long id': behind('[TOOL_CALLS]f[CALL_ID]', '1'),
  'a long suffix': behind('<tool_call:', 'x'),
  'less than': over('<'),
  'halves of marks': over('<tool_cal'),
  'halves of tokens': over('<|'),
}

const named = Object.fromEntries(
  dialects
    .filter(({ open }) => open !== undefined)
    .map(({ name, open = [] }) => [name, over(`${open[0]}x`)] as const),
)

function steps(text: string, chunk: number, options: ToolCallReaderOptions): number {
  const reader = createToolCallReader(options) as ReturnType<typeof createToolCallReader> & { steps: number }
  for (let at = 0; at < text.length; at += chunk) reader.push(text.slice(at, at + chunk))
  reader.end()
  return reader.steps
}

const SIZE = 2048
const sizes = [1, 4, Number.POSITIVE_INFINITY]

function grows(family: (size: number) => string, chunk: number, options: ToolCallReaderOptions): void {
  const [short, long] = [family(SIZE), family(8 * SIZE)]
  const [few, many] = [steps(short, chunk, options), steps(long, chunk, options)]
  // Linear is 8, quadratic 64; how often text is read again may differ a little.
  expect(many / few).toBeLessThan(12)
  // Reading again included: see REREADS in call-states.ts.
  expect(many / long.length).toBeLessThan(8)
}

describe.each(Object.entries(families))('%s', (_, family) => {
  it.each(sizes)('in chunks of %d', (chunk) => {
    for (const reasoning of ['auto', 'open'] as const)
      for (const tools of [undefined, callTools]) grows(family, chunk, { reasoning, tools })
  })
})

describe('marks of a dialect, over and over', () => {
  it.each(Object.entries(named))('%s', (dialect, family) => {
    grows(family, 4, { dialect })
    grows(family, 4, {})
  })
})
