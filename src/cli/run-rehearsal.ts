import { once } from 'node:events'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { columns } from '../core/columns.ts'
import type { RehearsalDamage } from '../model/rehearsal/rehearsal-damages.ts'
import { createRehearsalServer, type ServedRequest } from './rehearsal-server/create-rehearsal-server.ts'
import { damagesOf, rehearsalModels } from './rehearsal-server/rehearsal-models.ts'
import { UsageError } from './usage-error.ts'

export interface RehearseOptions {
  readonly port: number
  readonly seed?: number
  readonly damage?: RehearsalDamage[]
  readonly rate?: number
  readonly delay?: number
  readonly chunk?: number
  readonly json?: true
}

/** Nobody but this machine can reach it. */
const HOST = '127.0.0.1'

/** Serves until it is told to stop. */
export async function runRehearsal({ port, json, ...options }: RehearseOptions): Promise<void> {
  const log = (request: ServedRequest) =>
    process.stderr.write(`${logLine(request, options.damage ?? [], json ?? false)}\n`)
  const server = createRehearsalServer({ ...rehearsalModels(options), onServed: log })
  await listen(server, port)
  process.stdout.write(announcement((server.address() as AddressInfo).port, json ?? false))
  await stopped()
  // Whoever is still served is cut off: that is what was asked for.
  server.close()
  server.closeAllConnections()
  process.exit(0)
}

async function listen(server: Server, port: number): Promise<void> {
  try {
    server.listen(port, HOST)
    await once(server, 'listening')
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    const reason =
      code === 'EADDRINUSE'
        ? 'something else listens there; take another, or leave out --port for one that is free'
        : code === 'EACCES'
          ? 'this port is not permitted; those from 1024 on are'
          : message
    throw new UsageError('cli.port_unavailable', `port ${port}: ${reason}`, { cause: error })
  }
}

function stopped(): Promise<unknown> {
  return new Promise((resolve) => {
    process.once('SIGINT', resolve)
    process.once('SIGTERM', resolve)
  })
}

function announcement(port: number, json: boolean): string {
  const url = `http://${HOST}:${port}`
  if (json) return `${JSON.stringify({ url, port })}\n`
  return `The rehearsal model listens on ${url} (Ctrl-C stops it)
  OpenAI  base URL ${url}/v1, model rehearsal, any key
  Ollama  OLLAMA_HOST=${url}, model rehearsal
`
}

const endings = { done: '', broken: ' broke off', left: ' the client left' } as const

/** Long names are those of mistakes, or worse. */
const MAX_SHOWN = 200

/** One line, whatever a client has put into the path or the name of the model. */
function logLine(request: ServedRequest, defaults: readonly RehearsalDamage[], json: boolean): string {
  const { method, status, ending, ms } = request
  const path = request.path.slice(0, MAX_SHOWN)
  const model = request.model?.slice(0, MAX_SHOWN)
  const named = model === undefined ? [] : (damagesOf(model) ?? [])
  const damage = named.length > 0 || model === undefined ? named : defaults
  if (json) return JSON.stringify({ method, path, model, damage, status, ending, ms })
  const words = [method, path, model ?? '-', damage.join(',') || '-', status, `${ms} ms${endings[ending]}`]
  return columns(words.join(' ')).text
}
