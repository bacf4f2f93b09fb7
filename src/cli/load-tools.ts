import { isRecord } from '../core/is-record.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { Schema } from '../schema/schema.ts'
import { createToolRegistry, type ToolRegistry } from '../tool/create-tool-registry.ts'
import { type DeclaredTool, declaredTools } from '../tool/declared-tools.ts'
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
  return fromFile(file, (found) => createToolRegistry(toolList(found).map(asTool)))
}

/** The same for readers that need no registry: they also take the names and types of other languages' tools. */
export function loadDeclaredTools(file: string): readonly DeclaredTool[] {
  return fromFile(file, (found) => {
    const tools = toolList(found)
    const declared = declaredTools(tools)
    // A broken schema is told now, and not by the first text that calls its tool.
    for (const name of declared.names) declared.shapeOf(name)
    return tools
  })
}

function fromFile<T>(file: string, make: (found: unknown) => T): T {
  const found = loadFile(file, kind)
  try {
    return make(found)
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError(kind.code, `${file}: ${error.message}`, { cause: error })
  }
}

type PlainTool = Exclude<DeclaredTool, { readonly type: 'function' }>

/**
 * `[{name, description, parameters}, …]`, also as `{tools: […]}`, and with the schema as `inputSchema`, `input_schema`
 * or `input`. Throws a LegibleError for anything else.
 */
export function toolList(given: unknown): PlainTool[] {
  const list = isRecord(given) && Array.isArray(given.tools) ? given.tools : given
  if (!Array.isArray(list))
    throw new LegibleError('tool.invalid', 'expected a list of tools: [{ name, description, parameters }, …]')
  return list.map(plainTool)
}

function plainTool(given: unknown, index: number): PlainTool {
  // {"type": "function", "function": {…}}
  const one = isRecord(given) && isRecord(given.function) ? given.function : given
  if (!isRecord(one))
    throw new LegibleError('tool.invalid', `tool ${index + 1} is not an object with a name and a schema.`)
  const { name, description } = one
  const input = one.input ?? one.inputSchema ?? one.input_schema ?? one.parameters ?? undefined
  return {
    name: name as string,
    // Some APIs need none, and nothing is described here.
    description: (description || name) as string,
    input: input as Schema | undefined,
  }
}

/** A registry holds tools that could run. */
const asTool = ({ name, description, input }: PlainTool): Tool => ({
  name,
  description: description as string,
  input,
  run: () => undefined,
})
