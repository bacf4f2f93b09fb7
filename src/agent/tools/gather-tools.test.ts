import { fileURLToPath } from 'node:url'
import { createMCPClient } from '@ai-sdk/mcp'
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio'
import { dynamicTool, jsonSchema, type ToolSet, tool, zodSchema } from 'ai'
import { type } from 'arktype'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { xml } from '../../text/xml.ts'
import { createToolRegistry } from '../../tool/create-tool-registry.ts'
import { defineTool } from '../../tool/define-tool.ts'
import { jsonToolChain } from '../../tool/json-tool-chain.ts'
import type { ExecuteOptions } from '../../tool/tool-chain.ts'
import { gatherTools, type ToolSource } from './gather-tools.ts'

async function call(source: ToolSource, name: string, args: object, options: Partial<ExecuteOptions> = {}) {
  const chain = jsonToolChain({ tools: await gatherTools(source) })
  const result = await chain.execute(JSON.stringify({ tool: name, args }), { format: xml(), ...options })
  return { ...result, output: result.raw.results[0]?.output, error: result.raw.errors[0] }
}

describe('tools of the AI SDK', () => {
  const inputSchema = z.object({ city: z.string(), day: z.date().optional() })

  it('run, with what the AI SDK tells them', async () => {
    let seen: unknown
    const weather = tool({
      description: 'How warm it is',
      inputSchema,
      execute: async ({ city, day }, options) => {
        seen = options
        return { city, year: day?.getFullYear() }
      },
    })
    const [made] = await gatherTools({ weather })
    expect(made).toMatchObject({ name: 'weather', description: 'How warm it is', input: inputSchema })
    const given = { city: 'Tokyo', day: '2026-01-20' }
    const { output, raw } = await call({ weather }, 'weather', given, { context: { user: 7 } })
    expect(output).toEqual({ city: 'Tokyo', year: 2026 })
    expect(seen).toMatchObject({
      toolCallId: raw.calls[0]?.id,
      messages: [],
      abortSignal: expect.any(AbortSignal),
      context: { user: 7 },
    })
    expect((await call({ weather }, 'weather', {})).error?.code).toBe('tool.invalid_arguments')
  })

  const execute = (input: { n: number }) => input.n + 1
  const json = { type: 'object' as const, properties: { n: { type: 'number' as const } }, required: ['n'] }
  const schemas: Record<string, ToolSet> = {
    zod: { next: tool({ inputSchema: z.object({ n: z.number() }), execute }) },
    'zodSchema()': { next: tool({ inputSchema: zodSchema(z.object({ n: z.number() })), execute }) },
    arktype: { next: tool({ inputSchema: type({ n: 'number' }), execute }) },
    'jsonSchema()': { next: tool({ inputSchema: jsonSchema<{ n: number }>(json), execute }) },
    'jsonSchema() that arrives later': {
      next: tool({ inputSchema: jsonSchema<{ n: number }>(async () => json), execute }),
    },
    lazy: { next: tool({ inputSchema: () => jsonSchema<{ n: number }>(json), execute }) },
    dynamic: {
      next: dynamicTool({ inputSchema: jsonSchema(json), execute: async (input) => execute(input as never) }),
    },
  }
  it.each(Object.entries(schemas))('schema: %s', async (_, tools) => {
    expect((await call(tools, 'next', { n: '41' })).output).toBe(42)
    expect((await call(tools, 'next', { n: 'many' })).error?.code).toBe('tool.invalid_arguments')
  })

  it('what a schema checks beyond JSON Schema is checked too, and what it makes of a value counts', async () => {
    const validate = async (value: unknown) => {
      const { n } = value as { n: number }
      if (n % 2 === 0) return { success: true as const, value: { n: n * 10 } }
      return { success: false as const, error: new Error('must be even') }
    }
    const tools = { next: tool({ inputSchema: jsonSchema<{ n: number }>(json, { validate }), execute }) }
    expect((await call(tools, 'next', { n: 2 })).output).toBe(21)
    const { error } = await call(tools, 'next', { n: 3 })
    expect(error).toMatchObject({ code: 'tool.failed', message: expect.stringContaining('must be even') })
  })

  it('what they yield last counts', async () => {
    const count = tool({
      inputSchema: z.object({}),
      async *execute() {
        yield 'working'
        yield 'done'
      },
    })
    expect((await call({ count }, 'count', {})).output).toBe('done')
  })

  it('they stop when they are told', async () => {
    let stopped = false
    const wait = tool({
      inputSchema: z.object({}),
      execute: (_, { abortSignal }) =>
        new Promise((_resolve, reject) => {
          abortSignal?.addEventListener('abort', () => {
            stopped = true
            reject(abortSignal.reason)
          })
        }),
    })
    const signal = AbortSignal.timeout(20)
    expect((await call({ wait }, 'wait', {}, { signal })).error?.code).toBe('tool.aborted')
    expect(stopped).toBe(true)
  })

  describe('toModelOutput', () => {
    type Output = Awaited<ReturnType<NonNullable<NonNullable<ToolSet[string]>['toModelOutput']>>>
    const saying = (output: Output) => ({
      say: tool({ inputSchema: z.object({}), execute: () => 'secret', toModelOutput: () => output }),
    })

    it.each<[Output, unknown]>([
      [{ type: 'text', value: 'hello' }, 'hello'],
      [{ type: 'json', value: { a: 1 } }, { a: 1 }],
      [
        {
          type: 'content',
          value: [
            { type: 'text', text: 'a' },
            { type: 'text', text: 'b' },
          ],
        },
        'a\nb',
      ],
    ])('%j', async (output, value) => {
      expect((await call(saying(output), 'say', {})).output).toEqual(value)
    })

    it('media', async () => {
      const bytes = new Uint8Array([1, 2])
      const output: Output = {
        type: 'content',
        value: [
          { type: 'text', text: 'see' },
          { type: 'file', mediaType: 'image/png', data: { type: 'data', data: bytes } },
          {
            type: 'file',
            mediaType: 'audio/wav',
            data: { type: 'data', data: 'UklGRg==' },
            filename: 'a.wav',
          },
          {
            type: 'file',
            mediaType: 'application/pdf',
            data: { type: 'url', url: new URL('https://a.test/b') },
          },
          { type: 'file', mediaType: 'text/plain', data: { type: 'text', text: 'inline' } },
          { type: 'file', mediaType: 'image/png', data: { type: 'reference', reference: { openai: 'f-1' } } },
          { type: 'image-data', data: 'iVBORw==', mediaType: 'image/png' },
          { type: 'image-url', url: 'https://a.test/c.png' },
          { type: 'file-id', fileId: 'f-2' },
        ],
      }
      const result = await call(saying(output), 'say', {})
      expect(result.output).toBe(
        'see\ninline\n(a file that cannot be shown: image/png)\n(a file that cannot be shown: file-id)',
      )
      expect(result.media).toEqual([
        { type: 'image', mediaType: 'image/png', data: bytes },
        { type: 'audio', mediaType: 'audio/wav', data: 'UklGRg==', name: 'a.wav' },
        { type: 'file', mediaType: 'application/pdf', data: 'https://a.test/b' },
        { type: 'image', mediaType: 'image/png', data: 'iVBORw==' },
        { type: 'image', mediaType: 'image/*', data: 'https://a.test/c.png' },
      ])
    })

    it.each<[Output, string]>([
      [{ type: 'error-text', value: 'full' }, 'full'],
      [{ type: 'error-json', value: { why: 'full' } }, '{"why":"full"}'],
      [{ type: 'execution-denied', reason: 'not you' }, 'not you'],
      [{ type: 'execution-denied' }, 'the call was denied'],
    ])('%j', async (output, words) => {
      const { error, text } = await call(saying(output), 'say', {})
      expect(error?.code).toBe('tool.failed')
      expect(text).toContain(words)
      expect(text).not.toContain('secret')
    })
  })

  it('keep what they say about approval', async () => {
    const base = { inputSchema: z.object({ n: z.number() }), execute: () => 1 }
    const tools = await gatherTools({
      never: tool(base),
      always: tool({ ...base, needsApproval: true }),
      some: tool({ ...base, needsApproval: async ({ n }) => n > 10 }),
    })
    const [never, always, some] = tools.map((tool) => tool.needsApproval)
    expect([never, always]).toEqual([undefined, true])
    const ask = some as (input: unknown) => Promise<boolean>
    expect([await ask({ n: 1 }), await ask({ n: 11 })]).toEqual([false, true])
  })

  it('need no description', async () => {
    const base = { inputSchema: z.object({}), execute: () => 1 }
    const tools = await gatherTools({
      bare: tool(base),
      empty: tool({ ...base, description: ' ' }),
      made: tool({ ...base, description: () => 'made when asked' }),
    })
    expect(tools.map(({ description }) => description)).toEqual([
      'The tool bare.',
      'The tool empty.',
      'made when asked',
    ])
  })

  it.each<[string, ToolSet, string]>([
    [
      'without execute',
      { a: tool({ inputSchema: z.object({}), outputSchema: z.object({}) }) },
      'tool.no_run',
    ],
    [
      'an invalid name',
      { 'a b': tool({ inputSchema: z.object({}), execute: () => 1 }) },
      'tool.invalid_name',
    ],
    ['no object', { a: tool({ inputSchema: z.string(), execute: () => 1 }) }, 'tool.invalid_schema'],
    [
      'a schema that throws',
      {
        a: tool({
          inputSchema: jsonSchema(() => {
            throw new Error('oh')
          }),
          execute: () => 1,
        }),
      },
      'tool.invalid_schema',
    ],
  ])('are refused: %s', async (_, tools, code) => {
    await expect(gatherTools(tools)).rejects.toMatchObject({ code })
  })

  it('as @ai-sdk/mcp makes them, with errors that are errors', async () => {
    const server = fileURLToPath(new URL('../../../tests/mcp-server.ts', import.meta.url))
    const client = await createMCPClient({
      transport: new StdioTransport({ command: process.execPath, args: [server] }),
    })
    const { add, fail, picture } = await client.tools()
    const tools = { add, fail, picture } as ToolSet
    expect((await call(tools, 'add', { a: 1, b: 2 })).output).toEqual({ sum: 3 })
    expect((await call(tools, 'fail', {})).error?.message).toContain('the disk is full')
    expect((await call(tools, 'picture', {})).media).toHaveLength(3)
    await client.close()
  })
})

