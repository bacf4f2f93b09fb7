import type { wrapLanguageModel } from 'ai'
import { streamOf } from '../chunks.ts'

export type Model = ReturnType<typeof wrapLanguageModel>
type CallOptions = Parameters<Model['doStream']>[0]
type Part = Awaited<ReturnType<Model['doStream']>>['stream'] extends ReadableStream<infer P> ? P : never

/** A model that gives these chunks as fast as they are taken. */
export function modelOf(chunks: readonly string[]): Model {
  return {
    specificationVersion: 'v4',
    provider: 'bench',
    modelId: 'chunks',
    supportedUrls: {},
    doGenerate: () => Promise.reject(new Error('it only streams')),
    doStream: async () => ({ stream: streamOf<Part>(chunks) }),
  }
}

/** What somebody sees who looks at every part of the stream. */
export interface Seen {
  text: string
  inputs: unknown[]
}

export async function lookAt(model: Model, options: Omit<CallOptions, 'prompt'>): Promise<Seen> {
  const prompt: CallOptions['prompt'] = [{ role: 'user', content: [{ type: 'text', text: 'Go on.' }] }]
  const { stream } = await model.doStream({ prompt, ...options })
  const seen: Seen = { text: '', inputs: [] }
  for await (const part of stream) {
    if (part.type === 'text-delta') seen.text += part.delta
    else if (part.type === 'tool-call') seen.inputs.push(JSON.parse(part.input))
  }
  return seen
}
