import { checkText } from '../core/check-text.ts'
import type { Read, Reader } from '../core/read.ts'
import { compileSchema } from '../schema/compile-schema.ts'
import type { Infer, Schema } from '../schema/schema.ts'
import { type JsonChange, LiveValue } from './live-value.ts'
import { finish, type JsonOptions, limitsOf } from './read-json.ts'
import { JsonScanner } from './scanner.ts'

export interface JsonReaderOptions extends JsonOptions {
  /** Hears of every change of the live value. */
  readonly onChange?: ((change: JsonChange) => void) | undefined
}

/** What is there as a whole or not at all. */
type Whole =
  | string
  | number
  | boolean
  | bigint
  | symbol
  | null
  | undefined
  | Date
  | RegExp
  | Function
  | ReadonlyMap<unknown, unknown>
  | ReadonlySet<unknown>

/** A value of which any part may still be missing. */
export type Partially<T> = T extends Whole
  ? T
  : T extends readonly [unknown, ...unknown[]]
    ? { [K in keyof T]?: Partially<T[K]> }
    : T extends readonly (infer E)[]
      ? Partially<E>[]
      : T extends object
        ? { [K in keyof T]?: Partially<T[K]> }
        : T

export interface JsonReader<T> extends Reader<T> {
  /** The value as far as it has been read. It is alive: the next chunk changes it in place. */
  readonly value: Partially<T> | undefined
  /** The value as it is now; later chunks do not change it. Parts that are complete are shared, not copied. */
  snapshot(): Partially<T> | undefined
}

/** Reads JSON while it streams, in time proportional to the text. At the end it gives what `readJson` gives. */
export function createJsonReader<S extends Schema | undefined = undefined>(
  schema?: S,
  options?: JsonReaderOptions,
): JsonReader<Infer<S>>
export function createJsonReader(schema?: Schema, options: JsonReaderOptions = {}): JsonReader<unknown> {
  return new StreamingReader(schema, options)
}

class StreamingReader implements JsonReader<unknown> {
  private readonly compiled
  private readonly limits
  private readonly scanner: JsonScanner
  private readonly live: LiveValue | undefined
  private readonly changed: JsonReaderOptions['onChange']
  private result: Read<unknown> | undefined

  constructor(schema: Schema | undefined, { limits, onChange }: JsonReaderOptions) {
    this.limits = limitsOf(limits)
    this.changed = onChange
    this.compiled = schema === undefined ? undefined : compileSchema(schema)
    const scanner = new JsonScanner(this.limits)
    this.scanner = scanner
    if (!this.compiled && !onChange) return
    this.live = new LiveValue(this.compiled?.shape, scanner.tape, () => scanner.shows, onChange)
    scanner.listen(this.live)
  }

  push(chunk: string): void {
    checkText(chunk, 'push')
    if (!this.result) this.scanner.push(chunk)
  }

  end(): Read<unknown> {
    if (!this.result) {
      this.scanner.end()
      this.result = finish(this.scanner, this.compiled, this.limits)
      const { value } = this.result
      // Another value of the text may be the better one, and the schema may have made it anew.
      if (value !== this.live?.value) this.changed?.({ kind: 'set', path: [], value, done: true })
    }
    return this.result
  }

  get value(): unknown {
    if (this.result) return this.result.value
    return this.live ? this.live.value : this.scanner.live
  }

  snapshot(): unknown {
    const open = new Set(this.result ? [] : (this.live ?? this.scanner).spine)
    return copy(this.value, open)
  }
}

function copy(value: unknown, open: ReadonlySet<object>): unknown {
  if (typeof value !== 'object' || value === null || !open.has(value)) return value
  if (Array.isArray(value)) return value.map((item) => copy(item, open))
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, copy(item, open)]))
}
