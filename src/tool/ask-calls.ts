import { callId } from '../core/call-id.ts'
import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import type { Span } from '../core/span.ts'
import { argumentWords, idWords, nameWords } from '../dialects/call-words.ts'
import type { Source } from '../json/coerce/coercion.ts'
import { fold } from '../json/coerce/fold.ts'
import type { Shape } from '../schema/shape.ts'
import type { FoundValue, FoundValues } from '../section/found-value.ts'
import { argumentsInText, duplicateInText } from './arguments-in-text.ts'
import { contradictions } from './contradictions.ts'
import { type ExtraField, extraFields } from './extra-fields.ts'
import { hasField, isDeclaration } from './is-declaration.ts'
import { toolIssues } from './issues.ts'
import { keyIn } from './key-in.ts'
import type { RequestedCall } from './tool.ts'

/** Calls that are read at once, whether they stand in one section or in several. */
export const MAX_CALLS = 64

/** What the fields of a call are called where models are told how to write one. */
export interface CallWords {
  readonly name: string
  readonly arguments: string
  /** Absent: models are not asked for ids, and may give them under any name. */
  readonly id?: string
}

export interface AskOptions {
  readonly words: CallWords
  /** The arguments of a tool: they are found beside its name too, read as its schema wants them, and checked later. */
  readonly shapeOf?: (tool: string) => Shape | undefined
  /** Ids and arguments are taken as they are. */
  readonly exact?: boolean
  /** Folded: what a field is called that the caller reads by itself. */
  readonly extra?: readonly string[]
  /** How many calls came before. */
  readonly first?: number
  /** The ids of the calls before; those of the new calls are added. */
  readonly ids?: Set<string>
}

/** A call as it was asked for. Whether its tool exists and accepts the arguments is not checked. */
export interface AskedCall {
  readonly call: RequestedCall
  readonly span: Span
  /** An error among them: it is not clear what was asked for. */
  readonly issues: readonly Issue[]
  /** Where its arguments stand. */
  readonly source: Source
  /** Where its name stands, or should. */
  readonly nameSpan: Span
  readonly lacksId: boolean
  readonly lacksArguments: boolean
  /** The fields that were asked for beside the others. */
  readonly extra: readonly ExtraField[]
}

export interface AskedCalls {
  readonly calls: readonly AskedCall[]
  /** About the text as a whole; an error among them: it could not be read as calls at all. */
  readonly issues: readonly Issue[]
  readonly complete: boolean
  /** What they were made of. */
  readonly values: readonly FoundValue[]
  /** Where the values stand that are calls, from the first to the last. */
  readonly span: Span
}

/** Folded: what models write, whatever they are told. */
const nameKeys = ['tool', ...nameWords]
const argumentKeys = ['args', ...argumentWords]
const wrapperKeys = ['toolcalls', 'calls', 'functioncalls', 'actions', 'toolcall', 'tools']
/** What APIs write beside a call: it changes nothing. */
const silentKeys = [...idWords, 'type', 'index']

const text: Shape = { kind: 'string', exact: true }

/** Makes calls of the values of a text: their names, ids and arguments, however they are written. */
export function askCalls(found: FoundValues, options: AskOptions): AskedCalls {
  const { first = 0, ids = new Set<string>() } = options
  const issues: Issue[] = [...found.issues]
  for (const { span, where, value } of found.embedded ?? [])
    if (value === undefined || looksLikeCalls(value))
      issues.push(toolIssues.issue('embedded_call', { where }, { span }))
  let { values } = found
  if (found.parted) {
    // Between words, only what looks like a call is meant as one.
    const calls = values.filter((value) => looksLikeCalls(value.at([])))
    if (calls.length > 0) values = calls
  }
  for (const value of values) issues.push(...value.issues)
  const span: Span = [values[0]?.span[0] ?? 0, values.at(-1)?.span[1] ?? 0]
  const complete = values.every((value) => value.complete)
  if (found.parted && values.length > 1)
    issues.push(toolIssues.issue('ambiguous', { count: values.length }, { span }))
  if (issues.some(isError)) return { calls: [], issues, complete, values, span }
  if (values.length > 1) issues.push(toolIssues.issue('joined_calls', { count: values.length }, { span }))

  const places = values.flatMap((value) => callPaths(value, issues).map((path) => ({ value, path })))
  const room = Math.max(0, MAX_CALLS - ids.size)
  if (places.length > room) issues.push(toolIssues.issue('too_many_calls', { limit: MAX_CALLS }, { span }))
  const calls = places.slice(0, room).map(({ value, path }, i) => {
    const last = places[i + 1]?.value !== value
    const asked = askCall(value, path, options, first + i, ids, last)
    ids.add(asked.call.id)
    return asked
  })
  return { calls, issues, complete, values, span }
}

