import { isRecord } from '../core/is-record.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { Schema } from '../schema/schema.ts'
import { createToolRegistry, type ToolRegistry } from '../tool/create-tool-registry.ts'
import type { Tool } from '../tool/tool.ts'
import { type FileKind, loadFile } from './load-file.ts'
import { UsageError } from './usage-error.ts'

const kind: FileKind = {
  code: 'cli.invalid_tools',
  name: 'a list of tools',
  pick: (module) => module?.default ?? module?.tools,
}

/**
 * The tools in a file, for reading only: nothing runs. JSON or YAML with names and JSON Schemas, in the form of any of
 * the usual APIs; or a module that exports tools, a registry or a tool chain.
 */
export function loadTools(file: string): ToolRegistry {
  const fail = (problem: string, cause?: unknown) =>
    new UsageError(kind.code, `${file}: ${problem}`, { cause })
  let found = loadFile(file, kind)
  if (isRecord(found) && Array.isArray(found.tools)) found = found.tools
  if (!Array.isArray(found)) throw fail('expected a list of tools: [{ name, description, parameters }, …]')
  try {
    return createToolRegistry(found.map(asTool))
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw fail(error.message, error)
  }
}

/** `{name, description, parameters}`, also with the schema as `inputSchema`, `input_schema` or `input`. */
function asTool(given: unknown, index: number): Tool {
  // {"type": "function", "function": {…}}
  const one = isRecord(given) && isRecord(given.function) ? given.function : given
  if (!isRecord(one))
    throw new LegibleError('tool.invalid', `tool ${index + 1} is not an object with a name and a schema.`)
  const { name, description, run } = one
  const input = one.input ?? one.inputSchema ?? one.input_schema ?? one.parameters
  return {
    name: name as string,
    // Some APIs need none, and nothing is described here.
    description: (description || name) as string,
    input: (input ?? undefined) as Schema | undefined,
    run: typeof run === 'function' ? (run as Tool['run']) : () => undefined,
  }
}
