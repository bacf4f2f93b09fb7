import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as SdkStdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js'
import { Server } from '@modelcontextprotocol/sdk/server/index.js'
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { xml } from '../../text/xml.ts'
import { jsonToolChain } from '../../tool/json-tool-chain.ts'
import type { ExecuteOptions } from '../../tool/tool-chain.ts'
import { gatherTools } from './gather-tools.ts'
import type { McpClient } from './mcp-tools.ts'

vi.setConfig({ testTimeout: 20_000 })

const command = process.execPath
const args = [fileURLToPath(new URL('../../../tests/mcp-server.ts', import.meta.url))]
const ends: (() => unknown)[] = []
afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end()
})

async function serveHttp(): Promise<{ url: string; server: ChildProcess }> {
  const server = spawn(command, [...args, '--http'], { stdio: ['ignore', 'pipe', 'inherit'] })
  ends.push(() => server.kill())
  const [url] = await once(createInterface(server.stdout), 'line')
  return { url, server }
}

async function official(transport: Parameters<Client['connect']>[0]): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' })
  ends.push(() => client.close())
  await client.connect(transport)
  return client
}

async function ofSdk(transport: Parameters<typeof createMCPClient>[0]['transport']): Promise<McpClient> {
  const client = await createMCPClient({ transport, onUncaughtError: () => {} })
  ends.push(() => client.close())
  return client
}

const clients: Record<string, () => Promise<McpClient>> = {
  'official, stdio': () => official(new StdioClientTransport({ command, args })),
  'official, HTTP': async () => {
    const { url } = await serveHttp()
    return official(new StreamableHTTPClientTransport(new URL(url)))
  },
  '@ai-sdk/mcp, stdio': () => ofSdk(new SdkStdioTransport({ command, args })),
  '@ai-sdk/mcp, HTTP': async () => ofSdk({ type: 'http', url: (await serveHttp()).url }),
}

async function callerOf(client: McpClient) {
  const chain = jsonToolChain({ tools: await gatherTools(client) })
  return async (tool: string, args: object = {}, options: Partial<ExecuteOptions> = {}) => {
    const result = await chain.execute(JSON.stringify({ tool, args }), { format: xml(), ...options })
    return { ...result, output: result.raw.results[0]?.output, error: result.raw.errors[0] }
  }
}

describe.each(Object.entries(clients))('%s', (name, connect) => {
  it('lists, calls, shows, fails, cancels, and dies', async () => {
    const client = await connect()
    const tools = await gatherTools(client)
    expect(tools.map((tool) => tool.name)).toEqual([
      'add',
      'files_read_all_2',
      'files_read_all',
      'picture',
      'fail',
      'refuse',
      'wait',
      'cancelled',
      'die',
    ])
    expect(tools.slice(0, 2).map((tool) => tool.description)).toEqual([
      'Adds two numbers.',
      'The tool files/read all.',
    ])

    const call = await callerOf(client)
    // The schema of the server fits the arguments, as with any other tool.
    expect((await call('add', { a: '1', b: 2 })).output).toEqual({ sum: 3 })
    expect((await call('add', { a: 'x' })).error?.code).toBe('tool.invalid_arguments')
    expect((await call('files_read_all_2')).output).toBe('read by its real name')
    expect((await call('files_read_all')).output).toBe('the other one')

    const picture = await call('picture')
    expect(picture.output).toBe('Here it is:\nfile:///a.txt:\nthe text\nb: file:///b.txt (more)')
    expect(picture.media).toEqual([
      { type: 'image', mediaType: 'image/png', data: 'iVBORw==' },
      { type: 'audio', mediaType: 'audio/wav', data: 'UklGRg==' },
      { type: 'file', mediaType: 'application/zip', data: 'UEs=', name: 'file:///a.zip' },
    ])

    const failed = await call('fail')
    expect(failed.error?.code).toBe('tool.failed')
    expect(failed.text).toContain('the disk is full')
    const refused = await call('refuse')
    expect(refused.error?.code).toBe('tool.failed')
    expect(refused.text).toContain('the MCP server gave no result: ')
    expect(refused.text).toContain('nobody is at home')

    const stop = new AbortController()
    setTimeout(() => stop.abort(), 100)
    expect((await call('wait', {}, { signal: stop.signal })).error?.code).toBe('tool.aborted')
    expect((await call('wait', {}, { timeout: 100 })).error?.code).toBe('tool.timeout')
    // The server learns of it from a client that tells it.
    const told = name.startsWith('official') ? '2' : '0'
    await vi.waitFor(async () => expect((await call('cancelled')).output).toBe(told), { timeout: 3000 })

    const { error, text } = await call('die', {}, { timeout: 500 })
    // An answer over HTTP that breaks off is no news to either client: the time limit finds out.
    if (name.endsWith('HTTP')) expect(error?.code).toBe('tool.timeout')
    else {
      expect(error?.code).toBe('tool.failed')
      expect(text).toMatch(/the MCP server gave no result: .*Connection closed/)
    }
    const after = await call('add', { a: 1, b: 2 }, { timeout: 500 })
    expect(after.error?.code).toBe('tool.failed')
    expect(after.text).toContain('the MCP server gave no result: ')
  })
})

