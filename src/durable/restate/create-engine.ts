import type { Json } from '../../agent/durable.ts'
import type { JournalEntry } from '../../agent/memory-journal.ts'
import type { Program } from '../../agentfile/run/program.ts'
import { isRecord } from '../../core/is-record.ts'
import { LegibleError } from '../../core/legible-error.ts'
import { branchKey, branchService, runService, stateNames } from './names.ts'
import type { RunAbout, RunEnd, RunRequest } from './run-request.ts'

export interface EngineOptions {
  /** Where runs are submitted; `http://127.0.0.1:8080` unless said otherwise. */
  readonly ingress?: string | undefined
  /** Where the engine is looked at and managed; `http://127.0.0.1:9070` unless said otherwise. */
  readonly admin?: string | undefined
}

/** Something that a run waits for, and where it has to be said. */
export interface EngineWait {
  readonly id: string
  readonly service: string
  readonly key: string
}

/** A run as the engine has it, or what is new of it. */
export interface EngineRun {
  /** Absent: no worker has begun it. */
  readonly about?: RunAbout
  readonly program?: Program
  readonly entries: readonly (JournalEntry & { readonly ms: number })[]
  readonly waits: readonly EngineWait[]
  /** Absent: it has not ended. */
  readonly end?: RunEnd
}

/** One line about a run. */
export interface EngineRunState {
  readonly id: string
  /** Absent: no worker has begun it. */
  readonly about?: RunAbout
  readonly end?: RunEnd
  readonly waits: number
  /** Of the engine: `running`, `suspended`, `backing-off`, `completed`. */
  readonly status: string
  /** Why it is tried again. */
  readonly problem?: string
  /** ISO 8601. */
  readonly created: string
}

/** The engine, as those see it who submit runs and look at them. */
export interface Engine {
  submit(request: RunRequest): Promise<void>
  /** `isKnown`: names of state that need not be read again. */
  read(id: string, isKnown?: (name: string) => boolean): Promise<EngineRun>
  /** The last runs, the last one first. */
  list(): Promise<EngineRunState[]>
  state(id: string): Promise<EngineRunState | undefined>
  /** The ids that begin so, some of them if there are many; all the last ones if nothing is given. */
  find(beginning: string): Promise<string[]>
  answer(wait: EngineWait, value: Json): Promise<void>
  /** `kill`: at once. Otherwise the run and its agents come to their end, and keep how. */
  cancel(id: string, options?: { readonly kill?: boolean }): Promise<void>
  /** Tells the engine where workers are. `takeOver`: what workers at other addresses had in hand goes on there, too. */
  register(address: string, options?: { readonly takeOver?: boolean }): Promise<void>
}

const MOST_LISTED = 500

