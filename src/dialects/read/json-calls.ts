import { isRecord } from '../../core/is-record.ts'
import type { Issue } from '../../core/issue.ts'
import type { Span } from '../../core/span.ts'
import { fold } from '../../json/coerce/fold.ts'
import type { MemberSpans } from '../../json/containers.ts'
import { readJson } from '../../json/read-json.ts'
import { argumentWords, idWords, nameWords } from '../call-words.ts'
import type { FoundCall } from '../found-call.ts'
import { callIssues } from '../issues.ts'
import type { KnownTools } from '../known-tools.ts'
import { resolveName } from '../resolve-name.ts'

/** What calls are made of as JSON; keys are folded, the first one there is wins. */
export interface CallKeys {
  readonly names: readonly string[]
  readonly arguments: readonly string[]
  readonly ids: readonly string[]
  /** The key of an object may be the name of a tool, of whatever tool. */
  readonly tools: boolean
}

/** Words that mean a name and nothing else: it can be told before the call has ended. */
export const firstNames = (keys: CallKeys): readonly string[] => keys.names.slice(0, 3)

export const usualKeys: CallKeys = {
  names: nameWords,
  arguments: argumentWords,
  ids: idWords,
  tools: false,
}
const wrapperKeys = ['toolcalls', 'calls', 'functioncalls', 'functions', 'actions', 'tools']

/** A value as it was read, and where its parts stand. */
export interface PlacedValue {
  readonly value: unknown
  readonly span: Span
  readonly complete: boolean
  readonly issues: readonly Issue[]
  /** The members of a container; the offset at which the value itself was read is added by `at`. */
  readonly places: ReadonlyMap<object, MemberSpans> | undefined
  readonly offset: number
  /** Keys that stand in an object more than once. */
  readonly duplicates: ReadonlyMap<object, ReadonlySet<string>>
}

/**
 * The calls of a value: one, or a list, or either of them in an object around it. `strict`: it stands where anything
 * may stand, so that only what has a name and arguments is a call.
 */
export function jsonCalls(
  read: PlacedValue,
  tools: KnownTools,
  strict: boolean,
  keys: CallKeys,
): FoundCall[] {
  const { value } = read
  const list = listOf(value, keys)
  if (!list) {
    const call = isRecord(value) ? callOf(value, read.span, read, tools, strict, keys) : undefined
    return call ? [call] : []
  }
  const found: FoundCall[] = []
  for (const [i, item] of list.entries()) {
    if (!isRecord(item)) continue
    const call = callOf(item, spanIn(read, list, i), read, tools, strict, keys)
    if (call) found.push(call)
  }
  return strict && found.length < list.length ? [] : found
}

function listOf(value: unknown, keys: CallKeys): readonly unknown[] | undefined {
  if (Array.isArray(value)) return value
  if (!isRecord(value)) return undefined
  const key = keyIn(value, wrapperKeys)
  const inner = key === undefined || keyIn(value, firstNames(keys)) !== undefined ? undefined : value[key]
  return Array.isArray(inner) && inner.some(isRecord) ? inner : undefined
}

function spanIn(read: PlacedValue, container: object, key: PropertyKey): Span {
  const member = read.places?.get(container)?.get(key)
  return member ? [read.offset + member[2], read.offset + member[3]] : read.span
}

function callOf(
  outer: Record<string, unknown>,
  span: Span,
  read: PlacedValue,
  tools: KnownTools,
  strict: boolean,
  keys: CallKeys,
): FoundCall | undefined {
  const record = unnest(outer, keys)
  const nameKey = firstName(record, keys) ?? keyIn(record, keys.names)
  const written = nameKey === undefined ? undefined : record[nameKey]
  if (nameKey === undefined || typeof written !== 'string' || written.trim() === '')
    return keyed(record, span, read, tools, keys.tools && !strict)
  const name = resolveName(written, tools)
  const known = tools.has(name)
  const rest = Object.keys(record).filter((key) => key !== nameKey)
  const argumentsKey = rest.find((key) => keys.arguments.includes(fold(key)))
  if (strict && (tools.names.length > 0 ? !known : argumentsKey === undefined)) return undefined
  const given = argumentsKey === undefined ? inline(record, rest, keys) : record[argumentsKey]
  if (strict && argumentsKey === undefined && !known) return undefined
  const idKey = keyIn(outer, keys.ids) ?? keyIn(record, keys.ids)
  const id = idKey === undefined ? undefined : (outer[idKey] ?? record[idKey])
  const issues: Issue[] = []
  for (const key of saidTwice(record, nameKey, argumentsKey, read, tools, keys))
    issues.push(callIssues.issue('duplicate_key', { key }, { span }))
  if (name !== written) issues.push(callIssues.issue('other_name', { written, name }, { span }))
  const cut = !read.complete && span[1] >= read.span[1]
  if (cut && (isCutName(read, record, nameKey) || (strict && argumentsKey === undefined))) return undefined
  return {
    ...(typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}),
    name,
    plain: true,
    arguments: argumentsIn(given),
    span,
    complete: !cut || isWhole(read, record, argumentsKey),
    issues: read.issues.length > 0 ? [...within(read, span), ...issues] : issues,
  }
}

