// A small MCP server for tests, as a process of its own: over standard input and output, or with --http over Streamable
// HTTP on a free port of 127.0.0.1, whose address it prints.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js'
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js'
import {
  CallToolRequestSchema,
  type CallToolResult,
  ListToolsRequestSchema,
  type Tool,
} from '@modelcontextprotocol/sdk/types.js'

type Run = (args: Record<string, unknown>, signal: AbortSignal) => CallToolResult | Promise<CallToolResult>

const text = (words: string): CallToolResult => ({ content: [{ type: 'text', text: words }] })
const object = (properties: Record<string, object> = {}, required: string[] = []): Tool['inputSchema'] => ({
  type: 'object',
  properties,
  required,
})
let cancelled = 0

const tools: (Omit<Tool, 'name'> & { name: string; run: Run })[] = [
  {
    name: 'add',
    description: 'Adds two numbers.',
    inputSchema: object({ a: { type: 'number' }, b: { type: 'number' } }, ['a', 'b']),
    outputSchema: object({ sum: { type: 'number' } }, ['sum']),
    run: ({ a, b }) => {
      const structuredContent = { sum: (a as number) + (b as number) }
      return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent }
    },
  },
  // Neither this name nor the missing description is as we have them.
  { name: 'files/read all', inputSchema: object(), run: () => text('read by its real name') },
  { name: 'files_read_all', inputSchema: object(), run: () => text('the other one') },
  {
    name: 'picture',
    description: 'Shows something.',
    inputSchema: object(),
    run: () => ({
      content: [
        { type: 'text', text: 'Here it is:' },
        { type: 'image', data: 'iVBORw==', mimeType: 'image/png' },
        { type: 'audio', data: 'UklGRg==', mimeType: 'audio/wav' },
        { type: 'resource', resource: { uri: 'file:///a.txt', mimeType: 'text/plain', text: 'the text' } },
        { type: 'resource', resource: { uri: 'file:///a.zip', mimeType: 'application/zip', blob: 'UEs=' } },
        { type: 'resource_link', uri: 'file:///b.txt', name: 'b', description: 'more' },
      ],
    }),
  },
  {
    name: 'fail',
    description: 'Fails.',
    inputSchema: object(),
    run: () => ({ ...text('the disk is full'), isError: true }),
  },
  {
    name: 'refuse',
    description: 'Breaks the protocol.',
    inputSchema: object(),
    run: () => {
      throw new Error('nobody is at home')
    },
  },
  {
    name: 'wait',
    description: 'Waits until it is cancelled.',
    inputSchema: object(),
    run: (_, signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', () => {
          cancelled++
          resolve(text('cancelled'))
        })
      }),
  },
  {
    name: 'cancelled',
    description: 'How many waits were cancelled.',
    inputSchema: object(),
    run: () => text(String(cancelled)),
  },
  {
    name: 'die',
    description: 'Ends the server, in the middle of an answer.',
    inputSchema: object(),
    run: async () => {
      // Over HTTP the answer has begun by then.
      await new Promise((resolve) => setTimeout(resolve, 100))
      process.exit(7)
    },
  },
]

/** Lists its tools three at a time. */
function serverOf(): Server {
  const server = new Server({ name: 'test', version: '1.0.0' }, { capabilities: { tools: {} } })
  server.setRequestHandler(ListToolsRequestSchema, ({ params }) => {
    const start = Number(params?.cursor ?? 0)
    const page = tools.slice(start, start + 3).map(({ run, ...tool }) => tool)
    return { tools: page, ...(start + 3 < tools.length && { nextCursor: String(start + 3) }) }
  })
  server.setRequestHandler(CallToolRequestSchema, ({ params }, { signal }) => {
    const tool = tools.find(({ name }) => name === params.name)
    if (!tool) throw new Error(`there is no tool ${params.name}`)
    return tool.run(params.arguments ?? {}, signal)
  })
  return server
}

const sessions = new Map<string, StreamableHTTPServerTransport>()

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const known = sessions.get(String(request.headers['mcp-session-id']))
  if (known) return known.handleRequest(request, response)
  const transport = new StreamableHTTPServerTransport({
    sessionIdGenerator: () => randomUUID(),
    onsessioninitialized: (id) => void sessions.set(id, transport),
  })
  await serverOf().connect(transport)
  return transport.handleRequest(request, response)
}

if (process.argv.includes('--http')) {
  const server = createServer((request, response) => void answer(request, response))
  server.listen(0, '127.0.0.1', () => {
    const { port } = server.address() as AddressInfo
    process.stdout.write(`http://127.0.0.1:${port}/mcp\n`)
  })
} else {
  await serverOf().connect(new StdioServerTransport())
}
