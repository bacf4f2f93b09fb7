import type { Dialect } from '../dialect.ts'
import { think } from './json-rows.ts'

/** The name, then the arguments as JSON. */
export const namedRows: readonly Dialect[] = [
  {
    name: 'mistral-args',
    open: ['[TOOL_CALLS]'],
    spaceBefore: true,
    form: { kind: 'named', write: '{name}[CALL_ID]{id}[ARGS]{arguments}' },
    separators: ['[CALL_ID]', '[ARGS]'],
    reasoning: [['[THINK]', '[/THINK]']],
    tokens: ['</s>'],
    write: {
      calls: { each: '[TOOL_CALLS]{call}' },
      results: { each: '[TOOL_RESULTS]{id}[TOOL_CONTENT]{content}[/TOOL_RESULTS]', between: '' },
      tools: { between: ', ', all: '[AVAILABLE_TOOLS][{all}][/AVAILABLE_TOOLS]' },
      marks: ['[INST]', '[/INST]', '[SYSTEM_PROMPT]', '[/SYSTEM_PROMPT]'],
    },
  },
  {
    name: 'kimi-k2',
    open: ['<|tool_calls_section_begin|>', '<|tool_call_begin|>', '<|tool_call_section_begin|>'],
    close: ['<|tool_call_end|>', '<|tool_calls_section_end|>', '<|tool_call_section_end|>'],
    form: {
      kind: 'named',
      write:
        '<|tool_call_begin|>functions.{name}:{index}<|tool_call_argument_begin|>{arguments}<|tool_call_end|>',
    },
    separators: ['<|tool_call_argument_begin|>'],
    reasoning: think,
    callsWhileReasoning: true,
    tokens: ['<|im_end|>'],
    write: {
      calls: { all: '<|tool_calls_section_begin|>{all}<|tool_calls_section_end|>' },
      results: {
        each: '<|im_system|>{name}<|im_middle|>## Return of functions.{name}:{index}\n{content}<|im_end|>',
        between: '',
      },
    },
  },
  {
    name: 'deepseek-v3',
    open: [
      '<｜tool▁calls▁begin｜>',
      '<｜tool_calls_begin｜>',
      '<｜tool calls begin｜>',
      '<｜tool\\_calls\\_begin｜>',
      '<｜tool▁calls｜>',
      '<｜tool▁call▁begin｜>',
    ],
    close: ['<｜tool▁calls▁end｜>', '<｜tool▁call▁end｜>'],
    form: {
      kind: 'named',
      write:
        '<｜tool▁call▁begin｜>function<｜tool▁sep｜>{name}\n```json\n{arguments}\n```<｜tool▁call▁end｜>',
    },
    separators: ['<｜tool▁sep｜>'],
    reasoning: think,
    tokens: ['<｜end▁of▁sentence｜>'],
    write: {
      calls: { between: '\n', all: '<｜tool▁calls▁begin｜>{all}<｜tool▁calls▁end｜>' },
      results: {
        each: '<｜tool▁output▁begin｜>{content}<｜tool▁output▁end｜>',
        all: '<｜tool▁outputs▁begin｜>{all}<｜tool▁outputs▁end｜>',
      },
    },
  },
  {
    name: 'deepseek-v3.1',
    open: ['<｜tool▁calls▁begin｜>', '<｜tool▁call▁begin｜>'],
    close: ['<｜tool▁calls▁end｜>', '<｜tool▁call▁end｜>'],
    form: {
      kind: 'named',
      write: '<｜tool▁call▁begin｜>{name}<｜tool▁sep｜>{arguments}<｜tool▁call▁end｜>',
    },
    separators: ['<｜tool▁sep｜>'],
    reasoning: think,
    tokens: ['<｜end▁of▁sentence｜>'],
    write: {
      calls: { all: '<｜tool▁calls▁begin｜>{all}<｜tool▁calls▁end｜>' },
      results: { each: '<｜tool▁output▁begin｜>{content}<｜tool▁output▁end｜>', between: '' },
    },
  },
  {
    name: 'functionary-v3.1',
    form: {
      kind: 'tagged',
      call: ['<function={name}>', '</function>'],
      parameter: ['<parameter={key}>', '</parameter>'],
      space: 'line',
      untyped: 'text',
    },
    tokens: ['<|eom_id|>', '<|eot_id|>'],
    write: {
      calls: { json: true, lines: false },
      results: { each: '<|start_header_id|>ipython<|end_header_id|>\n\n{content}<|eot_id|>', between: '' },
    },
  },
  {
    name: 'functionary-v3.2',
    open: ['>>>'],
    form: { kind: 'named', write: '>>>{name}\n{arguments}' },
    bare: ['line'],
    tokens: ['<|eot_id|>'],
    write: {
      results: { each: '<|start_header_id|>tool<|end_header_id|>\n\n{content}<|eot_id|>', between: '' },
    },
  },
  {
    name: 'harmony',
    form: {
      kind: 'named',
      write:
        '<|start|>assistant<|channel|>commentary to=functions.{name} <|constrain|>json<|message|>{arguments}<|call|>',
    },
    headers: {
      start: '<|start|>',
      message: '<|message|>',
      end: ['<|end|>', '<|call|>', '<|return|>', '<|start|>'],
      reasoning: ['analysis'],
      answer: ['final', 'commentary', 'assistant', 'user'],
    },
    tokens: ['<|channel|>', '<|constrain|>'],
    write: {
      results: {
        each: '<|start|>functions.{name} to=assistant<|channel|>commentary<|message|>{content}<|end|>',
        between: '',
      },
    },
  },
]