/** Keys that say what another one says already: which of them is meant cannot be told. */
function saidTwice(
  record: Record<string, unknown>,
  nameKey: string,
  argumentsKey: string | undefined,
  read: PlacedValue,
  tools: KnownTools,
  keys: CallKeys,
): string[] {
  const twice = read.duplicates.get(record)
  return Object.keys(record).filter((key) => {
    if (key === nameKey || key === argumentsKey) return twice?.has(key)
    const value = record[key]
    if (argumentsKey !== undefined && keys.arguments.includes(fold(key)) && isRecord(value)) return true
    if (typeof value !== 'string' || !keys.names.includes(fold(key))) return false
    const other = resolveName(value, tools)
    return tools.has(other) && other !== resolveName(String(record[nameKey]), tools)
  })
}

/** The first key that holds a name: that one is told of while the call arrives, so it is the one that counts. */
function firstName(record: Record<string, unknown>, keys: CallKeys): string | undefined {
  return Object.keys(record).find((key) => {
    const value = record[key]
    return typeof value === 'string' && value.trim() !== '' && firstNames(keys).includes(fold(key))
  })
}

/** The issues of the value that stand in this call. */
function within(read: PlacedValue, span: Span): Issue[] {
  return read.issues.filter((issue) => issue.span && issue.span[0] >= span[0] && issue.span[1] <= span[1])
}

const isOpen = (issue: Issue) => /^json\.(unclosed_\w+|cut_off|missing_value)$/.test(issue.code)

function isCutName(read: PlacedValue, record: object, key: string): boolean {
  const [, , start, end] = read.places?.get(record)?.get(key) ?? []
  return (
    start === undefined ||
    end === undefined ||
    read.issues.some(
      (issue) =>
        /unclosed_string|cut_off/.test(issue.code) && issue.span && issue.span[0] === read.offset + start,
    )
  )
}

/** A forgotten brace around whole arguments is a slip; arguments that lack their end may be half of what was meant. */
function isWhole(read: PlacedValue, record: object, key: string | undefined): boolean {
  const member = key === undefined ? undefined : read.places?.get(record)?.get(key)
  if (!member) return false
  const start = read.offset + member[2]
  return !read.issues.some((issue) => isOpen(issue) && issue.span && issue.span[0] >= start)
}

/** `{"f": {…}}`: the key is the name. */
function keyed(
  record: Record<string, unknown>,
  span: Span,
  read: PlacedValue,
  tools: KnownTools,
  any: boolean,
): FoundCall | undefined {
  const keys = Object.keys(record)
  const [key] = keys
  if (key === undefined || keys.length !== 1 || !isRecord(record[key])) return undefined
  const name = resolveName(key, tools)
  if (!tools.has(name) && !(any && tools.names.length === 0)) return undefined
  return {
    name,
    plain: true,
    arguments: argumentsIn(record[key]),
    span,
    complete: read.complete || span[1] < read.span[1],
    issues: within(read, span),
  }
}

/** `{"type": "function", "function": {"name": …}}`. */
function unnest(outer: Record<string, unknown>, keys: CallKeys): Record<string, unknown> {
  // A call with a name of its own is no wrapper.
  if (firstName(outer, keys) !== undefined) return outer
  for (const word of ['function', 'tool', 'toolcall', 'call', 'action']) {
    const key = keyIn(outer, [word])
    const inner = key === undefined ? undefined : outer[key]
    if (isRecord(inner) && keyIn(inner, keys.names) !== undefined) return inner
  }
  return outer
}

function inline(
  record: Record<string, unknown>,
  names: readonly string[],
  keys: CallKeys,
): Record<string, unknown> {
  const silent = ['type', 'index', ...keys.ids]
  return Object.fromEntries(
    names.filter((key) => !silent.includes(fold(key))).map((key) => [key, record[key]]),
  )
}

/** Arguments may be JSON text within a string, as APIs write them. */
function argumentsIn(given: unknown): unknown {
  if (typeof given !== 'string') return given ?? {}
  if (given.trim() === '') return {}
  if (!/^\s*\{/.test(given)) return given
  const { value } = readJson(given)
  return isRecord(value) ? value : given
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
