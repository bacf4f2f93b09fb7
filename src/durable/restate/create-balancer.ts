import { once } from 'node:events'
import {
  type ClientHttp2Session,
  type ClientHttp2Stream,
  connect,
  constants,
  createServer,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2'
import type { AddressInfo } from 'node:net'
import { listenAt } from './listen-at.ts'

export interface BalancerOptions {
  /** The addresses of the workers: `http://10.0.0.2:9080`. */
  readonly workers: readonly string[]
  /** Is told when a worker cannot be reached, and when it can be again. */
  readonly onChange?: ((worker: string, isThere: boolean) => void) | undefined
}

export interface Balancer {
  listen(port: number, host?: string): Promise<AddressInfo>
  close(): Promise<void>
}

/** A worker, and what goes through to it. */
interface Target {
  readonly address: string
  /** Shared by all that want to go there. */
  session: Promise<ClientHttp2Session | undefined> | undefined
  open: number
  isThere: boolean
}

const { HTTP2_HEADER_STATUS } = constants
/** Milliseconds between two looks for a worker that was lost. */
const LOOK_AGAIN = 500
/** Milliseconds. */
const LONGEST_CONNECT = 3000
const PING = 5000
/** Of HTTP/1: they mean nothing between the two ends. */
const ofConnection =
  /^(?:connection|keep-alive|transfer-encoding|upgrade|proxy-connection|http2-settings|te)$/

/**
 * One address for several workers: the engine knows a service by one. Each invocation goes to the worker that has the fewest;
 * a worker that is not there gets none, and what it had is sent again by the engine.
 */
export function createBalancer({ workers, onChange }: BalancerOptions): Balancer {
  const targets = workers.map((address): Target => ({ address, session: undefined, open: 0, isThere: true }))
  const server = createServer()
  server.on('session', (session) => session.on('error', () => {}))
  server.on('stream', (stream, headers) => {
    stream.on('error', () => {})
    void pass(stream, headers)
  })

  let isClosed = false

  const tell = (target: Target, isThere: boolean) => {
    const isNew = target.isThere !== isThere
    target.isThere = isThere
    if (!isNew) return
    onChange?.(target.address, isThere)
    if (!isThere) void lookFor(target)
  }

  /** A worker that was lost gets nothing, so nobody else would find out that it is back. */
  const lookFor = async (target: Target): Promise<void> => {
    while (!isClosed && !target.isThere) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN).unref())
      if (await sessionOf(target)) tell(target, true)
    }
  }

  const pass = async (stream: ServerHttp2Stream, headers: IncomingHttpHeaders): Promise<void> => {
    // What was not there before is tried last.
    const order = [...targets].sort(
      (one, other) => Number(other.isThere) - Number(one.isThere) || one.open - other.open,
    )
    for (const target of order) {
      target.open++
      const session = await sessionOf(target)
      // Whoever sent it may have gone while we looked for a worker.
      if (stream.destroyed) {
        target.open--
        return
      }
      if (session) {
        tell(target, true)
        if (join(stream, headers, session, () => target.open--)) return
      } else tell(target, false)
      target.open--
    }
    if (stream.destroyed) return
    stream.respond({ [HTTP2_HEADER_STATUS]: 503 })
    stream.end('no worker can be reached')
  }

  return {
    listen: (port, host) => listenAt(server, port, host),
    async close() {
      isClosed = true
      server.close()
      for (const { session } of targets) (await session)?.destroy()
    },
  }
}

/** A connection to the worker, if there is a way. */
async function sessionOf(target: Target): Promise<ClientHttp2Session | undefined> {
  const held = target.session
  const before = await held
  if (before && !before.closed && !before.destroyed) return before
  // Whoever comes first opens another one, for all.
  if (target.session === held) target.session = openSession(target.address)
  return target.session
}

/** Somebody must answer: a machine takes connections also for a process that does nothing any more. */
async function openSession(address: string): Promise<ClientHttp2Session | undefined> {
  const session = connect(address)
  session.on('error', () => {})
  try {
    const signal = AbortSignal.timeout(LONGEST_CONNECT)
    await once(session, 'connect', { signal })
    await new Promise<void>((resolve, reject) => {
      signal.addEventListener('abort', () => reject(signal.reason))
      session.ping((error) => (error ? reject(error) : resolve()))
    })
    watch(session)
    return session
  } catch {
    session.destroy()
    return undefined
  }
}

/** A machine that is gone says nothing: without this its streams would stay open for as long as TCP is patient. */
function watch(session: ClientHttp2Session): void {
  let isAnswered = true
  const timer = setInterval(() => {
    if (!isAnswered) session.destroy()
    if (session.destroyed) return
    isAnswered = false
    session.ping(() => {
      isAnswered = true
    })
  }, PING).unref()
  session.on('close', () => clearInterval(timer))
}

/** Both directions, until either end is done. False: the worker is gone, or takes no such headers. */
function join(
  stream: ServerHttp2Stream,
  headers: IncomingHttpHeaders,
  session: ClientHttp2Session,
  onEnd: () => void,
): boolean {
  const kept = Object.entries(headers).filter(([name]) => !ofConnection.test(name))
  let onward: ClientHttp2Stream
  try {
    onward = session.request(Object.fromEntries(kept))
  } catch {
    return false
  }
  let isWhole = false
  onward.on('response', (answered) => {
    if (!stream.destroyed && !stream.headersSent) stream.respond(answered)
  })
  onward.on('end', () => {
    isWhole = true
  })
  onward.on('error', () => stream.close(constants.NGHTTP2_INTERNAL_ERROR))
  onward.on('close', () => {
    onEnd()
    // What breaks off must not look like an end.
    if (!stream.destroyed)
      stream.close(isWhole ? onward.rstCode : onward.rstCode || constants.NGHTTP2_INTERNAL_ERROR)
  })
  stream.on('close', () => onward.close(stream.rstCode))
  stream.pipe(onward)
  onward.pipe(stream)
  return true
}
