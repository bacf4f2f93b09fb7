import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { Read } from '../core/read.ts'
import type { Span } from '../core/span.ts'
import type { Source } from '../json/coerce/coercion.ts'
import { fold } from '../json/coerce/fold.ts'
import { fitValue } from '../json/fit-value.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { schemaIssues } from '../schema/issues.ts'
import { pathText } from '../schema/path-text.ts'
import { acceptCall } from './accepted-calls.ts'
import { argumentsInText } from './arguments-in-text.ts'
import { checkTool } from './define-tool.ts'
import { describeArgumentProblems, problemsOf } from './describe-arguments.ts'
import { describeTools } from './describe-tools.ts'
import { toolIssues } from './issues.ts'
import type { RequestedCall, Tool, ToolCall } from './tool.ts'

/** The tools that a model may call, by name. */
export interface ToolRegistry {
  readonly tools: readonly Tool[]
  names(): string[]
  has(name: string): boolean
  get(name: string): Tool | undefined
  /** Adds a tool. Throws a LegibleError when it is broken, or its name is taken. */
  register(tool: Tool): void
  /** Every tool with its fields, for a prompt. */
  describe(): string
  /**
   * Checks a call before anything runs: the tool exists, and its schema accepts the arguments, fitted to it where
   * they are nearly right. All that is wrong with the arguments is one issue, `tool.invalid_arguments`; the issues
   * it is made of are in its `params.issues`.
   */
  check(call: RequestedCall, source?: Source): Read<ToolCall>
  /** Checks a call that a program has made: the same, but nothing is fitted. */
  validate(call: ToolCall): Read<ToolCall>
}

/** All that is known of where a call stands is where all of it does. */
const sourceOf = ({ span }: RequestedCall): Source => ({ span: () => span, text: () => undefined })

export function createToolRegistry(tools: readonly Tool[] = []): ToolRegistry {
  const byName = new Map<string, Tool>()
  const registry: ToolRegistry = {
    get tools() {
      return [...byName.values()]
    },
    names: () => [...byName.keys()],
    has: (name) => byName.has(name),
    get: (name) => byName.get(name),
    register(tool) {
      checkTool(tool)
      // Names that differ in case only would be the same section.
      const taken = [...byName.keys()].find((name) => name.toLowerCase() === tool.name.toLowerCase())
      if (taken !== undefined)
        throw new LegibleError('tool.duplicate_name', `There are two tools named ${tool.name}.`)
      byName.set(tool.name, tool)
    },
    describe: () => describeTools(registry.tools),
    validate(call) {
      const tool = byName.get(call.name)
      if (!tool) return registry.check(call)
      const validated =
        tool.input === undefined ? undefined : compileSchema(tool.input).validate(call.arguments)
      if (!validated) return { ok: true, value: call, complete: true, issues: [] }
      if (validated.ok) {
        const value = { ...call, arguments: validated.value as Record<string, unknown> }
        return { ok: true, value, complete: true, issues: [] }
      }
      const issues = validated.problems.map(({ path, message }) =>
        schemaIssues.issue('invalid', { path: pathText(path), problem: message }, { path }),
      )
      return { ok: false, complete: true, issues: [refusal(tool, issues, undefined)] }
    },
    check(call, source = sourceOf(call)) {
      const { id, name, span } = call
      const place = { span: source.span([]) }
      const tool = byName.get(name)
      if (!tool) {
        const names = registry.names()
        const issue =
          name === ''
            ? toolIssues.issue('missing_name', { field: 'tool', tools: names }, place)
            : toolIssues.issue('unknown', { name, tools: names, closest: closest(name, names) }, place)
        return { ok: false, complete: true, issues: [issue] }
      }
      const checked = checkArguments(tool, call.arguments, source)
      const { issues } = checked
      if (!checked.ok) return { ok: false, complete: true, issues }
      const value = acceptCall({ id, name, arguments: checked.value, ...(span && { span }) }, tool)
      return { ok: true, value, complete: true, issues }
    },
  }
  for (const tool of tools) registry.register(tool)
  return registry
}

type Checked =
  | { readonly ok: true; readonly value: Record<string, unknown>; readonly issues: Issue[] }
  | { readonly ok: false; readonly issues: Issue[] }

function checkArguments(tool: Tool, given: unknown, source: Source): Checked {
  const place = { span: source.span([]) }
  const issues: Issue[] = []
  let value = given ?? {}
  let at = source
  const inner = argumentsInText(value)
  if (inner) {
    issues.push(toolIssues.issue('arguments_in_text', {}, place))
    value = inner
    // What stands within a string has no places of its own.
    at = { span: () => place.span, text: () => undefined }
  }
  if (!isRecord(value)) {
    const problem = `expected an object with named arguments, got ${kindOf(value)}`
    const issue = schemaIssues.issue('invalid', { path: '', problem }, { ...place, path: [] })
    return { ok: false, issues: [refusal(tool, [issue], place.span)] }
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
      issues: [
        ...issues.filter((issue) => !isError(issue)),
        refusal(tool, issues.filter(isError), place.span),
      ],
    }
  return { ok: true, value: fitted.value as Record<string, unknown>, issues }
}

/** All that is wrong with the arguments of a call, as one issue. */
function refusal(tool: Tool, issues: Issue[], span: Span | undefined): Issue {
  const problems = problemsOf(issues)
  const text = describeArgumentProblems(tool, problems)
  return toolIssues.issue('invalid_arguments', { tool: tool.name, problems, text, issues }, { span })
}

const isError = (issue: Issue) => issue.severity === 'error'

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  return typeof value === 'string' ? 'text' : `a ${typeof value}`
}

/** The tool whose name is nearly this one. It is only suggested: what runs is called by its name. */
function closest(name: string, names: readonly string[]): string {
  const folded = fold(name)
  const same = names.find((one) => fold(one) === folded)
  if (same !== undefined) return same
  return (
    names.find((one) => folded.length > 3 && (folded.endsWith(fold(one)) || fold(one).includes(folded))) ?? ''
  )
}
