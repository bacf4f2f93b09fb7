import { isRecord } from '../../core/is-record.ts'
import { LegibleError } from '../../core/legible-error.ts'
import type { Schema } from '../../schema/schema.ts'
import { defineTool } from '../../tool/define-tool.ts'
import type { Tool } from '../../tool/tool.ts'
import { mcpResult } from './mcp-result.ts'
import { usableNames } from './usable-names.ts'

/** A connected client of an MCP server: that of `@modelcontextprotocol/sdk`, or that of `@ai-sdk/mcp`. */
export interface McpClient {
  listTools(...args: never[]): Promise<unknown>
  callTool(...args: never[]): Promise<unknown>
}

// A server is somebody else's program: it may list tools without end, and describe them at any length.
const MOST_TOOLS = 512
const MOST_PAGES = 128
const LONGEST_DESCRIPTION = 8192
const LIST_TIMEOUT = 30_000
/** Time limits of the caller are shorter; this one is for a server that vanished without a word. */
const CALL_TIMEOUT = 300_000

interface Declaration extends Record<string, unknown> {
  readonly name: string
}

interface RequestOptions {
  readonly timeout: number
  readonly signal?: AbortSignal
}

/** The two clients ask for the same in different places. */
interface Connection {
  list(cursor: string | undefined, options: RequestOptions): Promise<unknown>
  call(name: string, args: Record<string, unknown>, options: RequestOptions): Promise<unknown>
}

export function isMcpClient(source: object): source is McpClient {
  const { listTools, callTool } = source as Partial<McpClient>
  return typeof listTools === 'function' && typeof callTool === 'function'
}

/** The tools of a server, called there under the names that they have there. */
export async function mcpTools(client: McpClient): Promise<Tool[]> {
  const connection = connect(client)
  const declarations = await listAll(connection)
  const names = usableNames(declarations.map(({ name }) => name))
  return declarations.map((declaration, index) => makeTool(names[index] as string, declaration, connection))
}

function connect(given: McpClient): Connection {
  const client = given as {
    listTools(...args: unknown[]): Promise<unknown>
    callTool(...args: unknown[]): Promise<unknown>
  }
  // Only that of @ai-sdk/mcp makes tools of its own.
  if ('tools' in given)
    return {
      list: (cursor, options) =>
        client.listTools({ ...(cursor !== undefined && { params: { cursor } }), options }),
      call: (name, args, options) => client.callTool({ name, arguments: args, options }),
    }
  return {
    list: (cursor, options) => client.listTools(cursor === undefined ? {} : { cursor }, options),
    call: (name, args, options) => client.callTool({ name, arguments: args }, undefined, options),
  }
}

async function listAll(connection: Connection): Promise<Declaration[]> {
  const found: Declaration[] = []
  let cursor: string | undefined
  for (let page = 0; page < MOST_PAGES; page++) {
    const answer = await ask(connection, cursor)
    const { tools, nextCursor } = isRecord(answer) ? answer : {}
    if (!Array.isArray(tools)) throw listFailed('its answer holds no list')
    for (const tool of tools) {
      if (!isRecord(tool) || typeof tool.name !== 'string') throw listFailed('a tool in it has no name')
      if (found.push(tool as Declaration) > MOST_TOOLS) throw tooMany()
    }
    if (typeof nextCursor !== 'string') return found
    cursor = nextCursor
  }
  throw tooMany()
}

async function ask(connection: Connection, cursor: string | undefined): Promise<unknown> {
  try {
    return await connection.list(cursor, { timeout: LIST_TIMEOUT })
  } catch (error) {
    throw listFailed(wordsOf(error), error)
  }
}

const listFailed = (problem: string, cause?: unknown) =>
  new LegibleError('mcp.list_failed', `The MCP server did not list its tools: ${problem}.`, { cause })

const tooMany = () =>
  new LegibleError(
    'mcp.too_many_tools',
    `The MCP server lists more than ${MOST_TOOLS} tools, or does not stop listing: no model could choose among them.`,
  )

function makeTool(name: string, declaration: Declaration, connection: Connection): Tool {
  const { name: realName, description, title, inputSchema } = declaration
  const words = [description, title].find((text) => typeof text === 'string' && text.trim() !== '')
  const text = String(words ?? `The tool ${realName}.`)
  const tool = defineTool({
    name,
    description: text.length > LONGEST_DESCRIPTION ? `${text.slice(0, LONGEST_DESCRIPTION)}…` : text,
    input: (inputSchema ? withoutPatterns(inputSchema, 0) : undefined) as Schema | undefined,
    run: async (input, { signal }) =>
      mcpResult(await call(connection, realName, input as Record<string, unknown>, signal)),
  })
  return tool as Tool
}

/**
 * The schema of a server without its regular expressions: one that takes for ever to match would stop this process. The
 * model reads them all the same, and the server checks them.
 */
function withoutPatterns(node: unknown, depth: number): unknown {
  if (depth > 64) return true
  if (Array.isArray(node)) return node.map((one) => withoutPatterns(one, depth + 1))
  if (!isRecord(node)) return node
  const kept: [string, unknown][] = []
  for (const [key, value] of Object.entries(node)) {
    if (key === 'patternProperties' || (key === 'pattern' && typeof value === 'string')) continue
    kept.push([key, key === 'enum' || key === 'const' ? value : withoutPatterns(value, depth + 1)])
  }
  const { pattern, description } = node
  if (typeof pattern === 'string')
    kept.push(['description', [description, `(matches ${pattern.slice(0, 200)})`].filter(Boolean).join(' ')])
  return Object.fromEntries(kept)
}

async function call(
  connection: Connection,
  name: string,
  args: Record<string, unknown>,
  signal: AbortSignal,
): Promise<unknown> {
  try {
    return await connection.call(name, args, { timeout: CALL_TIMEOUT, signal })
  } catch (error) {
    throw new Error(`the MCP server gave no result: ${wordsOf(error)}`, { cause: error })
  }
}

const LONGEST_PROBLEM = 1000

function wordsOf(error: unknown): string {
  const words = error instanceof Error ? error.message : String(error)
  return words.slice(0, LONGEST_PROBLEM).replace(/\.$/, '')
}
