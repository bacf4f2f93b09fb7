import type { ToolRegistry } from '../tool/create-tool-registry.ts'
import type { Tool } from '../tool/tool.ts'
import { registryOf } from './create-reply-reader.ts'
import { readReply } from './read-reply.ts'
import type { Reply } from './reply.ts'

/**
 * Writes a reply as the model should have written it, so that the conversation carries what it said and called.
 * Reading what was written gives the same reply: a text that would be read otherwise is written as an object.
 */
export function formatReply(reply: Reply, tools: ToolRegistry | readonly Tool[]): string {
  const { text } = reply
  const object = objectOf(reply)
  if (text === '') return object
  const plain = object && `${text}\n\n${object}`
  return isReadAs(plain || text, reply, registryOf(tools))
    ? plain || text
    : `${JSON.stringify({ type: 'text', text })}${object && `\n\n${object}`}`
}

function objectOf(reply: Reply): string {
  if (reply.type === 'text') return ''
  const { type } = reply
  if (type === 'error') return JSON.stringify({ type, code: reply.code, message: reply.message })
  const { id, name, arguments: args } = reply.call
  return JSON.stringify({ type, id, tool: name, args })
}

/** Whether a text is read as this kind of reply, with this text in it. */
function isReadAs(written: string, { type, text }: Reply, tools: ToolRegistry): boolean {
  const { ok, complete, value } = readReply(written, { tools })
  return ok && complete && value.type === type && value.text === text
}
