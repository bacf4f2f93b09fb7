import { isRecord } from '../core/is-record.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { KnownTools } from '../dialects/known-tools.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import { isStandardSchema, type JsonSchema, type Schema } from '../schema/schema.ts'
import type { ToolRegistry } from './create-tool-registry.ts'

/**
 * A tool as far as reading needs it: ours, or what an API, an MCP server or another library calls one. The schema of
 * the arguments may be called `input`, `parameters`, `inputSchema` or `input_schema`.
 */
export type DeclaredTool =
  | {
      readonly name: string
      readonly description?: string | undefined
      readonly input?: Schema | undefined
      readonly parameters?: Schema | undefined
      readonly inputSchema?: Schema | undefined
      readonly input_schema?: Schema | undefined
    }
  | { readonly type: 'function'; readonly function: DeclaredTool }

/** Tools by name, ready to read calls with. */
export interface DeclaredTools extends KnownTools {
  schemaOf(name: string): Schema | undefined
  descriptionOf(name: string): string
}

const compiled = new WeakMap<object, DeclaredTools>()

/** Made once for each list. Throws a LegibleError when a tool has no name, or its schema is broken. */
export function declaredTools(given: readonly DeclaredTool[] | ToolRegistry | undefined): DeclaredTools {
  const list: readonly DeclaredTool[] = given === undefined ? [] : 'tools' in given ? given.tools : given
  const before = compiled.get(list)
  if (before && before.names.length === list.length) return before
  const schemas = new Map<string, Schema>()
  const descriptions = new Map<string, string>()
  for (const one of list) {
    if (!isRecord(one))
      throw new LegibleError('tool.invalid_tool', 'A tool is an object with a name and a schema.')
    const tool = unwrap(one)
    const { name, description } = tool
    if (typeof name !== 'string' || name === '')
      throw new LegibleError(
        'tool.invalid_name',
        'A tool needs a name, as in { name: "search", parameters: { … } }.',
      )
    const schema = tool.input ?? tool.parameters ?? tool.inputSchema ?? tool.input_schema
    schemas.set(name, schema === undefined ? noArguments : usual(schema))
    descriptions.set(name, description ?? '')
  }
  const names = [...schemas.keys()]
  const tools: DeclaredTools = {
    names,
    has: (name) => schemas.has(name),
    schemaOf: (name) => schemas.get(name),
    descriptionOf: (name) => descriptions.get(name) ?? '',
    shapeOf: (name) => {
      const schema = schemas.get(name)
      return schema === undefined ? undefined : compileSchema(schema).shape
    },
  }
  compiled.set(list, tools)
  return tools
}

const noArguments: JsonSchema = { type: 'object', properties: {} }

function unwrap(tool: DeclaredTool): Exclude<DeclaredTool, { readonly type: 'function' }> {
  return 'function' in tool ? unwrap(tool.function) : tool
}

/** Types that are no JSON Schema, but stand in the declarations of many tools. */
const typeNames: Readonly<Record<string, string | undefined>> = {
  dict: 'object',
  float: 'number',
  double: 'number',
  int: 'integer',
  long: 'integer',
  tuple: 'array',
  list: 'array',
  set: 'array',
  str: 'string',
  bool: 'boolean',
  any: undefined,
}

/** The schema with the types that JSON Schema knows. A schema that needs no change comes back as it is. */
function usual(schema: Schema): Schema {
  return isStandardSchema(schema) ? schema : (mend(schema, 0) as JsonSchema)
}

function mend(node: unknown, depth: number): unknown {
  if (depth > 64) return node
  if (Array.isArray(node)) {
    const items = node.map((item) => mend(item, depth + 1))
    return items.some((item, i) => item !== node[i]) ? items : node
  }
  if (!isRecord(node)) return node
  let result: Record<string, unknown> | undefined
  for (const [key, value] of Object.entries(node)) {
    const known = key === 'type' && typeof value === 'string' && Object.hasOwn(typeNames, value)
    const after = known ? typeNames[value] : mend(value, depth + 1)
    if (after === value) continue
    result ??= { ...node }
    if (after === undefined) delete result[key]
    else result[key] = after
  }
  return result ?? node
}
