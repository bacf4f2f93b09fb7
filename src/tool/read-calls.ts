import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import { defaultLimits } from '../core/limits.ts'
import type { Read } from '../core/read.ts'
import type { Span } from '../core/span.ts'
import type { Source } from '../json/coerce/coercion.ts'
import { fold } from '../json/coerce/fold.ts'
import { listIssues } from '../json/list-issues.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { Shape } from '../schema/shape.ts'
import type { FoundValue, FoundValues } from '../section/found-value.ts'
import { callId } from './call-id.ts'
import type { ToolRegistry } from './create-tool-registry.ts'
import { hasField, isDeclaration } from './is-declaration.ts'
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

/** Calls that run at once, whether they stand in one section or in several. */
export const MAX_CALLS = 64

/** Folded, the first one is ours. */
const nameKeys = ['tool', 'name', 'toolname', 'function', 'functionname', 'action']
const argumentKeys = [
  'args',
  'arguments',
  'parameters',
  'params',
  'input',
  'toolinput',
  'actioninput',
  'argument',
  'kwargs',
]
const wrapperKeys = ['toolcalls', 'calls', 'functioncalls', 'actions']
/** What APIs write beside a call: it changes nothing. */
const silentKeys = ['id', 'callid', 'toolcallid', 'type', 'index']

const text: Shape = { kind: 'string', exact: true }

/**
 * Makes calls of the values of a text, and checks each against its tool. `first`: how many calls came before; `ids`:
 * theirs, to which those of the new calls are added.
 */
export function readCalls(
  found: FoundValues,
  registry: ToolRegistry,
  first = 0,
  ids: Set<string> = new Set(),
): ReadCalls {
  const issues: Issue[] = [...found.issues]
  const failed = issues.some((issue) => issue.severity === 'error')
  let values = found.values
  if (found.parted) {
    // Between words, only what looks like a call is meant as one.
    const calls = values.filter((value) => looksLikeCalls(value.at([])))
    if (calls.length > 0) values = calls
  }
  for (const value of values) issues.push(...value.issues)
  const span: Span = [values[0]?.span[0] ?? 0, values.at(-1)?.span[1] ?? 0]
  if (found.parted && values.length > 1) {
    issues.push(toolIssues.issue('ambiguous', { count: values.length }, { span }))
    return result([], issues, values)
  }
  if (failed || issues.some((issue) => issue.severity === 'error')) return result([], issues, values)
  if (values.length > 1) issues.push(toolIssues.issue('joined_calls', { count: values.length }, { span }))

  const places = values.flatMap((value) => callPaths(value, issues).map((path) => ({ value, path })))
  if (places.length === 0) issues.push(toolIssues.issue('no_calls', {}, { span }))
  const room = Math.max(0, MAX_CALLS - ids.size)
  if (places.length > room) issues.push(toolIssues.issue('too_many_calls', { limit: MAX_CALLS }, { span }))
  const entries = places.slice(0, room).map(({ value, path }, i) => {
    const last = places[i + 1]?.value !== value
    const entry = readCall(value, path, registry, first + i, ids, last)
    ids.add(entry.call.id)
    issues.push(...entry.issues)
    return entry
  })
  return result(entries, issues, values)
}

function result(entries: readonly CallEntry[], issues: Issue[], values: readonly FoundValue[]): ReadCalls {
  const ok = !issues.some((issue) => issue.severity === 'error')
  const complete = values.every((value) => value.complete)
  const value = entries.flatMap((entry) => (entry.ok ? [entry.call] : []))
  return { ok, value, complete, issues: listIssues(issues, defaultLimits.maxIssues), entries }
}

function looksLikeCalls(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isRecord)
  if (!isRecord(value)) return false
  const keys = Object.keys(value).map(fold)
  return keys.some((key) => nameKeys.includes(key) || wrapperKeys.includes(key))
}

/** Where the calls of a value stand in it. */
function callPaths(found: FoundValue, issues: Issue[]): PropertyKey[][] {
  const root = found.at([])
  if (root === null || root === '') return []
  if (Array.isArray(root)) return root.map((_, i) => [i])
  if (!isRecord(root) || keyIn(root, nameKeys) !== undefined) return [[]]
  const key = keyIn(root, wrapperKeys)
  if (key === undefined) return [[]]
  const inner = root[key]
  issues.push(toolIssues.issue('wrapped_calls', { key }, { span: found.spanAt([key], true) }))
  if (inner === null) return []
  return Array.isArray(inner) ? inner.map((_, i) => [key, i]) : [[key]]
}

/** The key of an object that is one of these words, however it is spelled; the first word there is wins. */
function keyIn(value: Record<string, unknown>, words: readonly string[]): string | undefined {
  const keys = Object.keys(value)
  for (const word of words) {
    const key = keys.find((one) => fold(one) === word)
    if (key !== undefined) return key
  }
  return undefined
}

