// The rehearsal model over HTTP, with a count of what it has answered, and a way to hold an answer back.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createRehearsalServer } from '../../src/cli/rehearsal-server/create-rehearsal-server.ts'
import { rehearsalModels } from '../../src/cli/rehearsal-server/rehearsal-models.ts'

interface Answered {
  /** The worker that has asked, by the path that it was given. */
  readonly worker: string
  /** Of the question. */
  readonly hash: string
}

export interface CountedModels {
  /** The model as a worker asks for it. */
  modelFor(worker: string): string
  /** The questions that were answered to their end. */
  readonly answered: Answered[]
  /** Questions that came in. */
  readonly asked: number
  /** Holds back the answer to the question with this number, from now on; gives who has asked, when it comes. */
  holdNext(number: number): Promise<string>
  /** Fails from the question with this number on. */
  failAt(number: number | undefined): void
  /** Lets go of all that is held. */
  release(): void
  forget(): void
  close(): Promise<void>
}

export async function countedModels(): Promise<CountedModels> {
  const model = createRehearsalServer(rehearsalModels({ seed: 3 }))
  model.listen(0, '127.0.0.1')
  await once(model, 'listening')
  const { port } = model.address() as AddressInfo
  const answered: Answered[] = []
  let asked = 0
  let held: { number: number; tell: (worker: string) => void } | undefined
  let failing: number | undefined
  let free: (() => void)[] = []

  const front = createServer(async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const [, worker = '', path = ''] = /^\/([^/]*)(\/.*)$/.exec(incoming.url ?? '') ?? []
    const chunks: Buffer[] = []
    for await (const chunk of incoming) chunks.push(chunk as Buffer)
    const body = Buffer.concat(chunks)
    asked++
    if (held && asked === held.number) {
      const { tell } = held
      held = undefined
      tell(worker)
      await new Promise<void>((resolve) => free.push(resolve))
    }
    if (outgoing.destroyed) return
    if (failing !== undefined && asked >= failing) {
      outgoing.writeHead(400).end('{}')
      return
    }
    const hash = createHash('sha256').update(body).digest('hex').slice(0, 12)
    outgoing.on('finish', () => answered.push({ worker, hash }))
    const onward = request(
      {
        port,
        host: '127.0.0.1',
        method: incoming.method,
        path,
        headers: { 'content-type': 'application/json' },
      },
      (response) => {
        outgoing.writeHead(response.statusCode ?? 500, response.headers)
        response.pipe(outgoing)
      },
    )
    onward.end(body)
  })
  front.listen(0, '127.0.0.1')
  await once(front, 'listening')
  const { port: frontPort } = front.address() as AddressInfo
  return {
    modelFor: (worker) => `http://127.0.0.1:${frontPort}/${worker}/v1#rehearsal`,
    answered,
    get asked() {
      return asked
    },
    holdNext: (number) => new Promise((tell) => (held = { number, tell })),
    failAt(number) {
      failing = number
    },
    release() {
      const all = free
      free = []
      for (const go of all) go()
    },
    forget() {
      answered.length = 0
      asked = 0
    },
    async close() {
      for (const server of [front, model]) {
        server.close()
        server.closeAllConnections()
      }
    },
  }
}
