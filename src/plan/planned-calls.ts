import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import type { Span } from '../core/span.ts'
import type { FoundValues } from '../section/found-value.ts'
import { shiftIssues } from '../section/shift-issues.ts'
import { type AskedCall, askCalls, type CallWords } from '../tool/ask-calls.ts'
import { toolIssues } from '../tool/issues.ts'
import type { RequestedCall } from '../tool/tool.ts'
import { planIssues } from './issues.ts'

export interface PlannedCalls {
  readonly calls: readonly RequestedCall[]
  readonly issues: readonly Issue[]
  readonly complete: boolean
}

/** As the prompt has them. */
const words: CallWords = { id: 'callId', name: 'toolName', arguments: 'arguments' }

/** Reads the calls of a plan, part by part: what a list of them should look like, and what is wrong with this one. */
export class CallReader {
  private readonly strict: boolean
  private readonly ids = new Set<string>()
  /** The same, where they are taken as they are. */
  private readonly given = new Set<string>()

  constructor(strict: boolean) {
    this.strict = strict
  }

  /**
   * `offset`: where the text that was searched begins; `place`: where it stands, all of it; `clean`: nothing had to be
   * mended around the list.
   */
  read(found: FoundValues, offset: number, place: Span, clean = true): PlannedCalls {
    const first = this.ids.size
    const asked = askCalls(found, { words, exact: this.strict, first, ids: this.ids })
    const { values, complete } = asked
    const issues = asked.issues.filter(({ code }) => code !== 'section.invalid_json')
    const [value, ...others] = values
    const root = value?.at([])
    const mended = !clean || issues.some(isMended)
    const calls = asked.calls.filter((call, i) =>
      this.isUsable(call, first + i + 1, issues, !Array.isArray(root) || isExact(root[i])),
    )
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
    return {
      calls: isUsable ? calls.map((one) => ({ ...one.call, span: shift(one.span, offset) })) : [],
      issues: placed,
      complete,
    }
  }

  /** `exact`: it has no fields that it should not have. */
  private isUsable(asked: AskedCall, number: number, issues: Issue[], exact: boolean): boolean {
    const { call, span, nameSpan, lacksId, lacksArguments } = asked
    issues.push(...asked.issues)
    if (asked.issues.some(isError)) return false
    if (call.name.trim() === '') {
      issues.push(toolIssues.issue('missing_name', { field: words.name }, { span: nameSpan }))
      return false
    }
    if (this.strict) {
      if (!exact || lacksId || lacksArguments || asked.issues.length > 0) {
        issues.push(planIssues.issue('inexact_call', { number }, { span }))
        return false
      }
      if (this.given.has(call.id)) {
        issues.push(planIssues.issue('repeated_call_id', { number, callId: call.id }, { span }))
        return false
      }
      this.given.add(call.id)
      return true
    }
    if (lacksId) issues.push(planIssues.issue('generated_call_id', { number, callId: call.id }, { span }))
    if (lacksArguments) issues.push(planIssues.issue('no_arguments', { number }, { span }))
    return true
  }
}

/** Whether a value has the fields of a call, and no other. */
function isExact(written: unknown): boolean {
  const fields: readonly (string | undefined)[] = Object.values(words)
  return isRecord(written) && Object.keys(written).every((key) => fields.includes(key))
}

/** Anything that is said of a list, but that it stands in a fence: so the specification has it. */
const isMended = ({ code, params }: Issue) =>
  code !== 'json.surrounded' || (params as { by?: unknown }).by !== 'fence'

const shift = ([start, end]: Span, offset: number): Span => [start + offset, end + offset]

const isError = ({ severity }: Issue) => severity === 'error'
const isWrapped = ({ code }: Issue) => code === 'tool.wrapped_calls'
