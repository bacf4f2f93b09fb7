import { isRecord } from '../core/is-record.ts'
import { member } from './contract.ts'

/** The tool that a value asks for, although it does not say that it is an action. */
export interface AskedTool {
  readonly name: string
  /** It has more of a call than a name that is also the name of a tool. */
  readonly sure: boolean
}

// {"tool_calls": [{"function": {"name": …, "arguments": …}}]}
//  ^^^^^^^^^^^^ whatever the names in it: nothing else is written so
const wrappers = ['tool_calls', 'toolCalls', 'tool_call', 'toolCall', 'function_call', 'functionCall']
const toolKeys = ['tool', 'tool_name', 'toolName']
// Much that is no call has a name.
const nameKeys = ['name', 'action', 'function']
const argumentKeys = ['args', 'arguments', 'parameters', 'params', 'input', 'action_input', 'tool_input']

/** The tool that a value asks for. `isMarked`: what stands before it says that a call follows. */
export function untypedCall(
  value: unknown,
  isTool: (name: string) => boolean,
  isMarked: () => boolean,
): AskedTool | undefined {
  // A list is data more often than not: only what is sure is a call in it.
  if (Array.isArray(value)) return firstOf(value, (one) => sureOf(untypedCall(one, isTool, isMarked)))
  if (!isRecord(value)) return undefined
  const asked = wrappedCall(value) ?? namedCall(value, isTool)
  if (asked?.sure) return asked
  const marked = namedCall(value, () => true)
  return marked && isMarked() ? { name: marked.name, sure: true } : asked
}

const sureOf = (asked: AskedTool | undefined) => (asked?.sure ? asked : undefined)

function firstOf(
  values: readonly unknown[],
  find: (value: unknown) => AskedTool | undefined,
): AskedTool | undefined {
  for (const value of values) {
    const found = isRecord(value) ? find(value) : undefined
    if (found) return found
  }
  return undefined
}

function wrappedCall(value: Record<string, unknown>): AskedTool | undefined {
  const calls = wrappers.flatMap((key) => member(value, key) ?? [])
  const found = firstOf(calls, (one) => namedCall(one, () => true))
  return found && { name: found.name, sure: true }
}

function namedCall(value: unknown, isTool: (name: string) => boolean): AskedTool | undefined {
  if (!isRecord(value)) return undefined
  const nested = ['action', 'function'].map((key) => member(value, key)).filter(isRecord)
  for (const one of [value, ...nested])
    for (const key of [...toolKeys, ...nameKeys]) {
      const name = member(one, key)
      if (typeof name !== 'string' || !isTool(name)) continue
      return { name, sure: toolKeys.includes(key) || hasArguments(one) }
    }
  return undefined
}

/** It has arguments, and is not what declares a tool: that has a description beside its parameters. */
const hasArguments = (call: Record<string, unknown>) =>
  argumentKeys.some((key) => Object.hasOwn(call, key)) && !Object.hasOwn(call, 'description')

/** Whether a text may hold a call in JSON, so that it is worth a look. */
export function mentionsCall(text: string): boolean {
  return /["'](?:tool|name|action|function|tool_?name|tool_?calls?|function_?call)["']\s*:/i.test(text)
}

/** Whether a text ends with a tag behind which a call is expected. */
export function opensCall(before: string): boolean {
  return /(?:<\|?(?:tool_calls?|function_calls?|tool_use)\|?>|\[TOOL_CALLS\])\s*$/.test(before)
}

/** Whether nothing but the ends of tags stands in a text: those that were opened before a call. */
export function isEndOfCall(after: string): boolean {
  const rest = after.trim()
  return rest.length <= 200 && /^(?:(?:<\/[\w:.-]+>|<\|[\w/]+\|>|\[\/\w+\])\s*)*$/.test(rest)
}

const opening =
  /^\s*(<(?:tool_calls?|function_calls?|tool_use|invoke\b[^<>\n]{0,80}|function=[^<>\n]{1,80})>)/
const closing = /<\/(?:tool_calls?|function_calls?|tool_use)>$/

/** Where a call in tags stands with which a text begins or ends, whatever is written between them. */
export function callTag(text: string): [start: number, end: number] | undefined {
  const body = text.trimEnd()
  const first = opening.exec(body.slice(0, 200))
  const last = closing.exec(body.slice(-40))
  if (!first && !last) return undefined
  const start = first ? first[0].length - (first[1] as string).length : body.length - (last?.[0].length ?? 0)
  return [start, last ? body.length : (first?.[0].length ?? 0)]
}
