import type { Limits } from '../core/limits.ts'
import { JsonTokens } from './tokens.ts'

/** An open container. */
export interface Frame {
  readonly value: Record<string, unknown> | unknown[]
  readonly array: boolean
  readonly start: number
  /** The keys of the containers that stood in this place before: within arrays, most records are alike. */
  readonly keys: ExpectedKeys | undefined
  /** The key or index whose value is being read. */
  key: string
  index: number
  keyStart: number
  keyEnd: number
}

interface ExpectedKeys {
  readonly names: string[]
  readonly below: ExpectedKeys[]
}

/** Where the members of a container stand in the text: the key's place and the value's. */
export interface MemberSpans
  extends Map<PropertyKey, readonly [keyStart: number, keyEnd: number, start: number, end: number]> {}

/** Hears what is read as it is read: for live values that differ from what stands in the text. */
export interface JsonListener {
  /** A container begins; as the value of `key`, or as the root. */
  open(key: PropertyKey, container: object): void
  /** A string grows. */
  text(key: PropertyKey, part: string, whole: string): void
  /** A scalar was read to its end. */
  done(key: PropertyKey, value: unknown, start: number, end: number): void
  /** The container that was opened last is read to its end. */
  close(key: PropertyKey, container: object): void
  /** The scalar that was read last was none: it is the key of what follows. */
  takeBack(key: PropertyKey): void
  /** What was read since the last root began is no value after all. */
  abandon(): void
}

/** Builds the value: containers open, fill and close in place, so that what is there can be looked at any time. */
export abstract class JsonContainers extends JsonTokens {
  /** Members' places, kept only when asked for: they cost more than the values. */
  spans: Map<object, MemberSpans> | undefined
  /** Keys that stood in an object before they stood there again; kept only along with places. */
  readonly duplicates = new Map<object, Set<string>>()
  protected listener: JsonListener | undefined
  protected frame: Frame | undefined
  protected root: unknown
  /** The place of the string that the end of the text has cut. */
  protected cut: readonly PropertyKey[] | undefined
  protected readonly frames: Frame[] = []
  private arrays = 0
  /** A bracket has closed what it did not open: the next one may be wrong as well. */
  protected mixed = false
  /** The end of the value that was read last. */
  protected lastEnd = 0

  constructor(limits: Limits, spans: boolean) {
    super(limits)
    this.spans = spans ? new Map() : undefined
  }

  listen(listener: JsonListener): void {
    this.listener = listener
    this.listening = true
  }

  override push(chunk: string): void {
    super.push(chunk)
    if (this.state !== this.inString || this.isKey) return
    if (!this.listener) this.put(this.text)
    else if (this.fresh !== '') this.tellText(this.text)
  }

  private tellText(whole: string): void {
    this.listener?.text(this.key, this.fresh, whole)
    this.fresh = ''
  }

  protected override get inArray(): boolean {
    return (this.frame as Frame).array
  }

  protected get key(): PropertyKey {
    const { array, index, key } = this.frame as Frame
    return array ? index : key
  }

  protected abstract atKey(): boolean
  protected abstract atValue(): boolean
  protected abstract afterValue(): boolean
  /** The value is read: `complete` if it closed by itself. */
  protected abstract finish(end: number, complete: boolean): void
  /** The value turned out to be none. */
  protected abstract abandon(): void

  protected reset(): void {
    this.frames.length = 0
    this.frame = undefined
    this.arrays = 0
    this.isKey = false
    this.mixed = false
    this.text = ''
  }

  // {"a": [1, 2]}
  // ^     ^
  protected open(): boolean {
    const start = this.offset
    if (this.frames.length >= this.limits.maxDepth) {
      this.note('too_deep', { limit: this.limits.maxDepth }, start, start + 1)
      while (this.frame) this.close(start, false)
      this.state = this.sink
      return true
    }
    const array = this.buf.charCodeAt(this.pos) === 91
    const value = array ? [] : {}
    if (this.frame) this.put(value)
    else {
      this.root = value
      this.mixed = false
    }
    this.listener?.open(this.frame ? this.key : '', value)
    const keys = array || this.arrays > 0 ? expectedKeys(this.frame) : undefined
    this.frame = { value, array, start, keys, key: '', index: 0, keyStart: start, keyEnd: start }
    if (array) this.arrays++
    this.frames.push(this.frame)
    this.spans?.set(value, new Map())
    this.pos++
    this.lastEnd = start + 1
    this.state = array ? this.atValue : this.atKey
    return true
  }

