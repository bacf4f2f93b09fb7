import type { Issue } from '../core/issue.ts'
import { defaultLimits } from '../core/limits.ts'
import type { Read } from '../core/read.ts'
import type { Span } from '../core/span.ts'
import { listIssues } from '../json/list-issues.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { FoundValues } from '../section/found-value.ts'
import { type AskedCall, askCalls, type CallWords } from './ask-calls.ts'
import type { ToolRegistry } from './create-tool-registry.ts'
import { toolIssues } from './issues.ts'
import type { RequestedCall, ToolCall } from './tool.ts'

/** One call of a batch, as it was asked for: it can run, or it was rejected. */
export type CallEntry =
  | { readonly ok: true; readonly call: ToolCall; readonly span: Span; readonly issues: readonly Issue[] }
  | {
      readonly ok: false
      readonly call: RequestedCall
      readonly span: Span
      /** All that is known about it; at least one is an error. */
      readonly issues: readonly Issue[]
    }

/**
 * The calls of a text. `value` has those that can run, also when others cannot and `ok` is false; `entries` has
 * all of them, in order. Without entries and not ok: the text could not be read as calls at all.
 */
export type ReadCalls = Read<ToolCall[]> & {
  readonly value: ToolCall[]
  readonly entries: readonly CallEntry[]
}

/** As the prompts of chains and replies have them. */
const words: CallWords = { name: 'tool', arguments: 'args' }

/**
 * Makes calls of the values of a text, and checks each against its tool. `first`: how many calls came before; `ids`:
 * theirs, to which those of the new calls are added.
 */
export function readCalls(
  found: FoundValues,
  registry: ToolRegistry,
  first = 0,
  ids: Set<string> = new Set(),
  maxIssues: number = defaultLimits.maxIssues,
): ReadCalls {
  const shapeOf = (tool: string) => {
    const input = registry.get(tool)?.input
    return input === undefined ? undefined : compileSchema(input).shape
  }
  const asked = askCalls(found, { words, shapeOf, first, ids })
  const entries = asked.calls.map((one) => checkCall(one, registry))
  const issues = [...asked.issues, ...entries.flatMap((entry) => entry.issues)]
  const failed = issues.some(({ severity }) => severity === 'error')
  if (entries.length === 0 && !failed) issues.push(toolIssues.issue('no_calls', {}, { span: asked.span }))
  return {
    ok: !failed,
    value: entries.flatMap((entry) => (entry.ok ? [entry.call] : [])),
    complete: asked.complete,
    issues: listIssues(issues, maxIssues),
    entries,
  }
}

function checkCall({ call, span, issues, source, nameSpan }: AskedCall, registry: ToolRegistry): CallEntry {
  if (issues.some(({ severity }) => severity === 'error')) return { ok: false, call, span, issues }
  const checked = registry.check(call, source)
  const all = [
    ...issues,
    ...checked.issues.map((issue) => (isAboutName(issue) ? { ...issue, span: nameSpan } : issue)),
  ]
  return checked.ok
    ? { ok: true, call: checked.value, span, issues: all }
    : { ok: false, call, span, issues: all }
}

const isAboutName = ({ code }: Issue) => code === 'tool.unknown' || code === 'tool.missing_name'
