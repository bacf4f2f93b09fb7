import { isRecord } from '../../core/is-record.ts'
import { RequestError } from './request-error.ts'

/** The members of an object in a request, each asked for by name and type. `null` is the same as nothing. */
export class Fields {
  readonly path: string
  readonly #record: Readonly<Record<string, unknown>>

  constructor(value: unknown, path: string) {
    if (!isRecord(value)) throw wrong(path, 'an object', value)
    this.path = path
    this.#record = value
  }

  raw(name: string): unknown {
    return Object.hasOwn(this.#record, name) ? (this.#record[name] ?? undefined) : undefined
  }

  has(name: string): boolean {
    return this.raw(name) !== undefined
  }

  /** Where a member stands, for messages. */
  at(name: string): string {
    return this.path === '' ? name : `${this.path}.${name}`
  }

  text(name: string): string | undefined {
    return this.#typed(name, 'a string', (value) => typeof value === 'string')
  }

  flag(name: string): boolean | undefined {
    return this.#typed(name, 'true or false', (value) => typeof value === 'boolean')
  }

  number(name: string): number | undefined {
    return this.#typed(name, 'a number', (value) => typeof value === 'number')
  }

  whole(name: string): number | undefined {
    return this.#typed(name, 'a whole number', (value) => Number.isSafeInteger(value))
  }

  object(name: string): Fields | undefined {
    return this.has(name) ? new Fields(this.raw(name), this.at(name)) : undefined
  }

  list(name: string): unknown[] | undefined {
    return this.#typed(name, 'a list', (value) => Array.isArray(value))
  }

  /** A list of objects. */
  objects(name: string): Fields[] | undefined {
    return this.list(name)?.map((value, i) => new Fields(value, `${this.at(name)}[${i}]`))
  }

  /** A member that must be there. */
  need<T>(name: string, value: T | undefined): T {
    if (value === undefined) throw this.problem(name, 'is missing')
    return value
  }

  problem(name: string, message: string): RequestError {
    return new RequestError(400, `${this.at(name)}: ${message}`, { param: this.at(name) })
  }

  #typed<T>(name: string, expected: string, fits: (value: unknown) => boolean): T | undefined {
    const value = this.raw(name)
    if (value !== undefined && !fits(value)) throw wrong(this.at(name), expected, value)
    return value as T | undefined
  }
}

function wrong(path: string, expected: string, value: unknown): RequestError {
  const message = `must be ${expected}, not ${kindOf(value)}`
  if (path === '') return new RequestError(400, `the body ${message}`)
  return new RequestError(400, `${path}: ${message}`, { param: path })
}

function kindOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'number') return Number.isSafeInteger(value) ? 'a number' : String(value)
  return typeof value === 'object' ? 'an object' : `a ${typeof value}`
}
