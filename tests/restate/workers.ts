// Workers as people start them: processes of their own, behind one address.
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { root } from '../../scripts/entries.ts'
import { createBalancer } from '../../src/durable/restate/create-balancer.ts'
import { freePorts } from './restate-server.ts'

export interface WorkerProcess {
  readonly name: string
  readonly port: number
  /** What it has said. */
  readonly log: () => string
  kill(signal?: NodeJS.Signals): Promise<void>
  /** `more`: options beside those that it always has. */
  start(command?: string, more?: readonly string[]): Promise<void>
}

export interface WorkerGroup {
  readonly workers: readonly WorkerProcess[]
  readonly address: string
  stop(): Promise<void>
}

const ourCommand = join(root, 'dist/cli/main.js')

/** `argumentsOf`: what each is started with, by its name. */
export async function startWorkers(
  names: readonly string[],
  argumentsOf: (name: string) => readonly string[],
  options: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): Promise<WorkerGroup> {
  const [balancerPort = 0, ...ports] = await freePorts(names.length + 1)
  const workers = await Promise.all(
    names.map(async (name, i) => {
      const worker = workerAt(name, ports[i] as number, argumentsOf(name), options)
      await worker.start()
      return worker
    }),
  )
  const balancer = createBalancer({ workers: ports.map((port) => `http://127.0.0.1:${port}`) })
  await balancer.listen(balancerPort)
  return {
    workers,
    address: `http://127.0.0.1:${balancerPort}`,
    async stop() {
      await Promise.all(workers.map((worker) => worker.kill()))
      await balancer.close()
    },
  }
}

function workerAt(
  name: string,
  port: number,
  given: readonly string[],
  { cwd, env }: { readonly cwd: string; readonly env: Readonly<Record<string, string>> },
): WorkerProcess {
  let child: ChildProcess | undefined
  let log = ''
  return {
    name,
    port,
    log: () => log,
    async kill(signal = 'SIGKILL') {
      if (!child || child.exitCode !== null || child.signalCode !== null) return
      child.kill(signal)
      await once(child, 'exit')
    },
    async start(command = ourCommand, more = []) {
      const made = spawn(
        process.execPath,
        [command, 'worker', '--listen', `127.0.0.1:${port}`, '--no-register', '--json', ...given, ...more],
        { cwd, env: { ...process.env, ...env }, stdio: ['ignore', 'pipe', 'pipe'] },
      )
      child = made
      made.stderr.on('data', (chunk) => (log += chunk))
      // Its first line says that it listens.
      const [line] = await Promise.race([
        once(made.stdout, 'data'),
        once(made, 'exit').then(() => {
          throw new Error(`the worker ended: ${log}`)
        }),
      ])
      made.stdout.resume()
      log += line
      if (!/"url"/.test(String(line))) throw new Error(`the worker does not listen: ${line}`)
    },
  }
}
