import type { CallLayout, Dialect, TaggedForm, Writing } from '../dialect.ts'
import { think } from './json-rows.ts'

/** `<function=f><parameter=k>v</parameter></function>` */
const equals: TaggedForm = {
  kind: 'tagged',
  call: ['<function={name}>', '</function>'],
  parameter: ['<parameter={key}>', '</parameter>'],
  also: {
    calls: [
      ['<call={name}>', '</call>'],
      ['<tool={name}>', '</tool>'],
      ['<function>{name}</function>', '</function>'],
      ['<name>{name}</name>', ''],
    ],
    parameters: [['<parameter>{key}</parameter>', '']],
  },
  space: 'line',
  untyped: 'text',
}

/** `f<arg_key>k</arg_key><arg_value>v</arg_value>` */
const pairs: TaggedForm = {
  kind: 'tagged',
  parameter: ['<arg_key>{key}</arg_key>\n<arg_value>', '</arg_value>'],
  space: 'keep',
  untyped: 'json',
}

const pairsInLine: CallLayout = {
  lines: false,
  argument: ['<arg_key>{key}</arg_key><arg_value>', '</arg_value>'],
}

/** `<invoke name="f"><parameter name="k">v</parameter></invoke>`, with other words and prefixes. */
function attributes(
  invoke: string,
  parameter: string,
  more: Partial<TaggedForm> = {},
  bracket = '<',
): TaggedForm {
  return {
    kind: 'tagged',
    call: [`${bracket}${invoke} name="{name}"{attributes}>`, `</${bracket.slice(1)}${invoke}>`],
    parameter: [`${bracket}${parameter} name="{key}"{attributes}>`, `</${bracket.slice(1)}${parameter}>`],
    space: 'keep',
    untyped: 'json',
    ...more,
  }
}

const dsml = attributes(
  'invoke',
  'parameter',
  { attributes: { text: ' string="true"', json: ' string="false"' } },
  '<｜DSML｜',
)

const minimax = ']<]minimax[>['

const minimaxPrompt: Writing = {
  results: { each: '<response>{content}</response>', all: ']~b]tool\n{all}[e~[' },
  tools: { each: '<tool>{tool}</tool>' },
  marks: [']~b]', '[e~[', ']~!b['],
}