  protected put(value: unknown): void {
    const { value: container, array, key, index } = this.frame as Frame
    if (array) (container as unknown[])[index] = value
    else if (key !== '__proto__') (container as Record<string, unknown>)[key] = value
    else
      Object.defineProperty(container, key, { value, configurable: true, enumerable: true, writable: true })
  }

  protected override valueRead(value: unknown, start: number, end: number): void {
    this.put(value)
    if (this.listener) {
      if (this.fresh !== '' && typeof value === 'string') this.tellText(value)
      this.listener.done(this.key, value, start, end)
    }
    this.endMember(start, end)
  }

  private endMember(start: number, end: number): void {
    const frame = this.frame as Frame
    if (frame.array) this.spans?.get(frame.value)?.set(frame.index, [start, end, start, end])
    else if (this.spans) this.placeMember(frame, this.spans.get(frame.value), start, end)
    frame.index++
    this.lastEnd = end
    this.state = this.afterValue
  }

  private placeMember(frame: Frame, members: MemberSpans | undefined, start: number, end: number): void {
    const { value, key, keyStart, keyEnd } = frame
    if (members?.has(key)) {
      const known = this.duplicates.get(value)
      if (known) known.add(key)
      else this.duplicates.set(value, new Set([key]))
    }
    members?.set(key, [keyStart, keyEnd, start, end])
  }

  // {"a": 1}
  //        ^
  protected close(end: number, complete: boolean): void {
    const closed = this.frames.pop() as Frame
    if (closed.array) this.arrays--
    this.frame = this.frames[this.frames.length - 1]
    this.listener?.close(this.frame ? this.key : '', closed.value)
    if (this.frame) this.endMember(closed.start, end)
    else this.finish(end, complete)
  }

  protected closeAll(end: number): void {
    while (this.frame) this.closeUnclosed(end, false)
  }

  protected closeUnclosed(end: number, complete: boolean): void {
    const { array, start } = this.frame as Frame
    this.note(array ? 'unclosed_array' : 'unclosed_object', {}, start, start + 1)
    this.close(end, complete)
  }

  protected override encloses(array: boolean): boolean {
    return array ? this.arrays > 0 : this.frames.length > this.arrays
  }

  /** The member that was read last: `back` places before the one at hand. */
  protected last(back = 1): unknown {
    const { value, array, key, index } = this.frame as Frame
    return array ? (value as unknown[])[index - back] : (value as Record<string, unknown>)[key]
  }

  // [{"a": 1}, {"a": 2}]
  //             ^^^^
  /** `quote`: what the key is written with; 0 for nothing. */
  protected readExpectedKey(quote: number): boolean {
    const frame = this.frame as Frame
    const name = frame.keys?.names[frame.index]
    if (name === undefined) return false
    const { buf, pos } = this
    const start = quote === 0 ? pos : pos + 1
    const end = start + name.length
    const close = quote === 0 ? end : end + 1
    if (buf.charCodeAt(close) !== 58 || (quote !== 0 && buf.charCodeAt(end) !== quote)) return false
    if (!buf.startsWith(name, start)) return false
    if (quote === 0) this.note('unquoted_key', { key: name }, this.offset, this.base + end)
    else if (quote === 39) this.note('wrong_quotes', { quote: "'" }, this.offset, this.offset + 1)
    frame.key = name
    frame.keyEnd = this.base + close
    this.pos = close + 1
    this.steps += name.length
    this.state = this.atValue
    return true
  }

  /** Remembers a key for the next container in this place. */
  protected expectKey({ keys, index }: Frame, key: string): void {
    // Only a key that stands in the text as it is can be found again there.
    if (keys && index < MOST_EXPECTED && /^[\w -]+$/.test(key)) keys.names[index] = key
  }
}

const MOST_EXPECTED = 64

/** What the keys of a container may be, from those that stood in its place before it. */
function expectedKeys(parent: Frame | undefined): ExpectedKeys {
  const at = !parent || parent.array ? 0 : parent.index
  if (!parent?.keys || at >= MOST_EXPECTED) return { names: [], below: [] }
  let keys = parent.keys.below[at]
  if (!keys) {
    keys = { names: [], below: [] }
    parent.keys.below[at] = keys
  }
  return keys
}
