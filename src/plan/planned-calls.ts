import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import type { Span } from '../core/span.ts'
import type { FoundValues } from '../section/found-value.ts'
import { shiftIssues } from '../section/shift-issues.ts'
import { type AskedCall, askCalls, type CallWords } from '../tool/ask-calls.ts'
import { toolIssues } from '../tool/issues.ts'
import { planIssues } from './issues.ts'
import { linkCalls } from './link-calls.ts'
import type { PlannedCall } from './plan.ts'
import { dependencyWords, readDependencies } from './read-dependencies.ts'
import { findReferences } from './references.ts'

/** A call that is usable by itself. What it depends on is not known yet. */
interface Taken {
  readonly call: PlannedCall
  /** Which of all calls it is, from 1 on. */
  readonly number: number
  readonly lacksId: boolean
  readonly lacksArguments: boolean
}

/** As the prompt has them. */
const words: CallWords = { id: 'callId', name: 'toolName', arguments: 'arguments' }
const fields: readonly string[] = ['callId', 'toolName', 'arguments', 'dependsOn']

/** Reads the calls of a plan, part by part: what a list of them should look like, and what is wrong with this one. */
export class CallReader {
  private readonly strict: boolean
  private readonly ids = new Set<string>()
  /** The same, where they are taken as they are. */
  private readonly given = new Set<string>()
  private readonly taken: Taken[] = []
  private hasIds = false

  constructor(strict: boolean) {
    this.strict = strict
  }

  /**
   * `offset`: where the text that was searched begins; `place`: where it stands, all of it; `clean`: nothing had to be
   * mended around the list.
   */
  read(
    found: FoundValues,
    offset: number,
    place: Span,
    clean = true,
  ): { issues: Issue[]; complete: boolean } {
    const first = this.ids.size
    const asked = askCalls(found, {
      words,
      exact: this.strict,
      extra: dependencyWords,
      first,
      ids: this.ids,
    })
    const { values, complete } = asked
    const issues = asked.issues.filter(({ code }) => code !== 'section.invalid_json')
    const [value, ...others] = values
    const root = value?.at([])
    const mended = !clean || issues.some(isMended)
    const calls = asked.calls.flatMap((call, i) => {
      const isPlain = !Array.isArray(root) || isExact(root[i])
      return this.take(call, first + i + 1, issues, isPlain) ?? []
    })
    const { span } = asked
    if (this.strict && values.length > 0 && (others.length > 0 || !Array.isArray(root)))
      issues.push(planIssues.issue('invalid_tool_calls', {}, { span }))
    else if (this.strict && values.length > 0 && mended)
      issues.push(planIssues.issue('inexact_list', {}, { span }))
    else if (calls.length === 1 && others.length === 0 && isRecord(root) && !issues.some(isWrapped))
      issues.push(planIssues.issue('single_call', {}, { span }))
    const rejected = asked.calls.length - calls.length
    if (this.strict && rejected > 0)
      issues.push(planIssues.issue('rejected_list', { count: rejected }, { span }))
    const isUsable = !this.strict || !issues.some(isError)
    const placed = shiftIssues(issues, offset)
    if (values.length === 0) placed.push(planIssues.issue('invalid_tool_calls', {}, { span: place }))
    if (isUsable)
      for (const one of calls)
        this.taken.push({ ...one, call: { ...one.call, span: shift(one.call.span as Span, offset) } })
    if (asked.calls.some(({ lacksId }) => !lacksId)) this.hasIds = true
    return { issues: placed, complete }
  }

  /** The calls of all parts, with what they depend on. `said`: what is known to be wrong with the text. */
  finish(said: readonly Issue[]): { calls: readonly PlannedCall[]; issues: readonly Issue[] } {
    const issues: Issue[] = []
    const taken = this.strict ? this.taken : this.named(this.quoted(said, issues), issues)
    const linked = linkCalls(taken.map(({ call }) => call))
    issues.push(...linked.issues)
    return { calls: this.strict && issues.some(isError) ? [] : linked.calls, issues }
  }

  /** The call, if it is usable. `exact`: it has no fields that it should not have. */
  private take(asked: AskedCall, number: number, issues: Issue[], exact: boolean): Taken | undefined {
    const { span, nameSpan, lacksId, lacksArguments, extra } = asked
    issues.push(...asked.issues)
    if (asked.issues.some(isError)) return undefined
    if (asked.call.name.trim() === '') {
      issues.push(toolIssues.issue('missing_name', { field: words.name }, { span: nameSpan }))
      return undefined
    }
    const loose: Issue[] = []
    const dependsOn = readDependencies(extra, number, loose)
    issues.push(...loose)
    const call = { ...asked.call, span, dependsOn }
    if (this.strict) {
      if (!exact || lacksId || lacksArguments || asked.issues.length + loose.length > 0) {
        issues.push(planIssues.issue('inexact_call', { number }, { span }))
        return undefined
      }
      if (this.given.has(call.id)) {
        issues.push(planIssues.issue('repeated_call_id', { number, callId: call.id }, { span }))
        return undefined
      }
      this.given.add(call.id)
    }
    return { call, number, lacksId, lacksArguments }
  }

  // {"query": {{1.city}}}
  //            ^^^^^^^ the reader of JSON skips it
  /** Without calls in which a reference has no quotes: it is lost, and the arguments are not those that were meant. */
  private quoted(said: readonly Issue[], issues: Issue[]): readonly Taken[] {
    const lost = said.filter(isBareReference).map(({ span }) => span?.[0] ?? 0)
    if (lost.length === 0) return this.taken
    return this.taken.filter(({ call: { span = [0, 0] }, number }) => {
      if (!lost.some((at) => span[0] <= at && at < span[1])) return true
      issues.push(planIssues.issue('unquoted_reference', { number }, { span }))
      return false
    })
  }

  /** With ids for calls that have none. Where no call has one, and others are meant by their numbers, these are it. */
  private named(taken: readonly Taken[], issues: Issue[]): readonly Taken[] {
    const numbers = Array.from(this.ids, (_, i) => String(i + 1))
    const isNumbered = ({ call }: Taken) =>
      call.dependsOn?.some((one) => numbers.includes(one)) ||
      findReferences(call.arguments, numbers).used.size > 0
    const numbered = !this.hasIds && taken.some(isNumbered)
    if (numbered) issues.push(planIssues.issue('numbered_calls', {}, { span: taken[0]?.call.span }))
    return taken.map((one) => {
      const { number, lacksId, lacksArguments } = one
      const call = numbered ? { ...one.call, id: String(number) } : one.call
      const { id: callId, span } = call
      if (lacksId && !numbered)
        issues.push(planIssues.issue('generated_call_id', { number, callId }, { span }))
      if (lacksArguments) issues.push(planIssues.issue('no_arguments', { number }, { span }))
      return { ...one, call }
    })
  }
}

/** Whether a value has the fields of a call, and no other. */
function isExact(written: unknown): boolean {
  return isRecord(written) && Object.keys(written).every((key) => fields.includes(key))
}

/** Anything that is said of a list, but that it stands in a fence: so the specification has it. */
const isMended = ({ code, params }: Issue) =>
  code !== 'json.surrounded' || (params as { by?: unknown }).by !== 'fence'

const shift = ([start, end]: Span, offset: number): Span => [start + offset, end + offset]

const isError = ({ severity }: Issue) => severity === 'error'
const isBareReference = ({ code, params }: Issue) =>
  code === 'json.unexpected_text' && /^\{\s*[\w:-]/.test(String(params.text))
const isWrapped = ({ code }: Issue) => code === 'tool.wrapped_calls'
