import { flat } from '../chunks.ts'
import type { DeclaredTool } from './case.ts'
import type { ProtocolName } from './peer.ts'

export interface CallForm {
  /** The name of the dialect. */
  name: string
  /** The protocol of the peer that reads it, if there is one. */
  protocol: ProtocolName | undefined
  write: (path: string, content: string) => string
}

export const writeFile: DeclaredTool = {
  name: 'write_file',
  description: 'Writes a file.',
  parameters: {
    type: 'object',
    properties: { path: { type: 'string' }, content: { type: 'string' } },
    required: ['path', 'content'],
  },
}

export const forms: CallForm[] = [
  {
    name: 'hermes',
    protocol: 'hermes',
    write: (path, content) =>
      `<tool_call>\n${JSON.stringify({ name: writeFile.name, arguments: { path, content } })}\n</tool_call>`,
  },
  {
    name: 'qwen3-coder',
    protocol: 'qwen3-coder',
    write: (path, content) =>
      `<tool_call>\n<function=${writeFile.name}>\n<parameter=path>\n${path}\n</parameter>\n` +
      `<parameter=content>\n${content}\n</parameter>\n</function>\n</tool_call>`,
  },
  {
    name: 'pythonic',
    protocol: undefined,
    write: (path, content) =>
      `[${writeFile.name}(path=${JSON.stringify(path)}, content=${JSON.stringify(content)})]`,
  },
]

const lines = [
  'export function greet(name: string): string {',
  "  if (name === '') throw new Error('nobody is there')",
  '  const parts = ["Hello", name, `it\'s ` + hours() + ` o\'clock`]',
  '  // "Hello" stands first, a < b && c > d, and \\n is no line end.',
  "  return parts.join(', ') + '!'",
  '}',
  '',
]

/** One call that writes a file of so many kilobytes: code, with line breaks, quotes and backslashes. */
export function callOf(form: CallForm, kilobytes: number): { text: string; args: Record<string, string> } {
  let content = ''
  for (let i = 0; content.length < kilobytes * 1000; i++) content += `${lines[i % lines.length]}\n`
  // No space at the end: some readers take it off, which is a matter of taste.
  const args = { path: 'src/greet.ts', content: content.trimEnd() }
  return { text: flat(form.write(args.path, args.content)), args }
}

/** How many short calls follow each other in other forms: a reader that looks ahead to the end is quadratic in them. */
export const shortCalls: Record<string, string> = {
  hermes: '<tool_call>\n{"name": "write_file", "arguments": {"path": "a", "content": "b"}}\n</tool_call>\n',
  'qwen3-coder':
    '<tool_call>\n<function=write_file>\n<parameter=path>\na\n</parameter>\n' +
    '<parameter=content>\nb\n</parameter>\n</function>\n</tool_call>\n',
  pythonic: '[write_file(path="a", content="b")]\n',
  'tool-name-xml': '<write_file><path>a</path><content>b</content></write_file>\n',
  'a fence': '```json\n{"name": "write_file", "arguments": {"path": "a", "content": "b"}}\n```\n',
}
