import { cutIntoChunks } from '../chunks.ts'
import { type Model, modelOf } from '../middleware/model.ts'

/** A model that gives one of these replies after the other, at once, and then the first again. */
export function modelInTurns(replies: readonly string[], size = 4): Model {
  const models = replies.map((text) => modelOf(cutIntoChunks(text, size)))
  let next = 0
  return { ...models[0]!, doStream: (options) => models[next++ % models.length]!.doStream(options) }
}

/** The same with calls by means of the API: `count` of them, one a turn, then the text. */
export function nativeModel(count: number, text: string): Model {
  const answer = modelOf(cutIntoChunks(text, 4))
  let next = 0
  return {
    ...answer,
    doStream: async (options) => {
      const turn = next++ % (count + 1)
      if (turn === count) return answer.doStream(options)
      const call = {
        toolCallId: `c${turn}`,
        toolName: 'search',
        input: JSON.stringify({ query: `item ${turn}` }),
      }
      return {
        stream: new ReadableStream({
          start(controller) {
            controller.enqueue({ type: 'tool-input-start', id: call.toolCallId, toolName: 'search' })
            controller.enqueue({ type: 'tool-input-delta', id: call.toolCallId, delta: call.input })
            controller.enqueue({ type: 'tool-input-end', id: call.toolCallId })
            controller.enqueue({ type: 'tool-call', ...call })
            controller.enqueue({
              type: 'finish',
              finishReason: { unified: 'tool-calls', raw: 'tool_calls' },
              usage: {
                inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
                outputTokens: { total: 1, text: 1, reasoning: 0 },
              },
            })
            controller.close()
          },
        }),
      }
    },
  }
}
