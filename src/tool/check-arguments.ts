import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import type { Span } from '../core/span.ts'
import type { Source } from '../json/coerce/coercion.ts'
import { fitValue } from '../json/fit-value.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { schemaIssues } from '../schema/issues.ts'
import { argumentsInText, duplicateInText } from './arguments-in-text.ts'
import { describeArgumentProblems, problemsOf } from './describe-arguments.ts'
import { toolIssues } from './issues.ts'
import type { Tool } from './tool.ts'

/** All of a tool that its arguments are checked with. */
export type ToolInputs = Pick<Tool, 'name' | 'input'>

/** What a schema says about arguments. The value is there also where it does not fit, as far as it could be fitted. */
export interface CheckedArguments {
  readonly ok: boolean
  readonly value: Record<string, unknown>
  readonly issues: Issue[]
}

/** Fits the arguments of a call to the schema of its tool. */
export function checkArguments(tool: ToolInputs, given: unknown, source: Source): CheckedArguments {
  const place = { span: source.span([]) }
  const issues: Issue[] = []
  let value = given ?? {}
  let at = source
  const inner = argumentsInText(value)
  if (inner) {
    const key = duplicateInText(value)
    if (key !== undefined)
      return { ok: false, value: inner, issues: [toolIssues.issue('duplicate_key', { key }, place)] }
    issues.push(toolIssues.issue('arguments_in_text', {}, place))
    value = inner
    // What stands within a string has no places of its own.
    at = { span: () => place.span, text: () => undefined }
  }
  if (!isRecord(value)) {
    const problem = `expected an object with named arguments, got ${kindOf(value)}`
    const issue = schemaIssues.issue('invalid', { path: '', problem }, { ...place, path: [] })
    return { ok: false, value: {}, issues: [refuseArguments(tool, [issue], place.span)] }
  }
  if (tool.input === undefined) {
    for (const key of Object.keys(value).slice(0, 8))
      issues.push(toolIssues.issue('ignored_key', { key }, { span: source.span([key], true) }))
    return { ok: true, value: {}, issues }
  }
  const fitted = fitValue(value, compileSchema(tool.input), at)
  issues.push(...fitted.issues)
  if (!fitted.ok)
    return {
      ok: false,
      value: fitted.value as Record<string, unknown>,
      issues: [
        ...issues.filter((issue) => !isError(issue)),
        refuseArguments(tool, issues.filter(isError), place.span),
      ],
    }
  return { ok: true, value: fitted.value as Record<string, unknown>, issues }
}

/** All that is wrong with the arguments of a call, as one issue. */
export function refuseArguments(tool: ToolInputs, issues: Issue[], span: Span | undefined): Issue {
  const problems = problemsOf(issues)
  const text = describeArgumentProblems(tool, problems)
  return toolIssues.issue('invalid_arguments', { tool: tool.name, problems, text, issues }, { span })
}

const isError = (issue: Issue) => issue.severity === 'error'

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'string' ? 'text' : `a ${typeof value}`
}
