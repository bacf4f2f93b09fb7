import { LegibleError } from '../core/legible-error.ts'
import type { Read } from '../core/read.ts'
import type { Source } from '../json/coerce/coercion.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { schemaIssues } from '../schema/issues.ts'
import { pathText } from '../schema/path-text.ts'
import { acceptCall } from './accepted-calls.ts'
import { checkArguments, refuseArguments } from './check-arguments.ts'
import { checkTool } from './define-tool.ts'
import { describeTools } from './describe-tools.ts'
import type { RequestedCall, Tool, ToolCall } from './tool.ts'
import { unknownTool } from './unknown-tool.ts'

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
      return { ok: false, complete: true, issues: [refuseArguments(tool, issues, undefined)] }
    },
    check(call, source = sourceOf(call)) {
      const { id, name, span } = call
      const place = { span: source.span([]) }
      const tool = byName.get(name)
      if (!tool) {
        const names = registry.names()
        return { ok: false, complete: true, issues: [unknownTool(name, names, place.span)] }
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
