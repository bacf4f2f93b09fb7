import { fold } from '../../json/coerce/fold.ts'
import type { JsonListener } from '../../json/containers.ts'
import type { ValueReader } from '../../json/value-reader.ts'
import type { KnownTools } from '../known-tools.ts'
import { resolveName } from '../resolve-name.ts'
import type { CallCursor } from './call-cursor.ts'
import { type CallKeys, firstNames } from './json-calls.ts'
import type { PartsOut } from './parts-out.ts'

export interface ListenerOptions {
  readonly out: PartsOut
  readonly reader: ValueReader
  readonly cursor: CallCursor
  readonly tools: KnownTools
  readonly keys: CallKeys
  /** Where the value begins in the text. */
  readonly start: number
  /** The id may stand behind the name: the call is not told of before it is known. */
  readonly lateId: boolean
}

/**
 * Hears calls being read, and tells their names and the text of their arguments as soon as they are there. What was told
 * counts, whether somebody listens or not: the first name of a call, and the id that was known by then.
 */
export class CallListener implements JsonListener {
  private readonly options: ListenerOptions
  private depth = 0
  private list = false
  /** A call ended without a name that could be told: those behind it must wait, or the order would be wrong. */
  private silent = false
  private ended = false
  /** Which call is being told of; -1 before it is known. */
  private index = -1
  private begin = 0
  private name = ''
  private id: string | undefined
  /** Where its arguments stand, as far as that is known; and how far they were told. */
  private from = -1
  private to = -1
  private told = 0

  constructor(options: ListenerOptions) {
    this.options = options
  }

  /** The whole value is the arguments of a call whose name is known. */
  startArguments(name: string, id: string | undefined, at: number): void {
    this.index = this.options.out.startCall(name, id, at)
    this.from = 0
  }

  /** The value breaks off: a name that is half there is none. */
  end(): void {
    this.ended = true
  }

  /** Tells what has arrived since the last time. */
  tell(): void {
    const { reader, start, out, cursor } = this.options
    if (this.index < 0 || this.from < 0 || !out.told) return
    const to = this.to >= 0 ? this.to : (reader.found?.end ?? reader.place)
    if (to <= this.told) return
    out.tellArguments(this.index, cursor.tape.slice(start + this.told, start + to))
    this.told = to
  }

  private get isMember(): boolean {
    return this.depth === (this.list ? 2 : 1)
  }

  open(key: PropertyKey, container: object): void {
    const { place } = this.options.reader
    if (this.depth === 0) this.list = Array.isArray(container)
    if (
      this.isMember &&
      typeof key === 'string' &&
      this.options.keys.arguments.includes(fold(key)) &&
      this.from < 0
    ) {
      this.from = place
      this.told = this.from
    } else if (this.list && this.depth === 1) {
      this.index = -1
      this.name = ''
      this.id = undefined
      this.from = -1
      this.to = -1
      this.begin = place
    }
    this.depth++
  }

  close(): void {
    this.depth--
    if (this.isMember && this.from >= 0 && this.to < 0) this.to = this.options.reader.place
    if (this.depth !== (this.list ? 1 : 0)) return
    // The call ends: what is known of it must be told before the next one begins.
    if (this.name !== '') this.startCall()
    if (this.index < 0) this.silent = true
    this.tell()
  }

  // A name within `"function": {…}` is known at the end only, as all of the call is then.
  done(key: PropertyKey, value: unknown): void {
    if (this.ended || !this.isMember || this.index >= 0 || typeof key !== 'string') return
    const { keys } = this.options
    const word = fold(key)
    if (keys.ids.includes(word) && (typeof value === 'string' || typeof value === 'number'))
      this.id ??= String(value)
    else if (
      typeof value === 'string' &&
      value.trim() !== '' &&
      firstNames(keys).includes(word) &&
      this.name === ''
    )
      this.name = resolveName(value, this.options.tools)
    if (this.name !== '' && (!this.options.lateId || this.id !== undefined)) this.startCall()
  }

  private startCall(): void {
    const { out, start } = this.options
    if (this.index < 0 && !this.silent) this.index = out.startCall(this.name, this.id, start + this.begin)
  }

  text(): void {}

  takeBack(): void {}

  abandon(): void {}
}
