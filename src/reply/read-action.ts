import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import type { Limits } from '../core/limits.ts'
import type { Span } from '../core/span.ts'
import { locate, placesOf } from '../json/locate.ts'
import { valueAt } from '../schema/problem.ts'
import type { FoundValue } from '../section/found-value.ts'
import type { ToolRegistry } from '../tool/create-tool-registry.ts'
import { readCalls } from '../tool/read-calls.ts'
import type { ToolCall } from '../tool/tool.ts'
import { member } from './contract.ts'

/** What an action is checked with. */
export interface CallOptions {
  readonly tools: ToolRegistry
  readonly limits: Limits
  /** How many calls came before in the conversation. */
  readonly callsBefore: number
}

/** What an action object asks for. */
interface ReadAction {
  /** Absent when it was rejected. */
  readonly call: ToolCall | undefined
  readonly issues: readonly Issue[]
  /** The tool is named both beside `action` and in it. */
  readonly twoForms: boolean
  /** It holds a list of calls instead of one. */
  readonly listed: boolean
}

/**
 * Reads `{"type": "action", "tool": …, "args": {…}}`, and the nested form, where both stand in `action`; and checks
 * it as any call is checked. `text`: the action as it was written, at `span` of the reply.
 */
export function readAction(
  value: Record<string, unknown>,
  text: string,
  span: Span,
  { tools, limits, callsBefore }: CallOptions,
): ReadAction {
  const isNested = isRecord(member(value, 'action'))
  const base = isNested ? ['action'] : []
  const source = () => text
  const candidate = { start: 0, end: text.length } as Parameters<typeof locate>[1]
  const places = locate(source, candidate, placesOf(source, limits))
  const found: FoundValue = {
    span,
    complete: true,
    issues: [],
    at: (path) => valueAt(value, [...base, ...path]),
    spanAt: (path, key) => {
      const [start, end] = places.span([...base, ...path], key) ?? [0, text.length]
      return [start + span[0], end + span[0]]
    },
    textAt: (path) => places.text([...base, ...path]),
  }
  const read = readCalls({ values: [found], parted: false, issues: [] }, tools, callsBefore)
  const listed = read.entries.length !== 1 || read.issues.some(({ code }) => code === 'tool.wrapped_calls')
  return {
    call: read.ok && !listed ? read.value[0] : undefined,
    issues: listed ? [] : read.issues,
    twoForms: isNested && (Object.hasOwn(value, 'tool') || Object.hasOwn(value, 'name')),
    listed,
  }
}
