import { isRecord } from '../../core/is-record.ts'
import type { JsonChange } from '../../json/live-value.ts'
import type { Shape } from '../../schema/shape.ts'

/** An open list or object. */
interface Level {
  readonly close: ']' | '}'
  readonly shape: Shape | undefined
  count: number
}

/**
 * Writes an object as JSON text while it is being read, and never takes anything back: what is still undecided is held,
 * such as the variant of a union. The last brace waits for the end of the reply. There it may turn out that something
 * else was meant: a later value of the reply, a member that only the whole could settle. Then the members that are not
 * right are written once more, as in JSON the last of equal names counts.
 */
export class JsonText {
  private readonly root: Level
  private readonly emit: (text: string) => void
  /** Open containers within the root. */
  private readonly levels: Level[] = []
  private begun = false
  private started = false
  /** Nothing more can be written before the end. */
  private stopped = false
  /** How long the path of a container is that waits for its end. */
  private held = 0
  /** Members of the root that are written, as they were. */
  private readonly members = new Map<string, string>()
  /** The member of the root that is being written. */
  private key = ''
  private member: string | undefined
  /** The string that is being written, as far as it is told; of it, the last `waiting` characters are not written yet. */
  private string: string | undefined
  private waiting = ''

  constructor(shape: Shape | undefined, emit: (text: string) => void) {
    this.root = { close: '}', shape: shape?.kind === 'object' ? shape : undefined, count: 0 }
    this.emit = emit
  }

  change(change: JsonChange): void {
    if (this.stopped) return
    const { path } = change
    if (path.length === 0) this.changeRoot(change)
    else if (this.held > 0 && !(path.length === this.held && change.kind === 'set' && change.done)) return
    else if (!this.begun) this.stopped = true
    else if (change.kind === 'append') this.append(change.text)
    else this.set(path, change.value, change.done)
  }

  private changeRoot(change: JsonChange): void {
    // Lists cannot be mended at their end, and what comes after the root is another one.
    if (change.kind === 'set' && !change.done && isRecord(change.value) && !this.begun) this.begun = true
    else this.stopped = true
  }

  private set(path: readonly PropertyKey[], value: unknown, done: boolean): void {
    this.held = 0
    const key = path[path.length - 1] as PropertyKey
    if (this.string !== undefined) {
      this.endString(value, done)
      return
    }
    const depth = path.length - 1
    const container = typeof value === 'object' && value !== null
    if (container && done && depth === this.levels.length - 1) {
      this.close()
      return
    }
    if (depth !== this.levels.length) {
      this.stopped = true
      return
    }
    const level = this.levels.at(-1) ?? this.root
    if (done) {
      if (this.begin(level, key)) this.write(jsonText(value))
      this.endMember()
    } else if (typeof value === 'string') {
      if (!this.begin(level, key)) return
      this.string = ''
      this.write('"')
      this.append(value)
    } else if (container) this.open(level, key, value)
  }

  private open(level: Level, key: PropertyKey, value: object): void {
    const list = Array.isArray(value)
    const shape = settledShape(memberShape(level.shape, key), list)
    if (shape === 'unsettled') {
      this.held = this.levels.length + 1
      return
    }
    if (!this.begin(level, key)) return
    this.levels.push({ close: list ? ']' : '}', shape, count: 0 })
    this.write(list ? '[' : '{')
  }

  private close(): void {
    this.write((this.levels.pop() as Level).close)
    this.endMember()
  }

  private append(text: string): void {
    if (this.string === undefined) return
    this.string += text
    const all = this.waiting + text
    // Half of a character must wait for the other half.
    const last = all.charCodeAt(all.length - 1)
    const whole = last >= 0xd800 && last < 0xdc00 ? all.length - 1 : all.length
    this.waiting = all.slice(whole)
    this.write(inner(all.slice(0, whole)))
  }

  private endString(value: unknown, done: boolean): void {
    const { string = '', waiting } = this
    if (!done || typeof value !== 'string' || !value.startsWith(string)) {
      this.stopped = true
      return
    }
    this.write(`${inner(waiting + value.slice(string.length))}"`)
    this.string = undefined
    this.waiting = ''
    this.endMember()
  }

