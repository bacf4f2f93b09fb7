import type { RequestedCall, Tool, ToolCall } from './tool.ts'

/** What a schema has let through once, it may not let through again, or may change again: a date made of text. */
const accepted = new WeakMap<RequestedCall, Tool>()

/** Remembers that the schema of a tool has let this call through. */
export function acceptCall(call: ToolCall, tool: Tool | undefined): ToolCall {
  if (tool) accepted.set(call, tool)
  return call
}

/** Whether it is this very call that the schema of the tool has let through. */
export function isAccepted(call: RequestedCall, tool: Tool | undefined): call is ToolCall {
  return tool !== undefined && accepted.get(call) === tool
}