/** Every argument in a tag of its own. */
export const taggedRows: readonly Dialect[] = [
  {
    name: 'qwen3-coder',
    open: ['<tool_call>\n', '<tool_call>'],
    spaceBefore: true,
    close: ['\n</tool_call>', '</tool_call>'],
    form: equals,
    reasoning: think,
  },
  {
    name: 'step3.5',
    open: ['<tool_call>\n', '<tool_call>'],
    spaceBefore: true,
    close: ['\n</tool_call>', '</tool_call>'],
    form: equals,
    reasoning: think,
    write: { results: { each: '<tool_response>{content}</tool_response>' } },
  },
  {
    name: 'k-exaone-2',
    open: ['<tool_call>\n', '<tool_call>'],
    spaceBefore: true,
    close: ['\n</tool_call>', '</tool_call>'],
    form: equals,
    reasoning: think,
  },
  {
    name: 'seed-oss',
    open: ['<seed:tool_call>\n', '<seed:tool_call>'],
    close: ['\n</seed:tool_call>', '</seed:tool_call>'],
    form: equals,
    reasoning: [['<seed:think>', '</seed:think>']],
    write: { results: { each: '<seed:bos>tool\n{content}<seed:eos>' } },
  },
  {
    name: 'glm-4.5',
    open: ['<tool_call>'],
    spaceBefore: true,
    close: ['\n</tool_call>', '</tool_call>'],
    form: pairs,
    reasoning: think,
    write: { results: { all: '<|observation|>\n{all}' } },
  },
  {
    name: 'glm-4.7',
    open: ['<tool_call>'],
    spaceBefore: true,
    close: ['</tool_call>'],
    form: pairs,
    reasoning: think,
    write: {
      calls: { ...pairsInLine, between: '' },
      results: { each: '<tool_response>{content}</tool_response>', between: '', all: '<|observation|>{all}' },
    },
  },
  {
    name: 'poolside-v1',
    open: ['<tool_call>'],
    spaceBefore: true,
    close: ['</tool_call>'],
    form: pairs,
    reasoning: think,
    write: {
      calls: { each: '<tool_call>{call}\n</tool_call>' },
      results: { each: '<tool_response>{content}</tool_response>' },
    },
  },
  {
    name: 'hunyuan-v3',
    open: ['<tool_calls>', '<tool_call>', '<tool_call:', '<tool_calls:'],
    close: ['</tool_call>', '</tool_calls>', '</tool_call:', '</tool_calls:'],
    form: pairs,
    separators: ['<tool_sep>'],
    reasoning: think,
    write: {
      calls: { each: '<tool_call>{call}\n</tool_call>', all: '<tool_calls>\n{all}\n</tool_calls>' },
      results: { all: '<tool_responses>\n{all}\n</tool_responses>' },
    },
  },
  {
    name: 'minimax-m2',
    open: ['<minimax:tool_call>\n', '<minimax:tool_call>'],
    close: ['\n</minimax:tool_call>', '</minimax:tool_call>'],
    form: attributes('invoke', 'parameter'),
    reasoning: think,
    write: {
      calls: { all: '<minimax:tool_call>\n{all}\n</minimax:tool_call>' },
      ...minimaxPrompt,
    },
  },
  {
    name: 'dots-xml',
    open: ['<dots_function_call>'],
    close: ['</dots_function_call>'],
    form: attributes('invoke', 'parameter'),
    reasoning: think,
    write: { calls: { all: '<dots_function_call>\n{all}\n</dots_function_call>' } },
  },
  {
    name: 'claude-xml',
    open: ['<function_calls>\n', '<function_calls>'],
    close: ['\n</function_calls>', '</function_calls>'],
    form: attributes('invoke', 'parameter'),
    reasoning: [['<thinking>', '</thinking>']],
    write: {
      calls: { all: '<function_calls>\n{all}\n</function_calls>' },
      results: {
        each: '<result>\n<tool_name>{name}</tool_name>\n<stdout>{content}</stdout>\n</result>',
        all: '<function_results>\n{all}\n</function_results>',
      },
      tools: { each: '<function>{tool}</function>', all: '<functions>\n{all}\n</functions>' },
    },
  },
  {
    name: 'deepseek-dsml-v3.2',
    open: ['<｜DSML｜function_calls>\n', '<｜DSML｜function_calls>'],
    close: ['\n</｜DSML｜function_calls>', '</｜DSML｜function_calls>'],
    form: dsml,
    reasoning: think,
    tokens: ['<｜end▁of▁sentence｜>'],
    write: {
      calls: { all: '<｜DSML｜function_calls>\n{all}\n</｜DSML｜function_calls>' },
      results: { each: '<result>{content}</result>', all: '<function_results>\n{all}\n</function_results>' },
      tools: { each: '{tool}' },
    },
  },
  {
    name: 'deepseek-dsml-v4',
    open: ['<｜DSML｜tool_calls>\n', '<｜DSML｜tool_calls>'],
    close: ['\n</｜DSML｜tool_calls>', '</｜DSML｜tool_calls>'],
    form: dsml,
    reasoning: think,
    tokens: ['<｜end▁of▁sentence｜>'],
    write: {
      calls: { all: '<｜DSML｜tool_calls>\n{all}\n</｜DSML｜tool_calls>' },
      results: { each: '<tool_result>{content}</tool_result>' },
      tools: { each: '{tool}' },
    },
  },
  {
    name: 'step3',
    open: ['<｜tool_calls_begin｜>', '<｜tool_call_begin｜>', 'function<｜tool_sep｜>', '<｜tool_sep｜>'],
    close: ['<｜tool_call_end｜>', '<｜tool_calls_end｜>'],
    form: attributes('invoke', 'parameter', {}, '<steptml:'),
    reasoning: think,
    write: {
      calls: {
        lines: false,
        each: '<｜tool_call_begin｜>function<｜tool_sep｜>{call}<｜tool_call_end｜>',
        between: '',
        all: '<｜tool_calls_begin｜>{all}<｜tool_calls_end｜>',
      },
      results: {
        each: '<｜tool_output_begin｜>{content}<｜tool_output_end｜>',
        between: '',
        all: '<｜tool_outputs_begin｜>{all}<｜tool_outputs_end｜>',
      },
    },
  },
  {
    name: 'muse-glimmer',
    open: ['<atem:function_calls>\n', '<atem:function_calls>'],
    close: ['\n</atem:function_calls>', '</atem:function_calls>'],
    form: attributes('invoke', 'parameter', {}, '<atem:'),
    headers: {
      start: '<|start|>',
      message: '<|message|>',
      end: ['<|eom|>', '<|eot|>', '<|start|>'],
      reasoning: ['self'],
      answer: ['user', 'assistant'],
    },
    write: {
      calls: {
        each: '<|start|>assistant to={name}<|message|><atem:function_calls>\n{call}\n</atem:function_calls><|eom|>',
        between: '',
      },
      results: { each: '<|start|>{name} to=assistant<|message|>{content}<|eom|>', between: '' },
    },
  },
  {
    name: 'minicpm5-xml',
    form: {
      kind: 'tagged',
      call: ['<function name="{name}">', '</function>'],
      parameter: ['<param name="{key}">', '</param>'],
      space: 'keep',
      untyped: 'json',
    },
    reasoning: think,
    write: { calls: { lines: false } },
  },
  {
    name: 'kimi-k3',
    open: ['<|open|>tools<|sep|>'],
    close: ['<|close|>tools<|sep|>'],
    form: {
      kind: 'tagged',
      call: ['<|open|>call tool="{name}"{attributes}<|sep|>', '<|close|>call<|sep|>'],
      parameter: ['<|open|>argument key="{key}"{attributes}<|sep|>', '<|close|>argument<|sep|>'],
      space: 'keep',
      untyped: 'json',
      attributes: { text: ' type="string"', json: ' type="{type}"' },
    },
    reasoning: [['<|open|>think<|sep|>', '<|close|>think<|sep|>']],
    answer: [['<|open|>response<|sep|>', '<|close|>response<|sep|>']],
    tokens: ['<|open|>message<|sep|>', '<|close|>message<|sep|>'],
    write: {
      calls: {
        lines: false,
        attributes: ' index="{number}"',
        between: '',
        all: '<|open|>tools<|sep|>{all}<|close|>tools<|sep|>',
      },
      results: {
        each: '<|open|>message role="tool" tool="{name}" index="{number}"<|sep|>{content}<|close|>message<|sep|><|end_of_msg|>',
        between: '',
      },
      tools: { between: ', ', all: '```json\n[{all}]\n```' },
    },
  },
  {
    name: 'minimax-m3',
    open: [`${minimax}<tool_call>\n`, `${minimax}<tool_call>`],
    close: [`\n${minimax}</tool_call>`, `${minimax}</tool_call>`],
    form: {
      kind: 'tagged',
      call: [`${minimax}<invoke name="{name}">`, `${minimax}</invoke>`],
      parameter: [`${minimax}<{key}>`, `${minimax}</{key}>`],
      prefix: minimax,
      space: 'keep',
      untyped: 'json',
    },
    reasoning: [['<mm:think>', '</mm:think>']],
    write: {
      calls: { lines: false, all: `${minimax}<tool_call>\n{all}\n${minimax}</tool_call>` },
      ...minimaxPrompt,
    },
  },
  {
    name: 'tool-name-xml',
    form: { kind: 'tool-tag' },
    reasoning: [...think, ['<thinking>', '</thinking>']],
  },
  { name: 'yaml-in-xml', form: { kind: 'tool-tag', yaml: true }, reasoning: think },
]