  /** What stands before a member. False: it cannot be written here. */
  private begin(level: Level, key: PropertyKey): boolean {
    const top = level === this.root
    // Whatever stands in prose may look like an object. One that has a member of the schema is meant.
    const unknown =
      top && !this.started && level.shape?.kind === 'object' && !level.shape.fields.has(String(key))
    const hole = level.close === ']' && key !== level.count
    if (unknown || hole) {
      this.stopped = true
      return false
    }
    const comma = level.count++ > 0 ? ',' : ''
    const name = level.close === '}' ? `${JSON.stringify(String(key))}:` : ''
    if (!top) {
      this.write(comma + name)
      return true
    }
    this.emit(`${this.started ? comma : '{'}${name}`)
    this.started = true
    this.key = String(key)
    this.member = ''
    return true
  }

  private write(text: string): void {
    if (this.stopped || text === '') return
    this.member += text
    this.emit(text)
  }

  private endMember(): void {
    if (this.stopped || this.levels.length > 0 || this.member === undefined) return
    this.members.set(this.key, this.member)
    this.member = undefined
  }

  /** Leaves the text as it is: the reply was cut off, and nobody shall take it for whole. False: nothing was written. */
  leave(): boolean {
    this.stopped = true
    return this.started
  }

  /** Completes the text, so that it is the JSON of this value. */
  end(value: unknown): void {
    this.stopped = true
    if (!this.started) {
      this.emit(jsonText(value))
      return
    }
    const rest = isRecord(value) ? this.rest(value) : undefined
    if (rest !== undefined) this.emit(`${rest}}`)
    // There is no way to make one value of the two. Both are shown, and nobody takes them for one.
    else this.emit(`${this.closing()}}\n${jsonText(value)}`)
  }

  private rest(value: Record<string, unknown>): string | undefined {
    const { members, key, member } = this
    const names = member === undefined ? members.keys() : [...members.keys(), key]
    for (const name of names) if (!Object.hasOwn(value, name) || value[name] === undefined) return undefined
    let text = ''
    if (member !== undefined) {
      const whole = jsonText(value[key])
      const fits = whole.startsWith(member)
      text = fits ? whole.slice(member.length) : this.closing()
      if (fits) members.set(key, whole)
      else members.delete(key)
    }
    for (const [name, one] of Object.entries(value)) {
      if (one === undefined) continue
      const whole = jsonText(one)
      if (members.get(name) !== whole) text += `,${JSON.stringify(name)}:${whole}`
    }
    return text
  }

  /** Ends whatever is open within the root. */
  private closing(): string {
    const quote = this.string === undefined ? '' : '"'
    const closers = this.levels.map(({ close }) => close).reverse()
    return quote + closers.join('')
  }
}

/** A value as JSON. Numbers that are too large for it are as near as it gets. */
export function jsonText(value: unknown): string {
  return JSON.stringify(value, (_, one) => (typeof one === 'bigint' ? Number(one) : one)) ?? 'null'
}

const inner = (text: string) => JSON.stringify(text).slice(1, -1)

function memberShape(shape: Shape | undefined, key: PropertyKey): Shape | undefined {
  if (shape?.kind === 'object') return shape.fields.get(String(key))?.shape ?? (shape.additional || undefined)
  return shape?.kind === 'array' ? (shape.prefix[key as number] ?? (shape.items || undefined)) : undefined
}

/** The shape of a container before it is read, if there is only one that it can have; `undefined`: anything goes. */
function settledShape(shape: Shape | undefined, list: boolean): Shape | undefined | 'unsettled' {
  if (!shape || shape.kind === 'any') return undefined
  const kind = list ? 'array' : 'object'
  const variants = shape.kind === 'union' ? shape.variants : [shape]
  const [first, ...more] = variants.filter((variant) => variant.kind === kind)
  return first && more.length === 0 ? first : 'unsettled'
}
