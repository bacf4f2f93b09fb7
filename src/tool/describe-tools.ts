import { describeSchema } from '../schema/describe-schema.ts'
import { exampleOf } from '../schema/example-of.ts'
import type { Tool } from './tool.ts'

/** How a call is written, and what that notation is called. */
export interface CallNotation {
  readonly name: 'JSON' | 'YAML'
  /** One call, or a list of them. */
  write(calls: WrittenCall | readonly WrittenCall[]): string
}

export interface WrittenCall {
  readonly tool: string
  readonly args: unknown
}

/** Every tool: its name, what it is for, its arguments, and with a notation an example of a call. */
export function describeTools(tools: readonly Tool[], notation?: CallNotation): string {
  return tools.map((tool) => describeTool(tool, notation)).join('\n\n')
}

function describeTool(tool: Tool, notation: CallNotation | undefined): string {
  const lines = [`${tool.name}: ${tool.description.trim().replace(/\s+/g, ' ')}`]
  if (tool.input === undefined) lines.push('  It takes no arguments.')
  else {
    const type = describeSchema(tool.input).replace(/^JSON/, notation?.name ?? 'JSON')
    lines.push(...`args: ${type}`.split('\n').map((line) => `  ${line}`))
  }
  if (notation) {
    const [first = '', ...more] = notation.write(exampleCall(tool)).split('\n')
    lines.push(...(more.length > 0 ? ['  Example:', `    ${first}`] : [`  Example: ${first}`]))
    lines.push(...more.map((line) => `    ${line}`))
  }
  return lines.join('\n')
}

export function exampleCall(tool: Tool): WrittenCall {
  return { tool: tool.name, args: tool.input === undefined ? {} : exampleOf(tool.input) }
}
