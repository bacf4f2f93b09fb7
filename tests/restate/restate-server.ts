// The real engine, on loopback: its binary comes with a package.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface RestateServer {
  readonly ingress: string
  readonly admin: string
  /** For processes that talk to it. */
  readonly env: Readonly<Record<string, string>>
  /** As if the machine had lost its power. */
  kill(): Promise<void>
  /** With what it has on its disk. */
  start(): Promise<void>
  stop(): Promise<void>
}

export async function startRestate(): Promise<RestateServer> {
  const folder = mkdtempSync(join(tmpdir(), 'legible-restate-'))
  const [ingressPort, adminPort, nodePort] = await freePorts(3)
  const ingress = `http://127.0.0.1:${ingressPort}`
  const admin = `http://127.0.0.1:${adminPort}`
  let child: ChildProcess | undefined
  const start = async () => {
    child = spawn(
      binary(),
      ['--listen-mode', 'tcp', '--bind-ip', '127.0.0.1', '--bind-port', String(nodePort)].concat([
        '--base-dir',
        folder,
        '--node-name',
        'one',
        '--no-logo',
        '--log-filter',
        'error',
      ]),
      {
        stdio: 'ignore',
        env: {
          ...process.env,
          DO_NOT_TRACK: '1',
          RESTATE_INGRESS__BIND_ADDRESS: `127.0.0.1:${ingressPort}`,
          RESTATE_ADMIN__BIND_ADDRESS: `127.0.0.1:${adminPort}`,
          RESTATE_DEFAULT_NUM_PARTITIONS: '4',
          RESTATE_ROCKSDB_TOTAL_MEMORY_SIZE: '256MB',
        },
      },
    )
    await until(async () => {
      const [up, open] = await Promise.all([fetch(`${admin}/health`), fetch(`${ingress}/restate/health`)])
      return up.ok && open.ok
    })
  }
  const kill = async () => {
    if (!child || child.exitCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
  await start()
  return {
    ingress,
    admin,
    env: { RESTATE_INGRESS_URL: ingress, RESTATE_ADMIN_URL: admin },
    kill,
    start,
    async stop() {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** The package that has the binary for this machine. */
function binary(): string {
  const require = createRequire(import.meta.url)
  const name = `@restatedev/restate-server-${process.platform}-${process.arch}`
  const launcher = createRequire(require.resolve('@restatedev/restate-server/package.json'))
  return launcher.resolve(`${name}/bin/restate-server`)
}

export async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1')
      await once(server, 'listening')
      return server
    }),
  )
  const ports = servers.map((server) => (server.address() as { port: number }).port)
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))))
  return ports
}

/** Asks again until it is so. */
export async function until(isSo: () => Promise<boolean> | boolean, seconds = 60): Promise<void> {
  const end = Date.now() + seconds * 1000
  for (;;) {
    if (await Promise.resolve(isSo()).catch(() => false)) return
    if (Date.now() > end) throw new Error(`it is not so after ${seconds} s: ${isSo}`)
    await new Promise((resolve) => setTimeout(resolve, 25))
  }
}
