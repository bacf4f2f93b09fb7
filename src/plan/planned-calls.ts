import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import type { Span } from '../core/span.ts'
import { fold } from '../json/coerce/fold.ts'
import { parseStrict } from '../json/parse-strict.ts'
import type { FoundValue, FoundValues } from '../section/found-value.ts'
import { callId as makeId } from '../tool/call-id.ts'
import { type CallProblem, planIssues } from './issues.ts'
import type { PlannedCall } from './plan.ts'

const MAX_CALLS = 64
const MAX_DEPTH = 64

/** Other words for the keys of a call, folded. The first is ours. */
const idKeys = ['callid', 'id', 'toolcallid']
const nameKeys = ['toolname', 'name', 'tool', 'function', 'functionname']
const argumentKeys = ['arguments', 'args', 'parameters', 'params', 'input', 'toolinput']
const wrapperKeys = ['toolcalls', 'calls', 'functioncalls', 'toolcall', 'tools']

export interface PlannedCalls {
  readonly calls: PlannedCall[]
  readonly issues: Issue[]
  readonly complete: boolean
}

interface Place {
  readonly value: FoundValue
  readonly path: readonly PropertyKey[]
  /** The text breaks off within it. */
  readonly cut: boolean
}

/** Makes calls of the values in a part of a plan. `first`: how many calls came before; `taken`: their ids. */
export class CallReader {
  private readonly strict: boolean
  private readonly taken = new Set<string>()
  private count = 0

  constructor(strict: boolean) {
    this.strict = strict
  }

  read(found: FoundValues): PlannedCalls {
    const issues: Issue[] = []
    let { values } = found
    if (found.parted) {
      // Between words, only what looks like a call is meant as one.
      const meant = values.filter((value) => looksLikeCalls(value.at([])))
      if (meant.length > 0) values = meant
    }
    for (const value of values) issues.push(...value.issues)
    const complete = values.every((value) => value.complete)
    const span: Span = [values[0]?.span[0] ?? 0, values.at(-1)?.span[1] ?? 0]
    const unusable = (issue: Issue): PlannedCalls => ({ calls: [], issues: [...issues, issue], complete })
    if (values.length === 0) return unusable(planIssues.issue('invalid_tool_calls', {}, { span }))
    if (values.length > 1 && found.parted)
      return unusable(planIssues.issue('ambiguous_tool_calls', { count: values.length }, { span }))
    if (values.length > 1) issues.push(planIssues.issue('joined_calls', { count: values.length }, { span }))
    const places = values.flatMap((value) => this.places(value, values.length === 1, issues))
    if (places.length > MAX_CALLS)
      issues.push(planIssues.issue('too_many_calls', { limit: MAX_CALLS }, { span }))
    const calls = places.slice(0, MAX_CALLS).map((place) => this.call(place, issues))
    const good = calls.filter((call) => call !== undefined)
    const failed = issues.some(({ severity }) => severity === 'error')
    if (this.strict && failed) {
      const count = calls.length - good.length
      if (count > 0) issues.push(planIssues.issue('rejected_list', { count }, { span }))
      return { calls: [], issues, complete }
    }
    return { calls: good, issues, complete }
  }

  /** Where the calls of a value stand in it. */
  private places(value: FoundValue, alone: boolean, issues: Issue[]): Place[] {
    const root = value.at([])
    const cut = !value.complete
    const list = (items: readonly unknown[], above: readonly PropertyKey[]): Place[] =>
      items.map((_, i) => ({ value, path: [...above, i], cut: cut && i === items.length - 1 }))
    if (Array.isArray(root)) return list(root, [])
    const refuse = (): Place[] => {
      issues.push(planIssues.issue('invalid_tool_calls', {}, { span: value.span }))
      return []
    }
    if (!isRecord(root) || this.strict) return refuse()
    if (keyIn(root, nameKeys) === undefined) {
      const key = keyIn(root, wrapperKeys)
      const inner = key === undefined ? undefined : root[key]
      if (key === undefined || (!Array.isArray(inner) && !isRecord(inner))) return refuse()
      issues.push(planIssues.issue('wrapped_calls', { key }, { span: value.spanAt([key], true) }))
      return Array.isArray(inner) ? list(inner, [key]) : [{ value, path: [key], cut }]
    }
    if (alone) issues.push(planIssues.issue('single_call', {}, { span: value.span }))
    return [{ value, path: [], cut }]
  }

