import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import type { FoundCall } from '../dialects/found-call.ts'
import type { IdentifiedCall } from '../dialects/read/parts-out.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { schemaIssues } from '../schema/issues.ts'
import { pathText } from '../schema/path-text.ts'
import { checkArguments, refuseArguments } from './check-arguments.ts'
import type { DeclaredTools } from './declared-tools.ts'
import type { WrittenCall } from './tool-calls.ts'
import { unknownTool } from './unknown-tool.ts'

/**
 * What the tools say about a call that was found, the one at `index`: its arguments are fitted to the schema, and what
 * is wrong is said. It comes back also when it cannot run.
 */
export function checkCall(call: IdentifiedCall, index: number, tools: DeclaredTools): CheckedCall {
  const { id, name, span, complete } = call
  const { value, issues } = check(call, tools)
  return {
    call: { id, name, arguments: value, span, complete },
    issues: issues.map((issue) => ({
      ...issue,
      path: ['calls', index, ...(issue.path ? ['arguments', ...issue.path] : [])],
    })),
  }
}

export interface CheckedCall {
  readonly call: WrittenCall
  readonly issues: readonly Issue[]
}

function check(call: FoundCall, tools: DeclaredTools): { value: Record<string, unknown>; issues: Issue[] } {
  const { name, span, arguments: given } = call
  const source = { span: () => span, text: () => undefined }
  const schema = tools.schemaOf(name)
  if (schema === undefined) {
    const value = isRecord(given) ? given : {}
    return { value, issues: tools.names.length === 0 ? [] : [unknownTool(name, tools.names, span)] }
  }
  const tool = { name, input: schema }
  const checked = checkArguments(tool, given, source)
  if (!isRecord(given)) return checked
  const { value, lost } = asWritten(given, checked.value, checked.issues)
  if (lost.size === 0) return { value, issues: checked.issues }
  const issues = checked.issues.filter((issue) => !lost.has(issue))
  if (checked.ok) {
    const validated = compileSchema(schema).validate(value)
    if (!validated.ok) {
      const problems = validated.problems.map(({ path, message }) =>
        schemaIssues.issue('invalid', { path: pathText(path), problem: message }, { path, span }),
      )
      issues.push(refuseArguments(tool, problems, span))
    }
  }
  return { value, issues }
}

/** Repairs that lose something: good enough for a value in prose, too much for what a tool does with it. */
const lossy = ['json.rounded', 'json.list_to_single']

/** An argument that could only be fitted with a loss stays as the model wrote it, and so does one that does not fit. */
function asWritten(
  given: Record<string, unknown>,
  fitted: Record<string, unknown>,
  issues: readonly Issue[],
): { value: Record<string, unknown>; lost: Set<Issue> } {
  const lost = new Set<Issue>()
  const value = { ...fitted }
  const keep = (key: PropertyKey | undefined) => {
    if (typeof key === 'string' && Object.hasOwn(given, key)) value[key] = given[key]
  }
  for (const issue of issues) {
    if (lossy.includes(issue.code)) {
      keep(issue.path?.[0])
      lost.add(issue)
    } else if (issue.code === 'tool.invalid_arguments')
      for (const one of (issue.params.issues ?? []) as readonly Issue[]) keep(one.path?.[0])
    else if (issue.severity === 'warning') keep(issue.path?.[0])
  }
  return { value: issues.length === 0 ? fitted : value, lost }
}
