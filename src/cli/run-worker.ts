import type { AddressInfo } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { columns } from '../core/columns.ts'
import { LegibleError } from '../core/legible-error.ts'
import { createEngine, type Engine } from '../durable/restate/create-engine.ts'
import { loadModel } from '../model/load-model.ts'
import type { EngineChoice } from './engine-options.ts'
import { openTools } from './open-tools.ts'
import { openGuard } from './permission/open-guard.ts'
import { asUsage, UsageError } from './usage-error.ts'
import { engineAddresses } from './workflow/choose-engine.ts'
import { makeSettings, type SettingOptions } from './workflow/make-settings.ts'
import { workflowLimits } from './workflow/settings.ts'

interface ListenOptions extends EngineChoice {
  readonly listen: { readonly host: string; readonly port: number }
  /** Absent: as it listens. `false`: not at all. */
  readonly register?: string | boolean
  readonly takeOver?: true
  readonly json?: true
}

export interface WorkerCommandOptions extends ListenOptions, SettingOptions {
  readonly steps?: number
  readonly identityKey: readonly string[]
}

export type BalanceOptions = ListenOptions

/** Something that listens until it is stopped. */
interface Listener {
  listen(port: number, host?: string): Promise<AddressInfo>
  close(): Promise<void>
}

/** Carries out runs until it is told to stop. */
export async function runWorker(options: WorkerCommandOptions): Promise<void> {
  const root = process.cwd()
  const settings = makeSettings(options)
  const { createWorker } = await loadWorker()
  const named = [settings.model, ...Object.values(settings.profiles)]
  await asUsage('cli.invalid_model', () => Promise.all(named.map((name) => loadModel(name))))
  const { tools, close } = await openTools(settings.tools, root)
  const { model, profiles, prices } = settings
  const guard = openGuard({ root, isNamed: false, command: 'worker', model: () => model })
  const log = logTo(options.json ?? false)
  const worker = await asUsage('cli.invalid_workflow', () =>
    createWorker({
      model,
      profiles,
      tools,
      limits: workflowLimits(settings),
      ...(prices && { prices }),
      permissions: guard.permissions,
      record: guard.record,
      steps: options.steps,
      ...(options.identityKey.length > 0 && { identityKeys: options.identityKey }),
      onRun: ({ type, run, path, outcome }) =>
        log({ type, run, ...(path && { path }), ...(outcome && { outcome }) }),
      onProblem: (message) => log({ type: 'problem', message }),
    }),
  )
  await serve(worker, options, `The worker listens on %, with ${model}`)
  await guard.close('stopped').catch(() => {})
  await close()
  process.exit(0)
}

export async function runBalancer(workers: readonly string[], options: BalanceOptions): Promise<void> {
  const { createBalancer } = await import('../durable/restate/create-balancer.ts')
  const log = logTo(options.json ?? false)
  const balancer = createBalancer({
    workers,
    onChange: (worker, isThere) => log({ type: isThere ? 'back' : 'lost', worker }),
  })
  await serve(balancer, options, `Workers are reached by %: ${workers.join(', ')}`)
  process.exit(0)
}

/** Listens, tells the engine, and waits until it is told to stop. */
async function serve(listener: Listener, options: ListenOptions, greeting: string): Promise<void> {
  const { host } = options.listen
  const { port } = await listen(listener, options.listen)
  const url = `http://${host.includes(':') ? `[${host}]` : host}:${port}`
  if (options.register !== false) {
    const address = typeof options.register === 'string' ? options.register : url
    try {
      await asUsage('cli.engine', () => register(createEngine(engineAddresses(options)), address, options))
    } catch (error) {
      await listener.close()
      throw error
    }
  }
  process.stdout.write(
    options.json ? `${JSON.stringify({ url, port })}\n` : `${greeting.replace('%', url)} (Ctrl-C stops it)\n`,
  )
  await stopped()
  const words = 'legible: waits for replies that are under way; a second Ctrl-C does not wait\n'
  const slow = globalThis.setTimeout(() => process.stderr.write(options.json ? '' : words), SLOW)
  process.once('SIGINT', () => process.exit(0))
  process.once('SIGTERM', () => process.exit(0))
  await listener.close()
  clearTimeout(slow)
}

/** Milliseconds until it is said that it waits. */
const SLOW = 1000

/** Milliseconds. Who starts all at once starts workers before the engine is there. */
const PATIENCE = 10_000

async function register(engine: Engine, address: string, options: ListenOptions): Promise<void> {
  const takeOver = options.takeOver ?? false
  for (const end = Date.now() + PATIENCE; ; ) {
    try {
      return await engine.register(address, { takeOver })
    } catch (error) {
      const isAway = error instanceof LegibleError && error.code === 'durable.unreachable'
      if (!isAway || Date.now() > end) throw error
      await setTimeout(500)
    }
  }
}

async function listen(listener: Listener, { host, port }: ListenOptions['listen']): Promise<AddressInfo> {
  try {
    return await listener.listen(port, host)
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason = code === 'EADDRINUSE' ? 'something else listens there' : message
    throw new UsageError('cli.port_unavailable', `${host}:${port}: ${reason}`, { cause: error })
  }
}

/** The SDK is there for those who use it. */
async function loadWorker(): Promise<typeof import('../durable/restate/create-worker.ts')> {
  try {
    return await import('../durable/restate/create-worker.ts')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error
    throw new UsageError(
      'cli.engine',
      'a worker needs the SDK of Restate: npm install @restatedev/restate-sdk',
      { cause: error },
    )
  }
}

function stopped(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
}

/** One line for each thing that happens, on standard error. */
function logTo(json: boolean): (entry: Readonly<Record<string, string>>) => void {
  return (entry) => {
    const text = json ? JSON.stringify(entry) : columns(Object.values(entry).join(' ')).text
    process.stderr.write(`${text}\n`)
  }
}
