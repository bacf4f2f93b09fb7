import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { Fields } from './fields.ts'
import { RequestError } from './request-error.ts'

/** How an answer ended: as it should, broken off as a dead provider would, or because the client went away. */
export type Ending = 'done' | 'broken' | 'left'

/** One request and its answer. */
export class Exchange {
  readonly method: string
  readonly path: string
  /** Fires when the client goes away. */
  readonly signal: AbortSignal
  /** The name of the model that was asked for. */
  model: string | undefined
  ending: Ending = 'done'
  readonly #request: IncomingMessage
  readonly #response: ServerResponse
  readonly #maxBody: number

  constructor(request: IncomingMessage, response: ServerResponse, maxBody: number) {
    this.method = request.method ?? 'GET'
    this.path = (request.url ?? '/').split('?', 1)[0] as string
    this.#request = request
    this.#response = response
    this.#maxBody = maxBody
    const gone = new AbortController()
    this.signal = gone.signal
    response.on('close', () => {
      if (response.writableFinished) return
      if (this.ending === 'done') this.ending = 'left'
      gone.abort()
    })
  }

  get status(): number {
    return this.#response.statusCode
  }

  /** Whether a part of the answer is with the client already, so that its status cannot be changed. */
  get begun(): boolean {
    return this.#response.headersSent
  }

  /** The body, which is JSON whatever its content type says: clients differ in that. */
  async readBody(): Promise<Fields> {
    const text = await this.#bodyText()
    let value: unknown
    try {
      value = JSON.parse(text)
    } catch (error) {
      const reason = text.trim() === '' ? 'it is empty' : (error as Error).message
      throw new RequestError(400, `the body is not JSON: ${reason}`)
    }
    return new Fields(value, '')
  }

  /** Remembers which model the body asks for. */
  nameModel(body: Fields): string {
    this.model = body.need('model', body.text('model'))
    return this.model
  }

  async #bodyText(): Promise<string> {
    const chunks: Buffer[] = []
    let length = 0
    for await (const chunk of this.#request as AsyncIterable<Buffer>) {
      length += chunk.length
      // What is too much is read and dropped: a client that still writes would not see the answer.
      if (length <= this.#maxBody) chunks.push(chunk)
    }
    if (length > this.#maxBody)
      throw new RequestError(413, `the body is too long: at most ${this.#maxBody} bytes are read`)
    try {
      return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))
    } catch {
      throw new RequestError(400, 'the body is not UTF-8')
    }
  }

  sendJson(status: number, value: unknown, headers: Record<string, string> = {}): void {
    this.#send(status, 'application/json', `${JSON.stringify(value)}\n`, headers)
  }

  sendText(text: string): void {
    this.#send(200, 'text/plain; charset=utf-8', text)
  }

  #send(status: number, type: string, text: string, headers: Record<string, string> = {}): void {
    const length = Buffer.byteLength(text)
    this.#response.writeHead(status, { 'content-type': type, 'content-length': length, ...headers })
    this.#response.end(text)
  }

  openStream(type: string): void {
    this.#response.writeHead(200, { 'content-type': type, 'cache-control': 'no-cache' })
    this.#response.flushHeaders()
  }

  /** Waits until the client has taken enough: what it does not read is not made. */
  async write(text: string): Promise<void> {
    if (this.signal.aborted || this.#response.write(text)) return
    // Fails when the client goes away, which is seen by the signal.
    await once(this.#response, 'drain', { signal: this.signal }).catch(() => undefined)
  }

  end(): void {
    this.#response.end()
  }

  /** Closes the connection in the middle, as a provider that dies; what was written before still arrives. */
  breakOff(): void {
    this.ending = 'broken'
    this.#response.socket?.destroySoon()
  }
}
