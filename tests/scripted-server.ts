// The rehearsal server with models whose every word is known, on loopback: for the tests of it.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import type { LanguageModelV4CallOptions, LanguageModelV4StreamPart } from '@ai-sdk/provider'
import { MockLanguageModelV4 } from 'ai/test'
import { onTestFinished } from 'vitest'
import {
  createRehearsalServer,
  type RehearsalServerOptions,
  type ServedRequest,
} from '../src/cli/rehearsal-server/create-rehearsal-server.ts'

export type Part = LanguageModelV4StreamPart
type Reason = 'stop' | 'length' | 'tool-calls' | 'content-filter'

export const finish = (unified: Reason = 'stop'): Part => ({
  type: 'finish',
  finishReason: { unified, raw: unified },
  usage: {
    inputTokens: { total: 7, noCache: 5, cacheRead: 2, cacheWrite: 0 },
    outputTokens: { total: 5, text: 3, reasoning: 2 },
  },
})
export const texts = (...deltas: string[]): Part[] =>
  deltas.map((delta) => ({ type: 'text-delta', id: 't', delta }))
export const reasons = (...deltas: string[]): Part[] =>
  deltas.map((delta) => ({ type: 'reasoning-delta', id: 'r', delta }))
/** A call in pieces of four characters, and as a whole. */
export const called = (toolCallId: string, toolName: string, input: string): Part[] => [
  { type: 'tool-input-start', id: toolCallId, toolName },
  ...(input.match(/.{1,4}/gs) ?? []).map(
    (delta): Part => ({ type: 'tool-input-delta', id: toolCallId, delta }),
  ),
  { type: 'tool-input-end', id: toolCallId },
  { type: 'tool-call', toolCallId, toolName, input },
]

/** What a model writes: parts, or parts as they are made. */
export type Script =
  | readonly Part[]
  | ((options: LanguageModelV4CallOptions) => AsyncIterable<Part> | Iterable<Part>)

/** Serves one model for each name, until the test is over. */
export async function serve(scripts: Record<string, Script>, more: Partial<RehearsalServerOptions> = {}) {
  const asked: LanguageModelV4CallOptions[] = []
  const served: ServedRequest[] = []
  const server = createRehearsalServer({
    names: Object.keys(scripts),
    modelOf(name) {
      const script = Object.hasOwn(scripts, name) ? scripts[name] : undefined
      if (!script) return undefined
      return new MockLanguageModelV4({
        doStream: async (options) => {
          asked.push(options)
          const parts = typeof script === 'function' ? script(options) : script
          return { stream: ReadableStream.from(parts) }
        },
      })
    },
    onServed: (request) => served.push(request),
    ...more,
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  const { port } = server.address() as AddressInfo
  const url = `http://127.0.0.1:${port}`
  const post = (path: string, body: unknown, init: RequestInit = {}) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body: typeof body === 'string' ? body : JSON.stringify(body),
      ...init,
    })
  return { url, port, post, asked, served, server }
}

/** Everything that a stream gives. */
export async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const one of stream) all.push(one)
  return all
}