describe('servers that mean no good', () => {
  type Page = { tools: object[]; nextCursor?: string }
  async function serverThat(list: (cursor: string | undefined) => Page): Promise<Client> {
    const server = new Server({ name: 'test', version: '1.0.0' }, { capabilities: { tools: {} } })
    server.setRequestHandler(ListToolsRequestSchema, ({ params }) => list(params?.cursor) as never)
    server.setRequestHandler(CallToolRequestSchema, ({ params }) => ({
      content: [{ type: 'text', text: params.name }],
    }))
    const [there, here] = InMemoryTransport.createLinkedPair()
    await server.connect(there)
    return official(here)
  }
  const inputSchema = { type: 'object' }
  const codeOf = (client: McpClient) =>
    gatherTools(client).then(
      () => 'none',
      (error) => error.code,
    )

  it('do not list without end', async () => {
    let asked = 0
    const endless = await serverThat(() => ({ tools: [], nextCursor: String(asked++) }))
    expect(await codeOf(endless)).toBe('mcp.too_many_tools')
    expect(asked).toBeLessThan(1000)
    const many = Array.from({ length: 513 }, (_, i) => ({ name: `tool${i}`, inputSchema }))
    expect(await codeOf(await serverThat(() => ({ tools: many })))).toBe('mcp.too_many_tools')
    expect(await gatherTools(await serverThat(() => ({ tools: many.slice(1) })))).toHaveLength(512)
  })

  it('do not talk without end', async () => {
    const client = await serverThat(() => ({
      tools: [{ name: 'a', description: 'x'.repeat(1e6), inputSchema }],
    }))
    const [tool] = await gatherTools(client)
    expect(tool?.description).toHaveLength(8193)
  })

  it.each([
    [{ type: 'object', properties: { a: { type: 'nonsense' } } }, 'tool.invalid_schema'],
    [{ type: 'object', properties: { a: { $ref: '#/nowhere' } } }, 'tool.invalid_schema'],
  ])('cannot hide a broken schema: %j', async (schema, code) => {
    const client = await serverThat(() => ({ tools: [{ name: 'a', inputSchema: schema }] }))
    await expect(gatherTools(client)).rejects.toMatchObject({
      code,
      message: expect.stringContaining('tool a'),
    })
  })

  it('can be used without the tool that is broken', async () => {
    const broken = { type: 'object', properties: { a: { type: 'nonsense' } } }
    const client = await serverThat(() => ({
      tools: [
        { name: 'a', inputSchema: broken },
        { name: 'b', inputSchema },
      ],
    }))
    const call = await callerOf({
      listTools: async (...args: Parameters<Client['listTools']>) => {
        const { tools } = await client.listTools(...args)
        return { tools: tools.filter(({ name }) => name !== 'a') }
      },
      callTool: (...args: Parameters<Client['callTool']>) => client.callTool(...args),
    })
    expect((await call('b')).output).toBe('b')
    expect((await call('a')).error?.code).toBe('tool.unknown')
  })

  it('cannot list what is no tool, nor refuse without a word', async () => {
    expect(await codeOf(await serverThat(() => ({ tools: [{ inputSchema }] })))).toBe('mcp.list_failed')
    const refusing = await serverThat(() => {
      throw new Error('not today')
    })
    await expect(gatherTools(refusing)).rejects.toThrow(
      /^The MCP server did not list its tools: .*not today\.$/,
    )
  })

  it('have names that are mapped, and calls that go to the right tool', async () => {
    const names = ['__proto__', 'a b', 'a/b', 'A_B', 'x'.repeat(80), `${'x'.repeat(80)}y`, 'größe', '']
    const client = await serverThat(() => ({ tools: names.map((name) => ({ name, inputSchema })) }))
    const tools = await gatherTools(client)
    expect(tools.map(({ name }) => name)).toEqual([
      '__proto__',
      'a_b_2',
      'a_b_3',
      'A_B',
      'x'.repeat(64),
      `${'x'.repeat(62)}_2`,
      'gr__e',
      '_',
    ])
    const chain = jsonToolChain({ tools })
    const calls = tools.map(({ name }) => ({ tool: name, args: {} }))
    const { raw } = await chain.execute(JSON.stringify(calls), { format: xml() })
    expect(raw.results.map((result) => result?.output)).toEqual(names)
  })
})
