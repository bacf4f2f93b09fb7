import type { McpClient } from '../agent/tools/mcp-tools.ts'
import { loadPackage } from '../model/load-package.ts'
import { UsageError } from './usage-error.ts'

const PACKAGE = '@modelcontextprotocol/sdk@1'
const CONNECT_TIMEOUT = 30_000
/** How much of what a server complains about is shown when it does not start. */
const LONGEST_COMPLAINT = 2000

/** An MCP server: the address of one that runs, or the command that starts one, which then ends with us. */
export async function connectMcp(server: string): Promise<{ source: McpClient; close(): Promise<void> }> {
  if (server === '') throw invalid(server, 'say which: mcp:https://… or mcp:COMMAND')
  const { Client } = await load(() => import('@modelcontextprotocol/sdk/client/index.js'))
  const client = new Client({ name: 'legible', version: '1' })
  let complaint = ''
  try {
    if (/^https?:\/\//.test(server)) {
      const { StreamableHTTPClientTransport } = await load(
        () => import('@modelcontextprotocol/sdk/client/streamableHttp.js'),
      )
      const transport = new StreamableHTTPClientTransport(new URL(server))
      await client.connect(transport as Parameters<typeof client.connect>[0], { timeout: CONNECT_TIMEOUT })
    } else {
      const { StdioClientTransport } = await load(() => import('@modelcontextprotocol/sdk/client/stdio.js'))
      const [command = '', ...args] = wordsOf(server)
      const transport = new StdioClientTransport({ command, args, stderr: 'pipe' })
      // Its words would stand in the midst of ours.
      transport.stderr?.on('data', (chunk) => {
        complaint = `${complaint}${chunk}`.slice(-LONGEST_COMPLAINT)
      })
      await client.connect(transport, { timeout: CONNECT_TIMEOUT })
    }
  } catch (error) {
    await client.close().catch(() => {})
    const problem = error instanceof Error ? error.message : String(error)
    throw invalid(server, [problem, complaint.trim()].filter(Boolean).join('\n'), error)
  }
  return { source: client as unknown as McpClient, close: () => client.close() }
}

async function load<T>(module: () => Promise<T>): Promise<T> {
  try {
    return await loadPackage(PACKAGE, module, 'A tool of an MCP server')
  } catch (error) {
    throw new UsageError('cli.invalid_tools', (error as Error).message, { cause: error })
  }
}

const invalid = (server: string, problem: string, cause?: unknown) =>
  new UsageError('cli.invalid_tools', `mcp:${server}: ${problem}`, { cause })

/** The words of a command, parted by spaces that stand in no quotes. There is no shell. */
function wordsOf(command: string): string[] {
  const words = command.matchAll(/(?:[^\s"']+|"[^"]*"|'[^']*')+/g)
  return [...words].map(([word]) => word.replace(/"([^"]*)"|'([^']*)'/g, '$1$2'))
}
