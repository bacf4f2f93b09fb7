import {
  hermesProtocol,
  morphXmlProtocol,
  qwen3CoderProtocol,
  type TCMProtocol,
  uiTarsXmlProtocol,
  yamlXmlProtocol,
} from '@ai-sdk-tool/parser'
import { streamOf } from '../chunks.ts'
import type { DeclaredTool, Found } from './case.ts'

export const peerName = '@ai-sdk-tool/parser'

type Parser = ReturnType<TCMProtocol['createStreamParser']>
type Part = Parser extends TransformStream<infer In, unknown> ? In : never
type PeerTools = Parameters<TCMProtocol['createStreamParser']>[0]['tools']

/** It has a protocol for each of these; which one is to be said beforehand. */
export const protocols = {
  hermes: hermesProtocol(),
  'qwen3-coder': qwen3CoderProtocol(),
  'morph-xml': morphXmlProtocol(),
  'yaml-xml': yamlXmlProtocol(),
  'ui-tars': uiTarsXmlProtocol(),
} satisfies Record<string, TCMProtocol>

export type ProtocolName = keyof typeof protocols

/** Pipes the chunks through the parser of the protocol, as its middleware does with the stream of a model. */
export async function readWithPeer(
  name: ProtocolName,
  tools: readonly DeclaredTool[],
  chunks: readonly string[],
): Promise<Found> {
  const declared = tools.map(({ name, description, parameters }) => ({
    type: 'function',
    name,
    description,
    inputSchema: parameters ?? { type: 'object', properties: {} },
  })) as PeerTools
  const found: Found = { content: '', reasoning: '', calls: [] }
  const stream = streamOf<Part>(chunks).pipeThrough(protocols[name].createStreamParser({ tools: declared }))
  for await (const part of stream) {
    if (part.type === 'text-delta') found.content += part.delta
    else if (part.type === 'tool-call')
      found.calls.push({ name: part.toolName, arguments: JSON.parse(part.input), id: part.toolCallId })
  }
  return found
}
