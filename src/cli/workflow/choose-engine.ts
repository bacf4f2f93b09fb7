import { createEngine, type Engine, type EngineOptions } from '../../durable/restate/create-engine.ts'
import { type EngineChoice, engineNames, isAddress } from '../engine-options.ts'
import { loadConfig } from '../load-config.ts'
import { UsageError } from '../usage-error.ts'

/** The engine that runs are carried out by; `undefined`: this process. What is nearer to the person counts more. */
export function chooseEngine(options: EngineChoice): Engine | undefined {
  const config = loadConfig({ cwd: process.cwd() })
  const variable = process.env.LEGIBLE_ENGINE?.trim() || undefined
  if (variable !== undefined && !engineNames.some((name) => name === variable))
    throw new UsageError(
      'cli.usage',
      `LEGIBLE_ENGINE is ${engineNames.join(' or ')}, not ${JSON.stringify(variable)}`,
    )
  const name = options.engine ?? variable ?? config.engine ?? 'local'
  return name === 'local' ? undefined : createEngine(engineAddresses(options))
}

/** Where Restate is. */
export function engineAddresses(options: EngineChoice): EngineOptions {
  const { restate = {} } = loadConfig({ cwd: process.cwd() })
  return {
    ingress: options.ingress ?? fromVariable('RESTATE_INGRESS_URL') ?? restate.ingress,
    admin: options.admin ?? fromVariable('RESTATE_ADMIN_URL') ?? restate.admin,
  }
}

function fromVariable(name: string): string | undefined {
  const text = process.env[name]?.trim()
  if (!text || isAddress(text)) return text || undefined
  throw new UsageError(
    'cli.usage',
    `${name} is an address, as in http://127.0.0.1:8080, not ${JSON.stringify(text)}`,
  )
}

/** What is typed behind commands about a run, so that they find it where this one did. */
export const typedFor = (id: string, { engine, ingress, admin }: EngineChoice): string =>
  [id, engine && `--engine ${engine}`, ingress && `--ingress ${ingress}`, admin && `--admin ${admin}`]
    .filter(Boolean)
    .join(' ')
