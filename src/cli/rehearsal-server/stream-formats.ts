import type { Exchange } from './exchange.ts'

/** One value of JSON after the other, while they are made. */
export interface JsonStream {
  write(value: object): Promise<void>
  end(): Promise<void>
}

/** As OpenAI streams: events, and `[DONE]` at the end. */
export function serverSentEvents(exchange: Exchange): JsonStream {
  exchange.openStream('text/event-stream; charset=utf-8')
  return {
    write: (value) => exchange.write(`data: ${JSON.stringify(value)}\n\n`),
    async end() {
      await exchange.write('data: [DONE]\n\n')
      exchange.end()
    },
  }
}

/** As Ollama streams: a line each. */
export function jsonLines(exchange: Exchange): JsonStream {
  exchange.openStream('application/x-ndjson')
  return {
    write: (value) => exchange.write(`${JSON.stringify(value)}\n`),
    async end() {
      exchange.end()
    },
  }
}