  private call({ value, path: at, cut }: Place, issues: Issue[]): PlannedCall | undefined {
    const index = this.count++
    const span = value.spanAt(at)
    const refuse = (problem: CallProblem): undefined => {
      issues.push(planIssues.issue('invalid_call', { number: index + 1, problem }, { span, path: [...at] }))
      return undefined
    }
    const outer = value.at(at)
    if (!isRecord(outer)) return refuse('not_an_object')
    if (cut) return refuse('cut_off')
    if (this.strict) return this.strictCall(outer, refuse)

    // {"id": …, "function": {"name": …, "arguments": …}}
    const nestKey = ['function', 'toolcall', 'tool']
      .map((word) => keyIn(outer, [word]))
      .find((key) => {
        const inner = key === undefined ? undefined : outer[key]
        return isRecord(inner) && keyIn(inner, nameKeys) !== undefined
      })
    const record = nestKey === undefined ? outer : (outer[nestKey] as Record<string, unknown>)
    const path = nestKey === undefined ? at : [...at, nestKey]
    const rename = (key: string | undefined, meant: string): void => {
      if (key === undefined || key === meant) return
      const place = { span: value.spanAt([...path, key], true), path: [...path, key] }
      issues.push(planIssues.issue('other_name', { found: key, meant }, place))
    }
    const nameKey = keyIn(record, nameKeys)
    const name = nameKey === undefined ? undefined : record[nameKey]
    if (typeof name !== 'string' || name.trim() === '') return refuse('missing_tool_name')
    rename(nameKey, 'toolName')

    const rest = { ...record }
    if (nameKey !== undefined) delete rest[nameKey]
    const argumentKey = keyIn(rest, argumentKeys)
    rename(argumentKey, 'arguments')
    let args = argumentKey === undefined ? undefined : record[argumentKey]
    const inText = objectIn(args)
    if (inText) {
      const place = { span: value.spanAt([...path, argumentKey as string]) }
      issues.push(planIssues.issue('arguments_in_text', { number: index + 1 }, place))
      args = inText
    } else if (args === undefined || args === null) {
      issues.push(planIssues.issue('no_arguments', { number: index + 1 }, { span }))
      args = {}
    }
    const callId = this.id(outer, value, at, index, name, args, issues)
    return { callId, toolName: name, arguments: args }
  }

  private id(
    outer: Record<string, unknown>,
    value: FoundValue,
    at: readonly PropertyKey[],
    index: number,
    name: string,
    args: unknown,
    issues: Issue[],
  ): string {
    const key = keyIn(outer, idKeys)
    const given = key === undefined ? undefined : outer[key]
    const text = typeof given === 'number' ? String(given) : given
    let callId: string
    if (typeof text === 'string' && text !== '' && !this.taken.has(text)) {
      callId = text
      if (typeof given === 'number' && key !== undefined) {
        const place = { span: value.spanAt([...at, key]), path: [...at, key] }
        issues.push(planIssues.issue('converted_call_id', { number: index + 1 }, place))
      }
      if (key !== undefined && key !== 'callId') {
        const place = { span: value.spanAt([...at, key], true), path: [...at, key] }
        issues.push(planIssues.issue('other_name', { found: key, meant: 'callId' }, place))
      }
    } else {
      callId = makeId(index, name, args)
      issues.push(
        planIssues.issue('generated_call_id', { number: index + 1, callId }, { span: value.spanAt(at) }),
      )
    }
    this.taken.add(callId)
    return callId
  }

  /** Exactly what the schema of the specification accepts. */
  private strictCall(
    call: Record<string, unknown>,
    refuse: (problem: CallProblem) => undefined,
  ): PlannedCall | undefined {
    const own = (key: string) => (Object.hasOwn(call, key) ? call[key] : undefined)
    const callId = own('callId')
    const toolName = own('toolName')
    if (typeof callId !== 'string') refuse('missing_call_id')
    if (typeof toolName !== 'string') refuse('missing_tool_name')
    if (!Object.hasOwn(call, 'arguments')) return refuse('missing_arguments')
    if (typeof callId !== 'string' || typeof toolName !== 'string') return undefined
    return { callId, toolName, arguments: call.arguments }
  }
}

function looksLikeCalls(value: unknown): boolean {
  if (Array.isArray(value)) return value.length === 0 || value.some(isRecord)
  return isRecord(value) && keyIn(value, [...nameKeys, ...wrapperKeys]) !== undefined
}

/** The key of an object that is one of these words, however it is spelled; the first word there is wins. */
export function keyIn(value: Record<string, unknown>, words: readonly string[]): string | undefined {
  const keys = Object.keys(value)
  for (const word of words) {
    const key = keys.find((one) => one.length < 40 && fold(one) === word)
    if (key !== undefined) return key
  }
  return undefined
}

function objectIn(value: unknown): Record<string, unknown> | undefined {
  if (typeof value !== 'string' || !/^\s*\{/.test(value)) return undefined
  const inner = parseStrict(value, MAX_DEPTH)?.value
  return isRecord(inner) ? inner : undefined
}
