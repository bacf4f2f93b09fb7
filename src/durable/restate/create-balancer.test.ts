import { once } from 'node:events'
import { type ClientHttp2Session, connect, createServer, type Http2Server } from 'node:http2'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, test } from 'vitest'
import { type Balancer, createBalancer } from './create-balancer.ts'

const open: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of open.splice(0)) await one.close()
})

/** Answers with its name and what it was sent; or not, until it is told. */
async function worker(
  name: string,
  port = 0,
  hold?: Promise<void>,
): Promise<{ server: Http2Server; url: string }> {
  const server = createServer()
  const sessions = new Set<{ destroy(): void }>()
  server.on('session', (session) => sessions.add(session))
  server.on('stream', async (stream, headers) => {
    stream.on('error', () => {})
    stream.respond({ ':status': 200, 'x-path': String(headers[':path']) })
    await hold
    if (stream.destroyed) return
    stream.write(`${name}:`)
    stream.pipe(stream)
  })
  server.listen(port, '127.0.0.1')
  await once(server, 'listening')
  open.push({
    close: () => {
      server.close()
      for (const session of sessions) session.destroy()
    },
  })
  return { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` }
}

async function start(
  workers: string[],
  onChange?: (worker: string, isThere: boolean) => void,
): Promise<Balancer & { url: string }> {
  const balancer = createBalancer({ workers, onChange })
  const { port } = await balancer.listen(0)
  open.push(balancer)
  return { ...balancer, url: `http://127.0.0.1:${port}` }
}

function client(url: string): ClientHttp2Session {
  const session = connect(url)
  session.on('error', () => {})
  open.push({ close: () => session.destroy() })
  return session
}

async function ask(session: ClientHttp2Session, body: string): Promise<{ status: number; said: string }> {
  const stream = session.request({ ':method': 'POST', ':path': '/invoke/a%20b', te: 'trailers' })
  stream.end(body)
  const [headers] = (await once(stream, 'response')) as [Record<string, unknown>]
  return { status: headers[':status'] as number, said: await text(stream) }
}

test('both directions, headers and paths as they are, large bodies', async () => {
  const { url } = await worker('one')
  const balancer = await start([url])
  const body = 'x'.repeat(3_000_000)
  expect(await ask(client(balancer.url), body)).toEqual({ status: 200, said: `one:${body}` })
})

test('each goes to the worker that has the fewest', async () => {
  let letGo = () => {}
  const hold = new Promise<void>((resolve) => {
    letGo = resolve
  })
  const [one, two] = await Promise.all([worker('one', 0, hold), worker('two', 0, hold)])
  const session = client((await start([one.url, two.url])).url)
  const all = Array.from({ length: 10 }, () => ask(session, ''))
  await new Promise((resolve) => setTimeout(resolve, 100))
  letGo()
  const said = (await Promise.all(all)).map((one) => one.said).sort()
  expect(said).toEqual([...Array(5).fill('one:'), ...Array(5).fill('two:')])
})

test('a worker that is gone gets nothing, until it is back', async () => {
  const changes: string[] = []
  const one = await worker('one')
  const two = await worker('two')
  const session = client(
    (await start([one.url, two.url], (url, isThere) => changes.push(`${url} ${isThere}`))).url,
  )
  expect((await ask(session, '')).said).toMatch(/^(one|two):$/)
  const port = Number(new URL(one.url).port)
  await (open[0] as { close(): unknown }).close()
  for (let i = 0; i < 4; i++) expect(await ask(session, '')).toEqual({ status: 200, said: 'two:' })
  expect(changes).toEqual([`${one.url} false`])
  await worker('one again', port)
  await new Promise((resolve) => setTimeout(resolve, 1200))
  expect(changes).toEqual([`${one.url} false`, `${one.url} true`])
  const said = new Set(
    (await Promise.all(Array.from({ length: 4 }, () => ask(session, '')))).map((one) => one.said),
  )
  expect(said).toEqual(new Set(['one again:', 'two:']))
})

test('a worker that takes connections and says nothing gets nothing', async () => {
  const deaf = createTcpServer(() => {}).listen(0, '127.0.0.1')
  await once(deaf, 'listening')
  const sockets = new Set<{ destroy(): void }>()
  deaf.on('connection', (socket) => sockets.add(socket))
  open.push({
    close: () => {
      deaf.close()
      for (const socket of sockets) socket.destroy()
    },
  })
  const changes: boolean[] = []
  const two = await worker('two')
  const url = `http://127.0.0.1:${(deaf.address() as AddressInfo).port}`
  const session = client((await start([url, two.url], (_, isThere) => changes.push(isThere))).url)
  expect(await ask(session, '')).toEqual({ status: 200, said: 'two:' })
  expect(changes).toEqual([false])
  const since = Date.now()
  for (let i = 0; i < 5; i++) expect((await ask(session, '')).said).toBe('two:')
  expect(Date.now() - since).toBeLessThan(2000)
})

test('without any worker it says so, and goes on', async () => {
  const balancer = await start(['http://127.0.0.1:1'])
  const session = client(balancer.url)
  expect(await ask(session, '')).toEqual({ status: 503, said: 'no worker can be reached' })
  expect((await ask(session, '')).status).toBe(503)
})

test('a worker that dies in the middle breaks the stream, and nothing else', async () => {
  const one = await worker('one', 0, new Promise(() => {}))
  const session = client((await start([one.url])).url)
  const stream = session.request({ ':method': 'POST', ':path': '/' })
  stream.on('error', () => {})
  await once(stream, 'response')
  await (open[0] as { close(): unknown }).close()
  await once(stream, 'close')
  expect(stream.rstCode).not.toBe(0)
  expect((await ask(session, '')).status).toBe(503)
})
