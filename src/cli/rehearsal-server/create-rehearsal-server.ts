import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type Ending, Exchange } from './exchange.ts'
import type { ServedModels } from './language-model.ts'
import { BrokenReply } from './reply-events.ts'
import { errorBody, RequestError } from './request-error.ts'
import { endpointOf } from './routes.ts'

/** One request that was answered. Nothing of what was said in it. */
export interface ServedRequest {
  readonly method: string
  readonly path: string
  readonly model: string | undefined
  readonly status: number
  readonly ending: Ending
  readonly ms: number
}

export interface RehearsalServerOptions extends ServedModels {
  /** Bytes of a body that are read. */
  readonly maxBody?: number
  onServed?(request: ServedRequest): void
}

/** Images are sent in base64, so this is not small. */
const MAX_BODY = 32 * 1024 * 1024

/** Serves models over HTTP, as OpenAI and Ollama do. Whoever listens chooses the address. */
export function createRehearsalServer(options: RehearsalServerOptions): Server {
  const { maxBody = MAX_BODY, onServed } = options
  return createServer(async (request: IncomingMessage, response: ServerResponse) => {
    const since = performance.now()
    const exchange = new Exchange(request, response, maxBody)
    response.on('close', () => {
      const { method, path, model, status, ending } = exchange
      onServed?.({ method, path, model, status, ending, ms: Math.round(performance.now() - since) })
    })
    try {
      await endpointOf(exchange.method, exchange.path)(exchange, options)
    } catch (error) {
      answerError(exchange, error)
    }
  })
}

function answerError(exchange: Exchange, error: unknown): void {
  if (exchange.signal.aborted) return
  if (error instanceof BrokenReply || exchange.begun) {
    exchange.breakOff()
    return
  }
  const told =
    error instanceof RequestError
      ? error
      : new RequestError(500, `the model failed: ${(error as Error)?.message ?? error}`)
  const { allow } = told.details
  exchange.sendJson(told.status, errorBody(exchange.path, told), allow === undefined ? {} : { allow })
}