/** Throws a LegibleError wherever the engine cannot be reached, or says no. */
export function createEngine(options: EngineOptions = {}): Engine {
  const { ingress = 'http://127.0.0.1:8080', admin = 'http://127.0.0.1:9070' } = options

  const query = async (sql: string): Promise<Record<string, string>[]> => {
    const { rows } = (await send(admin, '/query', 'POST', { query: sql })) as {
      rows: Record<string, string>[]
    }
    return rows
  }
  const states = async (where: string): Promise<EngineRunState[]> => {
    const rows = await query(
      `select target_service_key as key, status, created_at as created, last_failure as problem from sys_invocation where target_service_name = '${runService}' and target_handler_name = 'run'${where} order by created_at desc limit ${MOST_LISTED}`,
    )
    if (rows.length === 0) return []
    const listed = rows.map(({ key = '' }) => quoted(key)).join(', ')
    const [kept, waits] = await Promise.all([
      query(
        `select service_key, key, value_utf8 from state where service_name = '${runService}' and key in ('${stateNames.about}', '${stateNames.end}') and service_key in (${listed})`,
      ),
      query(
        `select split_part(service_key, '/', 1) as run from state where service_name in ('${runService}', '${branchService}') and starts_with(key, '${stateNames.wait('')}') and split_part(service_key, '/', 1) in (${listed})`,
      ),
    ])
    const values = new Map(kept.map((row) => [`${row.service_key} ${row.key}`, row.value_utf8]))
    const readValue = (id: string, name: string) => {
      const text = values.get(`${id} ${name}`)
      return text === undefined ? undefined : JSON.parse(text)
    }
    return rows.map(({ key = '', status = '', created = '', problem }): EngineRunState => {
      const about = readValue(key, stateNames.about) as RunAbout | undefined
      const end = readValue(key, stateNames.end) as RunEnd | undefined
      return {
        id: key,
        status,
        created,
        waits: waits.filter(({ run }) => run === key).length,
        ...(about && { about }),
        ...(end && { end }),
        ...(problem && { problem }),
      }
    })
  }

  return {
    async submit(request) {
      const path = `/${runService}/${encodeURIComponent(request.id)}/run/send`
      try {
        await send(ingress, path, 'POST', request)
      } catch (error) {
        if (!(error instanceof EngineRefusal) || error.status !== 404) throw error
        throw new LegibleError('durable.no_worker', 'No worker is registered at the engine.', {
          cause: error,
        })
      }
    },
    async read(id, isKnown = () => false) {
      const mine = `service_name in ('${runService}', '${branchService}') and (service_key = ${quoted(id)} or starts_with(service_key, ${quoted(branchKey(id, ''))}))`
      const found = await query(`select service_name, service_key, key from state where ${mine}`)
      const fresh = found.filter(({ key = '' }) => !isKnown(key))
      // What is known is not read again: a run may have thousands of steps.
      const names =
        fresh.length < found.length
          ? ` and key in (${fresh.map(({ key = '' }) => quoted(key)).join(', ')})`
          : ''
      if (fresh.length === 0) return { entries: [], waits: [] }
      return partsIn(
        await query(`select service_name, service_key, key, value_utf8 from state where ${mine}${names}`),
      )
    },
    list: () => states(''),
    state: async (id) => (await states(` and target_service_key = ${quoted(id)}`))[0],
    async find(beginning) {
      const rows = await query(
        `select target_service_key as key from sys_invocation where target_service_name = '${runService}' and target_handler_name = 'run' and starts_with(target_service_key, ${quoted(beginning)}) order by created_at desc limit ${MOST_LISTED}`,
      )
      return rows.map(({ key = '' }) => key)
    },
    async answer({ id, service, key }, value) {
      await send(ingress, `/${service}/${encodeURIComponent(key)}/answer`, 'POST', { name: id, value })
    },
    async cancel(id, { kill = false } = {}) {
      const [row] = await query(
        `select id from sys_invocation where target_service_name = '${runService}' and target_service_key = ${quoted(id)} and target_handler_name = 'run'`,
      )
      if (!row?.id) throw new LegibleError('durable.unknown_run', `The engine has no run ${id}.`)
      await send(admin, `/invocations/${row.id}/${kill ? 'kill' : 'cancel'}`, 'PATCH')
    },
    async register(address, { takeOver = false } = {}) {
      const { deployments } = (await send(admin, '/deployments', 'GET')) as { deployments: Deployment[] }
      const ours = deployments.filter(({ services }) => services.some(({ name }) => name === runService))
      // A worker of another version may say more of itself; runs that go on are not touched.
      if (!takeOver || ours.length === 0)
        await send(admin, '/deployments', 'POST', { uri: address, force: true })
      else
        for (const { id } of ours)
          await send(admin, `/deployments/${id}`, 'PATCH', { uri: address, overwrite: true })
    },
  }
}

/** As the engine lists them. */
interface Deployment {
  readonly id: string
  readonly services: readonly { readonly name: string }[]
}

const quoted = (text: string): string => `'${text.replaceAll("'", "''")}'`

function partsIn(rows: readonly Record<string, string>[]): EngineRun {
  const found: { about?: RunAbout; program?: Program; end?: RunEnd } = {}
  const entries: (JournalEntry & { ms: number })[] = []
  const waits: EngineWait[] = []
  for (const {
    service_name: service = '',
    service_key: key = '',
    key: name = '',
    value_utf8: text = '',
  } of rows) {
    if (name === stateNames.about) found.about = JSON.parse(text)
    else if (name === stateNames.program) found.program = JSON.parse(text)
    else if (name === stateNames.end) found.end = JSON.parse(text)
    else if (name.startsWith(waitPrefix)) waits.push({ id: name.slice(waitPrefix.length), service, key })
    else if (name.startsWith(stepPrefix))
      entries.push({ key: name.slice(stepPrefix.length), ...JSON.parse(text) })
  }
  return { ...found, entries, waits }
}

const waitPrefix = stateNames.wait('')
const stepPrefix = stateNames.step('')

/** The engine says no. */
class EngineRefusal extends LegibleError {
  readonly status: number

  constructor(code: string, message: string, status: number) {
    super(code, message)
    this.status = status
  }
}

async function send(base: string, path: string, method: string, body?: unknown): Promise<unknown> {
  let response: Response
  let text: string
  try {
    response = await fetch(`${base.replace(/\/+$/, '')}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    text = await response.text()
  } catch (error) {
    const { cause, message } = error as Error
    const reason = cause instanceof Error && cause.message ? cause.message : message
    throw new LegibleError('durable.unreachable', `The engine at ${base} cannot be reached: ${reason}`, {
      cause: error,
    })
  }
  if (response.ok) return text === '' ? undefined : JSON.parse(text)
  // It starts, or has too much to do: that passes.
  if (response.status >= 500 || response.status === 429)
    throw new LegibleError(
      'durable.unreachable',
      `The engine at ${base} is not ready: ${response.status} ${messageIn(text)}`,
    )
  throw new EngineRefusal(
    'durable.engine_refused',
    `The engine at ${base} answered ${response.status}: ${messageIn(text)}`,
    response.status,
  )
}

function messageIn(text: string): string {
  try {
    const value: unknown = JSON.parse(text)
    if (isRecord(value) && typeof value.message === 'string') return value.message
  } catch {}
  return text.slice(0, 500)
}