const isError = ({ severity }: Issue) => severity === 'error'

function looksLikeCalls(value: unknown): boolean {
  if (Array.isArray(value)) return value.some(isRecord)
  return isRecord(value) && keyIn(value, [...nameKeys, ...wrapperKeys]) !== undefined
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

/** These words, the one that was asked for before the others. */
const withFirst = (words: readonly string[], asked: string | undefined): readonly string[] =>
  asked === undefined ? words : [fold(asked), ...words]

function askCall(
  found: FoundValue,
  at: readonly PropertyKey[],
  { words, shapeOf, exact = false, extra: extraWords = [] }: AskOptions,
  index: number,
  ids: ReadonlySet<string>,
  last: boolean,
): AskedCall {
  const span = found.spanAt(at)
  const outer = found.at(at)
  const issues: Issue[] = []
  const notACall = (what: string) => {
    const fields = [words.id, words.name, words.arguments].filter((word) => word !== undefined)
    issues.push(toolIssues.issue('not_a_call', { found: what, fields }, { span }))
  }
  if (!isRecord(outer)) {
    notACall(Array.isArray(outer) ? 'a list' : (found.textAt(at) ?? String(outer)).slice(0, 60))
    const call: RequestedCall = { id: callId(index, '', outer, ids), name: '', arguments: outer }
    const source: Source = { span: () => span, text: () => undefined }
    return { call, span, issues, source, nameSpan: span, lacksId: true, lacksArguments: true, extra: [] }
  }
  const { record, path } = unnest(found, outer, at, words, issues)
  const nameKey = keyIn(record, withFirst(nameKeys, words.name))
  const named = nameKey === undefined ? '' : found.at([...path, nameKey], text)
  const name = typeof named === 'string' ? named : ''
  alias(found, path, nameKey, words.name, issues)

  const rest = { ...record }
  if (nameKey !== undefined) delete rest[nameKey]
  const argumentsKey = keyIn(rest, withFirst(argumentKeys, words.arguments))
  if (argumentsKey !== undefined) delete rest[argumentsKey]
  const shape = shapeOf?.(name)
  const others = Object.keys(rest).filter(
    (key) => !silentKeys.includes(fold(key)) || (shape && hasField(shape, key)),
  )

  let args: unknown
  let argumentsPath = path
  let inline: string[] = []
  const extra = extraFields(found, path, record, extraWords)
  if (path !== at) extra.push(...extraFields(found, at, outer, extraWords))
  const ignored = new Set(others)
  for (const { key } of extra) ignored.delete(key)
  if (argumentsKey !== undefined) {
    alias(found, path, argumentsKey, words.arguments, issues)
    argumentsPath = [...path, argumentsKey]
    args = found.at(argumentsPath, shape)
    const inText = shapeOf || exact ? undefined : argumentsInText(args)
    if (inText) {
      issues.push(toolIssues.issue('arguments_in_text', {}, { span: found.spanAt(argumentsPath) }))
      args = inText
    }
  } else {
    inline = others.filter((key) => shape && (hasField(shape, key) || shape.kind === 'any'))
    const whole = found.at(path, shape) as Record<string, unknown>
    if (inline.length > 0) {
      args = Object.fromEntries(inline.map((key) => [key, whole[key]]))
      issues.push(toolIssues.issue('inline_arguments', { keys: inline }, { span }))
      for (const key of inline) ignored.delete(key)
    }
  }
  if (name !== '')
    for (const key of [...ignored].slice(0, 8))
      issues.push(toolIssues.issue('ignored_key', { key }, { span: found.spanAt([...path, key], true) }))

  const lacksArguments = exact ? argumentsKey === undefined : args === undefined || args === null
  const given = givenId(found, outer, at, words, exact, ids, issues)
  const asked: AskedCall = {
    call: {
      id: given ?? callId(index, name, args, ids),
      name,
      arguments: lacksArguments ? {} : args,
    },
    span,
    issues,
    source: {
      // Arguments beside the name stand where the call does.
      span: (below, key) =>
        argumentsKey === undefined && below.length === 0
          ? span
          : found.spanAt([...argumentsPath, ...below], key),
      text: (below) => found.textAt([...argumentsPath, ...below]),
    },
    nameSpan: found.spanAt(nameKey === undefined ? path : [...path, nameKey]),
    lacksId: given === undefined,
    lacksArguments,
    extra,
  }
  const understood = { found, outer, at, record, path, name, nameKey, argumentsKey, inline }
  const refused = contradictions(understood, withFirst(nameKeys, words.name), argumentKeys).map((one) => {
    const place = { span: found.spanAt([...one.at, one.key], true) }
    const { key, other } = one
    return toolIssues.issue('duplicate_key', other === undefined ? { key } : { key, other }, place)
  })
  const inText = argumentsKey === undefined || exact ? undefined : duplicateInText(found.at(argumentsPath))
  if (inText !== undefined)
    refused.push(toolIssues.issue('duplicate_key', { key: inText }, { span: found.spanAt(argumentsPath) }))
  for (const { key, keySpan, isDuplicate } of extra)
    if (isDuplicate) refused.push(toolIssues.issue('duplicate_key', { key }, { span: keySpan }))
  if (refused.length > 0) {
    issues.push(...refused)
    return asked
  }
  const hasId = keyIn(outer, idWords) !== undefined
  if (isDeclaration(record, args, argumentsKey, shape, hasId)) notACall('the description of a tool')
  else if (last && found.cut !== undefined) {
    // A forgotten brace around whole arguments is a slip; arguments that lack their end may be half of what was meant.
    const hasArguments = argumentsKey !== undefined && found.cut < found.spanAt(argumentsPath)[0]
    const isClosed = found.cut >= 0 && found.cut < span[0]
    if (!hasArguments && !isClosed) issues.push(toolIssues.issue('cut_off', { name }, { span }))
  }
  return asked
}

/** The id that the model gave to a call, if it is of use. */
function givenId(
  found: FoundValue,
  outer: Record<string, unknown>,
  at: readonly PropertyKey[],
  words: CallWords,
  exact: boolean,
  ids: ReadonlySet<string>,
  issues: Issue[],
): string | undefined {
  const key = keyIn(outer, withFirst(idWords, words.id))
  if (key === undefined) return undefined
  const given = outer[key]
  if (exact) return typeof given === 'string' ? given : undefined
  const id = typeof given === 'number' ? String(given) : given
  if (typeof id !== 'string' || !/^[\w.:-]{1,64}$/.test(id) || ids.has(id)) return undefined
  if (typeof given === 'number')
    issues.push(toolIssues.issue('converted_id', { id }, { span: found.spanAt([...at, key]) }))
  if (words.id !== undefined) alias(found, at, key, words.id, issues)
  return id
}

/** `{"function": {"name": …, "arguments": …}}`, and the same with other words. */
function unnest(
  found: FoundValue,
  outer: Record<string, unknown>,
  at: readonly PropertyKey[],
  words: CallWords,
  issues: Issue[],
): { record: Record<string, unknown>; path: readonly PropertyKey[] } {
  for (const word of ['function', 'tool', 'toolcall', 'action']) {
    const key = keyIn(outer, [word])
    const inner = key === undefined ? undefined : outer[key]
    if (key === undefined || !isRecord(inner) || keyIn(inner, nameKeys) === undefined) continue
    const span = found.spanAt([...at, key], true)
    issues.push(toolIssues.issue('other_key', { key, meant: words.name }, { span }))
    return { record: inner, path: [...at, key] }
  }
  return { record: outer, path: at }
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
