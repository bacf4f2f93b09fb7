/** A string of its own, as if it came from the network, rather than a slice or a rope of other strings. */
export function flat(text: string): string {
  return Buffer.from(text).toString()
}

/** The text in pieces of `size` characters, each a string of its own. */
export function cutIntoChunks(text: string, size: number): string[] {
  const chunks: string[] = []
  let end = 0
  for (let start = 0; start < text.length; start = end) {
    end = start + size
    // A network decoder never ends a chunk between the halves of a surrogate pair.
    if ((text.charCodeAt(end - 1) & 0xfc00) === 0xd800) end++
    chunks.push(flat(text.slice(start, end)))
  }
  return chunks
}

/** Chunks as the stream of a model, as fast as they are taken. `Part`: what its parts are called there. */
export function streamOf<Part>(chunks: readonly string[]): ReadableStream<Part> {
  let next = -1
  const part = (content: object) => content as Part
  return new ReadableStream<Part>({
    pull(controller) {
      const index = next++
      if (index === -1) return controller.enqueue(part({ type: 'text-start', id: '1' }))
      if (index < chunks.length)
        return controller.enqueue(part({ type: 'text-delta', id: '1', delta: chunks[index] }))
      controller.enqueue(part({ type: 'text-end', id: '1' }))
      controller.enqueue(part(finish))
      controller.close()
    },
  })
}

const finish = {
  type: 'finish',
  finishReason: { unified: 'stop', raw: 'stop' },
  usage: { inputTokens: {}, outputTokens: {} },
}
