import { isRecord } from '../../core/is-record.ts'
import { LegibleError } from '../../core/legible-error.ts'
import { createToolRegistry } from '../../tool/create-tool-registry.ts'
import type { Tool } from '../../tool/tool.ts'
import { isMcpClient, type McpClient, mcpTools } from './mcp-tools.ts'
import { isSdkTool, type SdkTool, sdkTools } from './sdk-tools.ts'

/**
 * Where tools come from: our own (also as a registry or a tool chain), an object of tools by their names, of the AI SDK
 * or our own, a connected MCP client, or a list of any of these.
 */
export type ToolSource =
  | Tool
  | { readonly tools: readonly Tool[] }
  | Readonly<Record<string, SdkTool | Tool>>
  | McpClient
  | readonly ToolSource[]

/**
 * Tools of whatever library as tools that a chain or a loop can run. Throws a LegibleError when one of them is not
 * usable, or two have the same name.
 */
export async function gatherTools(source: ToolSource): Promise<Tool[]> {
  const tools = await toolsOf(source, 0)
  return [...createToolRegistry(tools).tools]
}

const DEEPEST = 8

async function toolsOf(source: ToolSource, depth: number): Promise<readonly Tool[]> {
  if (Array.isArray(source) && depth < DEEPEST) {
    const lists = await Promise.all(source.map((one) => toolsOf(one, depth + 1)))
    return lists.flat()
  }
  if (!isRecord(source)) throw notASource()
  if (isMcpClient(source)) return mcpTools(source)
  // Before a tool is looked for: a chain has a name and runs, too.
  if (Array.isArray(source.tools)) return source.tools
  if (isTool(source)) return [source]
  if (isSdkTool(source))
    throw new LegibleError(
      'tool.invalid_source',
      'A tool of the AI SDK does not know its name: give an object, as in { search: tool({ … }) }.',
    )
  // A promise, a map or a date has no tools among its members, and would be taken for an empty list.
  if (Object.getPrototypeOf(source) !== Object.prototype && Object.getPrototypeOf(source) !== null)
    throw notASource()
  const own = Object.values(source).filter((one) => isRecord(one) && isTool(one)) as unknown as Tool[]
  const others = Object.entries(source).filter(([, one]) => !(isRecord(one) && isTool(one)))
  if (!others.every(([, one]) => isSdkTool(one))) throw notASource()
  return [...own, ...(await sdkTools(Object.fromEntries(others) as Readonly<Record<string, SdkTool>>))]
}

function isTool(source: Record<string, unknown>): source is Record<string, unknown> & Tool {
  return typeof source.name === 'string' && typeof source.run === 'function'
}

const notASource = () =>
  new LegibleError(
    'tool.invalid_source',
    'Tools are given as a list of tools made by defineTool, an object of tools by their names, a connected MCP client, or a list of these.',
  )
