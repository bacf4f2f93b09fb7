import type { wrapLanguageModel } from 'ai'

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
    doStream: async () => ({ stream: streamOf(chunks) }),
  }
}

function streamOf(chunks: readonly string[]): ReadableStream<Part> {
  let next = -1
  return new ReadableStream<Part>({
    pull(controller) {
      const index = next++
      if (index === -1) return controller.enqueue({ type: 'text-start', id: '1' })
      if (index < chunks.length)
        return controller.enqueue({ type: 'text-delta', id: '1', delta: chunks[index]! })
      controller.enqueue({ type: 'text-end', id: '1' })
      controller.enqueue(finish)
      controller.close()
    },
  })
}

const finish = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: { inputTokens: {}, outputTokens: {} },
} as unknown as Part

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
