import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import type { Span } from '../core/span.ts'
import type { Source } from '../json/coerce/coercion.ts'
import { valueAt } from '../schema/problem.ts'
import type { FoundValue } from '../section/found-value.ts'
import type { ToolRegistry } from '../tool/create-tool-registry.ts'
import { readCalls } from '../tool/read-calls.ts'
import type { ToolCall } from '../tool/tool.ts'
import { member } from './found-object.ts'

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
 * it as any call is checked.
 */
export function readAction(
  value: Record<string, unknown>,
  source: Source,
  span: Span,
  registry: ToolRegistry,
  callsBefore: number,
): ReadAction {
  const isNested = isRecord(member(value, 'action'))
  const base = isNested ? ['action'] : []
  const found: FoundValue = {
    span,
    complete: true,
    issues: [],
    at: (path) => valueAt(value, [...base, ...path]),
    spanAt: (path, key) => source.span([...base, ...path], key) ?? span,
    textAt: (path) => source.text([...base, ...path]),
  }
  const read = readCalls({ values: [found], parted: false, issues: [] }, registry, callsBefore)
  const listed = read.entries.length !== 1 || read.issues.some(({ code }) => code === 'tool.wrapped_calls')
  return {
    call: read.ok && !listed ? read.value[0] : undefined,
    issues: listed ? [] : read.issues,
    twoForms: isNested && (Object.hasOwn(value, 'tool') || Object.hasOwn(value, 'name')),
    listed,
  }
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

/** The code and message of an error that the model reports; `undefined` where it has none. */
export function reportedError(value: Record<string, unknown>): {
  code: string | undefined
  message: string | undefined
} {
  const nested = member(value, 'error')
  const find = (...keys: string[]) =>
    [value, nested].flatMap((one) => (isRecord(one) ? keys.map((key) => member(one, key)) : [])).find(isText)
  // {"type": "error", "error": {"type": "overloaded", "message": …}}
  const kind = isRecord(nested) ? member(nested, 'type') : undefined
  const message = find('message') ?? (isText(nested) ? nested : undefined)
  return { code: find('code') ?? (isText(kind) ? kind : undefined), message }
}
