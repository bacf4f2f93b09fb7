import type { Issue } from '../core/issue.ts'
import { describeFields } from '../schema/describe-schema.ts'
import type { Tool } from './tool.ts'

/** What is wrong with the arguments of a call, for a model: all problems, then the fields. The same words for all. */
export function describeArgumentProblems(
  tool: Pick<Tool, 'name' | 'input'>,
  problems: readonly string[],
): string {
  const lines = problems.map((problem) => `- ${problem}`)
  return [`The arguments of ${tool.name} do not fit:`, ...lines, describeArguments(tool)].join('\n')
}

/** The fields of a tool: name, whether it is required, type, and what it is for. */
export function describeArguments(tool: Pick<Tool, 'name' | 'input'>): string {
  if (tool.input === undefined) return `${tool.name} takes no arguments.`
  // The example's notes are a list of the fields; its JSON cannot hold this line.
  const fields = describeFields(tool.input)
  return fields === '' ? `${tool.name} takes an object.` : `The fields of ${tool.name} are:\n${fields}`
}

export function problemsOf(issues: readonly Issue[]): string[] {
  const found = issues
    .filter((issue) => issue.severity === 'error')
    .map((issue) => issue.hint ?? issue.message)
  const most = 20
  return found.length > most ? [...found.slice(0, most), `And ${found.length - most} more.`] : found
}
