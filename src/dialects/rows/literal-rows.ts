import type { Dialect } from '../dialect.ts'
import { think } from './json-rows.ts'

/** Calls as the literals of a programming language. */
export const literalRows: readonly Dialect[] = [
  {
    name: 'lfm2',
    open: ['<|tool_call_start|>'],
    spaceBefore: true,
    close: ['<|tool_call_end|>'],
    form: { kind: 'pythonic' },
    reasoning: think,
    tokens: ['<|im_end|>'],
    write: {
      results: {
        each: '<|im_start|>tool\n<|tool_response_start|>{content}<|tool_response_end|><|im_end|>',
      },
      tools: { each: '{tool}', between: ', ', all: '<|tool_list_start|>[{all}]<|tool_list_end|>' },
    },
  },
  {
    name: 'pythonic',
    open: ['<|python_start|>'],
    close: ['<|python_end|>'],
    form: { kind: 'pythonic' },
    bare: ['pythonic'],
    write: { calls: { all: '[{all}]' } },
  },
  {
    name: 'llama4-pythonic',
    open: ['<|python_start|>'],
    close: ['<|python_end|>'],
    form: { kind: 'pythonic' },
    bare: ['pythonic'],
    tokens: ['<|eom|>', '<|eot|>'],
    write: {
      calls: { all: '[{all}]' },
      results: { each: '<|header_start|>ipython<|header_end|>\n\n{content}<|eot|>', between: '' },
    },
  },
  {
    name: 'olmo3-pythonic',
    open: ['<function_calls>'],
    close: ['</function_calls>'],
    form: { kind: 'pythonic', lines: true },
    reasoning: think,
    write: {
      results: { each: '<|im_start|>environment\n{content}<|im_end|>' },
      tools: { each: '{tool}', between: ', ', all: '<functions>[{all}]</functions>' },
    },
  },
  {
    name: 'gemma4',
    open: ['<|tool_call>'],
    close: ['<tool_call|>'],
    form: { kind: 'brace', quote: '<|"|>' },
    reasoning: [
      ['<|channel>thought\n', '<channel|>'],
      ['<|channel>', '<channel|>'],
    ],
    reasoningHead: 'thought\n',
    tokens: ['<turn|>', '<|turn>'],
    write: {
      calls: { between: '' },
      results: { each: '<|tool_response>response:{name}{value:{quoted}}<tool_response|>', between: '' },
      tools: { each: '<|tool>declaration:{name}{braces}<tool|>', between: '', all: '{all}' },
    },
  },
  {
    name: 'functiongemma',
    open: ['<start_function_call>'],
    close: ['<end_function_call>'],
    form: { kind: 'brace', quote: '<escape>' },
    tokens: ['<end_of_turn>', '<start_function_response>'],
    write: {
      calls: { between: '' },
      results: {
        each: '<start_function_response>response:{name}{value:{quoted}}<end_function_response>',
        between: '',
      },
      tools: {
        each: '<start_function_declaration>declaration:{name}{braces}<end_function_declaration>',
        between: '',
        all: '{all}',
      },
      marks: ['<start_of_turn>'],
    },
  },
]

/** Reasoning and no calls. */
export const plainRows: readonly Dialect[] = [
  { name: 'think-tag', form: { kind: 'json' }, reasoning: think },
  { name: 'kimi-vl', form: { kind: 'json' }, reasoning: [['◁think▷', '◁/think▷']] },
  { name: 'plain', form: { kind: 'json' } },
]
