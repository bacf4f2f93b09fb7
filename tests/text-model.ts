// A model that knows nothing but text, for tests of what is made of that.
import type {
  LanguageModelV4,
  LanguageModelV4CallOptions,
  LanguageModelV4FinishReason,
  LanguageModelV4FunctionTool,
  LanguageModelV4StreamPart,
  LanguageModelV4Usage,
} from '@ai-sdk/provider'
import { tool, wrapLanguageModel } from 'ai'
import { expect } from 'vitest'
import { z } from 'zod'
import { type LegibleOptions, legible } from '../src/model/middleware/legible.ts'
import { formatToolCalls } from '../src/tool/format-tool-calls.ts'

export const usage: LanguageModelV4Usage = {
  inputTokens: { total: 11, noCache: 11, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 7, text: 7, reasoning: 0 },
}

interface Script {
  readonly reason?: LanguageModelV4FinishReason['unified']
  readonly size?: number
  readonly before?: readonly LanguageModelV4StreamPart[]
  readonly after?: readonly LanguageModelV4StreamPart[]
}

/** A model that knows nothing but text: it says one reply after the other, and keeps what it was asked. */
export function scripted(
  replies: readonly string[],
  { reason = 'stop', size = 4, before = [], after = [] }: Script = {},
) {
  const asked: LanguageModelV4CallOptions[] = []
  const finishReason = { unified: reason, raw: `raw-${reason}` }
  const next = (options: LanguageModelV4CallOptions) => {
    asked.push(options)
    return replies[asked.length - 1] ?? 'The end.'
  }
  const model: LanguageModelV4 = {
    specificationVersion: 'v4',
    provider: 'script',
    modelId: 'scripted',
    supportedUrls: {},
    doGenerate: async (options) => ({
      content: [{ type: 'text', text: next(options) }],
      finishReason,
      usage,
      providerMetadata: { script: { seen: true } },
      warnings: [],
    }),
    doStream: async (options) => {
      const text = next(options)
      const parts: LanguageModelV4StreamPart[] = [
        { type: 'stream-start', warnings: [] },
        { type: 'response-metadata', id: 'reply-1', modelId: 'scripted' },
        ...before,
        { type: 'text-start', id: '0' },
        ...piecesOf(text, size).map((delta) => ({ type: 'text-delta', id: '0', delta }) as const),
        ...after,
        { type: 'text-end', id: '0' },
        { type: 'finish', finishReason, usage, providerMetadata: { script: { seen: true } } },
      ]
      return { stream: ReadableStream.from(parts) }
    },
  }
  return { model, asked }
}

const piecesOf = (text: string, size: number) => text.match(new RegExp(`[^]{1,${size}}`, 'g')) ?? []

const weather = tool({
  description: 'The weather in a city.',
  inputSchema: z.object({ city: z.string(), days: z.number().int().optional() }),
  execute: async ({ city, days = 1 }) => ({ city, celsius: 20 + days }),
})
export const tools = { weather }

export const wrap = (model: LanguageModelV4, options?: LegibleOptions) =>
  wrapLanguageModel({ model, middleware: legible(options) })

export const call = (args: Record<string, unknown>, dialect = 'hermes') =>
  formatToolCalls([{ id: 'a1b2c3d4e', name: 'weather', arguments: args }], {
    dialect,
    tools: [
      {
        name: 'weather',
        parameters: { type: 'object', properties: { city: { type: 'string' }, days: { type: 'integer' } } },
      },
    ],
  })

export const textOf = (options: LanguageModelV4CallOptions | undefined) => JSON.stringify(options?.prompt)

export const saidIn = (message: LanguageModelV4CallOptions['prompt'][number] | undefined) => {
  const first = message?.content[0]
  return typeof first === 'object' && first.type === 'text' ? first.text : ''
}

/** Everything that a stream tells, and whether it is well formed: each part within its block, each block with an end. */
export async function partsOf(model: LanguageModelV4, options: Partial<LanguageModelV4CallOptions> = {}) {
  const { stream } = await model.doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hi' }] }],
    ...options,
  })
  const parts: LanguageModelV4StreamPart[] = []
  for await (const part of stream) parts.push(part)
  const open = new Set<string>()
  const seen = new Set<string>()
  for (const part of parts) {
    const [, kind, step] = /^(text|reasoning|tool-input)-(start|delta|end)$/.exec(part.type) ?? []
    if (kind === undefined || !('id' in part)) {
      if (part.type === 'tool-call') expect(open.has(`tool-input ${part.toolCallId}`)).toBe(false)
      continue
    }
    const block = `${kind} ${part.id}`
    if (step === 'start') {
      expect(seen.has(block), `${block} begins once`).toBe(false)
      if (kind === 'tool-input') expect([...open].filter((one) => !one.startsWith('tool-input'))).toEqual([])
      seen.add(block)
      open.add(block)
    } else expect(open.has(block), `${block} is open`).toBe(true)
    if (step === 'end') open.delete(block)
  }
  expect([...open]).toEqual([])
  return parts
}

export const functionTools: LanguageModelV4FunctionTool[] = [
  {
    type: 'function',
    name: 'weather',
    inputSchema: {
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'integer' } },
      required: ['city'],
    },
  },
]
