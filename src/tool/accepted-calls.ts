import { copyArguments, freezeArguments } from './copy-arguments.ts'
import type { RequestedCall, Tool, ToolCall } from './tool.ts'

/** What a schema has let through once, it may not let through again, or may change again: a date made of text. */
const accepted = new WeakMap<RequestedCall, Tool>()
/** Arguments that nobody else has made, and nobody can change. */
const settled = new WeakSet<object>()

/**
 * Remembers that the schema of a tool has let this call through. The call that comes back cannot be changed, as it will
 * run as it is. Its arguments are a copy: parts of them may be the schema's own, such as a default.
 */
export function acceptCall(call: ToolCall, tool: Tool | undefined): ToolCall {
  if (!tool) return call
  let { arguments: args } = call
  if (!settled.has(args)) {
    args = freezeArguments(copyArguments(args))
    settled.add(args)
  }
  const kept = Object.freeze({ ...call, arguments: args })
  accepted.set(kept, tool)
  return kept
}

/** Whether it is this very call that the schema of the tool has let through. */
export function isAccepted(call: RequestedCall, tool: Tool | undefined): call is ToolCall {
  return tool !== undefined && accepted.get(call) === tool
}
