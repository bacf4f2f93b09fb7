import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Contender } from './contenders.ts'
import { command } from './legible.ts'
import { type Measured, startListener } from './processes.ts'
import { type Server, startServer } from './server.ts'

export type Part = 'server' | 'workers' | 'balancer'
export type Processes = Readonly<Record<Part, readonly Measured[]>>

/** Starts a new engine, and workers of each contender behind an address; all of it is gone when the work is done. */
export async function onEngine<T>(
  contenders: readonly Contender[],
  workerCount: number,
  work: (server: Server, processes: Processes) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(tmpdir(), 'legible-bench-'))
  const started: Measured[] = []
  const start = async <P extends Measured>(starting: Promise<P>): Promise<P> => {
    const one = await starting
    started.push(one)
    return one
  }
  try {
    const server = await start(startServer(join(folder, 'server')))
    const workers: Measured[] = []
    const balancer: Measured[] = []
    for (const { worker } of contenders) {
      const urls: string[] = []
      for (let i = 0; i < workerCount; i++) {
        const one = await start(startListener(worker, folder))
        workers.push(one)
        urls.push(one.url)
      }
      const given = [command, 'balance', '--listen', '127.0.0.1:0', '--no-register', '--json', ...urls]
      const front = await start(startListener(given, folder))
      balancer.push(front)
      await server.register(front.url)
    }
    return await work(server, { server: [server], workers, balancer })
  } finally {
    await Promise.all(started.map((one) => one.stop()))
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Times {
  readonly id: string
  readonly created: number
  readonly ended: number
}

/** When runs were submitted and when they ended, by the clock of the engine. */
export async function timesOf(server: Server, { service }: Contender): Promise<Times[]> {
  const rows = await server.query(
    `select target_service_key as id, created_at, completed_at from sys_invocation where target_service_name = '${service}' and target_handler_name = 'run'`,
  )
  return rows.map(({ id, created_at: created, completed_at: ended }) => ({
    id: String(id),
    created: Date.parse(String(created)),
    ended: Date.parse(String(ended)),
  }))
}

/** Throws unless so many runs came to a good end. */
export async function checkCompleted(server: Server, contender: Contender, runs: number): Promise<void> {
  const completed = await contender.completed(server)
  if (completed !== runs) throw new Error(`${contender.name}: ${completed} of ${runs} runs are completed`)
}
