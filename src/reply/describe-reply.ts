import type { ToolRegistry } from '../tool/create-tool-registry.ts'
import { describeTools } from '../tool/describe-tools.ts'
import type { Tool } from '../tool/tool.ts'
import { registryOf } from './create-reply-reader.ts'

const action = (tool: string, args: unknown) => JSON.stringify({ type: 'action', tool, args })

/** Tells a model how to reply: text (or JSON that it is asked for elsewhere), one action, or an error; and which tools there are, with an example of each. */
export function describeReply(
  tools: ToolRegistry | readonly Tool[],
  answer: 'text' | 'json' = 'text',
): string {
  const { tools: known } = registryOf(tools)
  const ways = [
    answer === 'text'
      ? 'Text, to answer: write it as it is, without JSON around it.'
      : 'The answer: the JSON that you are asked for, and nothing else.',
  ]
  if (known.length > 0)
    ways.push(
      `An action, to call a tool: end your reply with one JSON object of the form
   {"type": "action", "tool": name, "args": {…}}
   on a line of its own. Text may stand before it, nothing after it. Do not put it in a code fence or in quotes. One action per reply; you get its result before you go on.`,
    )
  ways.push(
    `An error, if you cannot go on: reply with one JSON object of the form
   {"type": "error", "code": "permission_denied", "message": "why"}
   where the code is one short word such as permission_denied, invalid_args or tool_not_found.`,
  )
  const parts = [
    `Reply in exactly one of these ways:\n${ways.map((way, i) => `${i + 1}. ${way}`).join('\n')}`,
  ]
  if (known.length > 0) {
    const notation = {
      name: 'JSON',
      write: (calls: unknown) => {
        const { tool, args } = [calls].flat()[0] as { tool: string; args: unknown }
        return action(tool, args)
      },
    } as const
    parts.push(`The tools:\n\n${describeTools(known, notation)}`)
    parts.push(
      'An action that you only want to show, as an example, belongs in a code fence with text around it.',
    )
  }
  return parts.join('\n\n')
}