describe('sources', () => {
  const ours = defineTool({
    name: 'ours',
    description: 'Ours.',
    input: z.object({ n: z.number() }),
    needsApproval: ({ n }) => n > 1,
    run: ({ n }) => n,
  })
  const theirs = { theirs: tool({ inputSchema: z.object({}), execute: () => 'theirs' }) }

  it('our own stay as they are', async () => {
    expect(await gatherTools([ours])).toEqual([ours])
    expect((await gatherTools(createToolRegistry([ours])))[0]).toBe(ours)
    expect((await gatherTools(jsonToolChain({ tools: [ours] })))[0]).toBe(ours)
    expect(await gatherTools([])).toEqual([])
    expect(typeof ours.needsApproval).toBe('function')
  })

  it('lists mix them', async () => {
    const tools = await gatherTools([ours, theirs, [createToolRegistry()]])
    expect(tools.map(({ name }) => name)).toEqual(['ours', 'theirs'])
  })

  it('two tools of the same name are told', async () => {
    await expect(gatherTools([ours, { Ours: theirs.theirs }])).rejects.toMatchObject({
      code: 'tool.duplicate_name',
    })
  })

  it.each([[null], ['search'], [{ a: 1 }], [[1]], [theirs.theirs], [{ listTools: () => 1 }]])(
    '%j is none',
    async (source) => {
      await expect(gatherTools(source as never)).rejects.toMatchObject({ code: 'tool.invalid_source' })
    },
  )
})
