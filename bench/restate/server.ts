import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { type Measured, watch } from './processes.ts'

type Row = Readonly<Record<string, string | number | undefined>>

/** An engine of its own, on loopback. */
export interface Server extends Measured {
  /** Tells it where a service is. */
  register(address: string): Promise<void>
  /** Leaves a request for a workflow, and does not wait for it. */
  submit(service: string, key: string, request: unknown): Promise<void>
  /** Until a workflow that was submitted has ended. */
  ended(service: string, key: string): Promise<void>
  query(sql: string): Promise<Row[]>
}

/** With its own settings, but for where it listens and where its files are. */
export async function startServer(folder: string): Promise<Server> {
  const [ingressPort, adminPort, nodePort] = await freePorts(3)
  const ingress = `http://127.0.0.1:${ingressPort}`
  const admin = `http://127.0.0.1:${adminPort}`
  const place = ['--listen-mode', 'tcp', '--bind-ip', '127.0.0.1', '--bind-port', String(nodePort)]
  const child = spawn(binary(), [...place, '--base-dir', folder, '--no-logo', '--log-filter', 'error'], {
    stdio: 'ignore',
    env: {
      ...process.env,
      DO_NOT_TRACK: '1',
      RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingressPort}`,
      RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${adminPort}`,
    },
  })
  const server: Server = {
    ...watch(child),
    async register(address) {
      await send(`${admin}/deployments`, { uri: address })
    },
    async submit(service, key, request) {
      await send(`${ingress}/${service}/${encodeURIComponent(key)}/run/send`, request)
    },
    async ended(service, key) {
      await send(`${ingress}/restate/workflow/${service}/${encodeURIComponent(key)}/attach`)
    },
    async query(sql) {
      return ((await send(`${admin}/query`, { query: sql })) as { rows: Row[] }).rows
    },
  }
  try {
    await untilUp([`${admin}/health`, `${ingress}/restate/health`])
  } catch (error) {
    await server.stop()
    throw error
  }
  return server
}

async function send(url: string, body?: unknown): Promise<unknown> {
  const response = await fetch(url, {
    headers: { accept: 'application/json', 'content-type': 'application/json' },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  const text = await response.text()
  if (!response.ok) throw new Error(`${url} answered ${response.status}: ${text.slice(0, 500)}`)
  return text === '' ? undefined : JSON.parse(text)
}

async function untilUp(urls: readonly string[]): Promise<void> {
  for (let tries = 0; tries < 600; tries++) {
    const states = await Promise.allSettled(urls.map((url) => fetch(url)))
    if (states.every((state) => state.status === 'fulfilled' && state.value.ok)) return
    await setTimeout(100)
  }
  throw new Error('the engine is not up after a minute')
}

/** The package of the root that has the binary for this machine. */
function binary(): string {
  const launcher = createRequire(
    createRequire(import.meta.url).resolve('@restatedev/restate-server/package.json'),
  )
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`
  return launcher.resolve(`${name}/bin/restate-server`)
}

async function freePorts(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'))
  await Promise.all(servers.map((server) => once(server, 'listening')))
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}