function readCall(
  found: FoundValue,
  at: readonly PropertyKey[],
  registry: ToolRegistry,
  index: number,
  ids: ReadonlySet<string>,
  last: boolean,
): CallEntry {
  const span = found.spanAt(at)
  const outer = found.at(at)
  const issues: Issue[] = []
  if (!isRecord(outer)) {
    const kind = Array.isArray(outer) ? 'a list' : (found.textAt(at) ?? String(outer)).slice(0, 60)
    issues.push(toolIssues.issue('not_a_call', { found: kind }, { span }))
    return {
      ok: false,
      call: { id: callId(index, '', outer, ids), name: '', arguments: outer },
      span,
      issues,
    }
  }
  const { record, path } = unnest(found, outer, at, issues)
  const nameKey = keyIn(record, nameKeys)
  const name = nameKey === undefined ? '' : found.at([...path, nameKey], text)
  const tool = typeof name === 'string' ? name : ''
  alias(found, path, nameKey, 'tool', issues)

  const rest = { ...record }
  if (nameKey !== undefined) delete rest[nameKey]
  const argumentsKey = keyIn(rest, argumentKeys)
  if (argumentsKey !== undefined) delete rest[argumentsKey]
  const silent = (key: string) => silentKeys.includes(fold(key))
  const input = registry.get(tool)?.input
  const shape = input === undefined ? undefined : compileSchema(input).shape
  const others = Object.keys(rest).filter((key) => !silent(key) || (shape && hasField(shape, key)))

  const source = (base: readonly PropertyKey[]): Source => ({
    span: (below, key) => found.spanAt([...base, ...below], key),
    text: (below) => found.textAt([...base, ...below]),
  })
  let args: unknown
  let argumentsSource = source(path)
  const ignored = new Set(others)
  if (argumentsKey !== undefined) {
    alias(found, path, argumentsKey, 'args', issues)
    args = found.at([...path, argumentsKey], shape)
    argumentsSource = source([...path, argumentsKey])
  } else {
    const keys = others.filter((key) => shape && (hasField(shape, key) || shape.kind === 'any'))
    const whole = found.at(path, shape) as Record<string, unknown>
    if (keys.length > 0) {
      args = Object.fromEntries(keys.map((key) => [key, whole[key]]))
      issues.push(toolIssues.issue('inline_arguments', { keys }, { span }))
      for (const key of keys) ignored.delete(key)
    }
  }
  if (tool !== '')
    for (const key of [...ignored].slice(0, 8))
      issues.push(toolIssues.issue('ignored_key', { key }, { span: found.spanAt([...path, key], true) }))

  const given = outer[keyIn(outer, silentKeys.slice(0, 3)) ?? '']
  const id =
    typeof given === 'string' && /^[\w-]{1,64}$/.test(given) && !ids.has(given)
      ? given
      : callId(index, tool, args, ids)
  const call: RequestedCall = { id, name: tool, arguments: args ?? {} }
  const twice = new Set([
    ...duplicates(found, path, record, [nameKey, argumentsKey]),
    // Around `{"function": {…}}` too: the last of two functions would run.
    ...(path === at ? [] : duplicates(found, at, outer, [path.at(-1)])),
  ])
  for (const key of twice)
    issues.push(toolIssues.issue('duplicate_key', { key }, { span: found.spanAt([...path, key], true) }))
  if (twice.size > 0) return { ok: false, call, span, issues }
  if (isDeclaration(record, args, argumentsKey, shape)) {
    issues.push(toolIssues.issue('not_a_call', { found: 'the description of a tool' }, { span }))
    return { ok: false, call, span, issues }
  }
  if (last && found.cut !== undefined) {
    // A forgotten brace around whole arguments is a slip; arguments that lack their end may be half of what was meant.
    const whole = argumentsKey !== undefined && found.cut < found.spanAt([...path, argumentsKey])[0]
    if (!whole) {
      issues.push(toolIssues.issue('cut_off', { name: tool }, { span }))
      return { ok: false, call, span, issues }
    }
  }
  const checked = registry.check(
    call,
    argumentsKey === undefined ? spanned(argumentsSource, span) : argumentsSource,
  )
  issues.push(
    ...checked.issues.map((issue) => (isAboutName(issue) ? about(issue, found, path, nameKey) : issue)),
  )
  return checked.ok ? { ok: true, call: checked.value, span, issues } : { ok: false, call, span, issues }
}

const isAboutName = ({ code }: Issue) => code === 'tool.unknown' || code === 'tool.missing_name'

function about(
  issue: Issue,
  found: FoundValue,
  path: readonly PropertyKey[],
  key: string | undefined,
): Issue {
  return { ...issue, span: found.spanAt(key === undefined ? path : [...path, key]) }
}

function spanned(source: Source, span: Span): Source {
  return { ...source, span: (path, key) => (path.length === 0 ? span : source.span(path, key)) }
}

/** `{"function": {"name": …, "arguments": …}}`, and the same with other words. */
function unnest(
  found: FoundValue,
  outer: Record<string, unknown>,
  at: readonly PropertyKey[],
  issues: Issue[],
): { record: Record<string, unknown>; path: readonly PropertyKey[] } {
  for (const word of ['function', 'tool', 'toolcall', 'action']) {
    const key = keyIn(outer, [word])
    const inner = key === undefined ? undefined : outer[key]
    if (key === undefined || !isRecord(inner) || keyIn(inner, nameKeys) === undefined) continue
    issues.push(
      toolIssues.issue('other_key', { key, meant: 'tool' }, { span: found.spanAt([...at, key], true) }),
    )
    return { record: inner, path: [...at, key] }
  }
  return { record: outer, path: at }
}

/** Which of these keys an object has twice: as they are, or spelled in another way. */
function duplicates(
  found: FoundValue,
  path: readonly PropertyKey[],
  record: Record<string, unknown>,
  keys: readonly (PropertyKey | undefined)[],
): string[] {
  const written = [...Object.keys(record), ...(found.duplicatesAt?.(path) ?? [])].map(fold)
  return keys.filter(
    (key): key is string => typeof key === 'string' && written.filter((one) => one === fold(key)).length > 1,
  )
}

function alias(
  found: FoundValue,
  path: readonly PropertyKey[],
  key: string | undefined,
  meant: string,
  issues: Issue[],
): void {
  if (key === undefined || key === meant) return
  issues.push(toolIssues.issue('other_key', { key, meant }, { span: found.spanAt([...path, key], true) }))
}
