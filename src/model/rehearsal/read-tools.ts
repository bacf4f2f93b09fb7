import { isRecord } from '../../core/is-record.ts'
import type { OfferedTool } from './contract.ts'
import { readNotation, templateInText } from './template-in-text.ts'

/** How the description of a tool begins: its name, what it is for, then its arguments. */
// search: Finds pages.
//   args: JSON of this type:
const entry = /^([^\s:]+): [^\n]*\n {2}(?:args: |It takes no arguments\.)/gm

/** The tools that a prompt describes, each with arguments that fit. */
export function readTools(text: string): OfferedTool[] {
  const found = [...text.matchAll(entry)]
  return found.map((match, i) => {
    const name = match[1] as string
    const block = text.slice(match.index, found[i + 1]?.index ?? endOfBlock(text, match.index))
    const template = templateInText(block)
    return {
      name,
      example: exampleIn(block) ?? (isRecord(template?.example) ? template.example : {}),
      free: template?.free ?? true,
    }
  })
}

/** Where the description of the last tool behind this place ends. */
export function endOfTools(text: string, from: number): number {
  const last = [...text.slice(from).matchAll(entry)].at(-1)
  return last ? endOfBlock(text, from + last.index) : from
}

/** What is indented belongs to it. */
function endOfBlock(text: string, start: number): number {
  const end = /\n(?:\n|\S)/.exec(text.slice(start + 1 + text.slice(start).indexOf('\n')))
  return end ? start + 1 + text.slice(start).indexOf('\n') + end.index : text.length
}

//   Example: {"tool":"search","args":{"query":"text"}}
function exampleIn(block: string): Record<string, unknown> | undefined {
  const [, line, lines] = /\n {2}Example:(?: (.*)|((?:\n {4}.*)+))/.exec(block) ?? []
  const call =
    line !== undefined
      ? readNotation(line, 'JSON')
      : lines !== undefined
        ? readNotation(lines.replace(/^ {4}/gm, ''), 'YAML')
        : undefined
  return isRecord(call) && isRecord(call.args) ? call.args : undefined
}
