import type { Tape } from '../core/tape.ts'
import type { FieldShape, Shape } from '../schema/shape.ts'
import { coerce, startCoercion } from './coerce/coerce.ts'
import type { Source } from './coerce/coercion.ts'
import { fold } from './coerce/fold.ts'
import { isPlainly } from './coerce/scalar.ts'
import type { JsonListener } from './containers.ts'

/** What changed in the value while it is read: enough to render it without comparing. */
export type JsonChange =
  /** The string at `path` grew by `text`. */
  | { readonly kind: 'append'; readonly path: readonly PropertyKey[]; readonly text: string }
  /** The value at `path` is now this one; `done` when it is read to its end. */
  | {
      readonly kind: 'set'
      readonly path: readonly PropertyKey[]
      readonly value: unknown
      readonly done: boolean
    }

/** A member of a container: what it is called in the value, and what the shape says about it. */
interface Member {
  /** The key in the text. */
  readonly from: PropertyKey
  readonly key: PropertyKey
  readonly field: FieldShape | undefined
  readonly shape: Shape | undefined
  /** The schema knows it. */
  readonly shown: boolean
  /** A string is shown before its end. */
  readonly partly: boolean
}

interface Level {
  readonly shape: Shape | undefined
  /** What is shown for the container; the container of the text itself where the shape says nothing about it. */
  readonly target: Record<PropertyKey, unknown>
  /** What it is in the level above; `undefined` for the root. */
  readonly member: Member | undefined
  /** Nothing of it is told before it is read to its end. */
  readonly silent: boolean
  /** What stands around it in the level above, if its field wants to be shown with its state. */
  wrapper: object | undefined
  /** How many fields must still come before this container is shown. */
  waiting: number
  /** The member being read. */
  current: Member | undefined
}

/**
 * The value as far as it has been read, in the form that the schema wants: fields under their own names, finished
 * scalars converted. It follows the reading member by member and never looks back, so its cost is that of the new
 * text. What only the whole value can tell, such as the variant of a union, it shows when that part is read.
 */
export class LiveValue implements JsonListener {
  value: unknown
  private readonly shape: Shape | undefined
  private readonly tape: Tape
  private readonly changed: ((change: JsonChange) => void) | undefined
  private readonly shows: () => boolean
  private readonly levels: Level[] = []
  private level: Level | undefined
  /** How many of the levels are not shown yet. */
  private hidden = 0
  /** Whether the root being read takes the place of the value before it. */
  private visible = false
  /** The string being read has been told of. */
  private begun = false
  private readonly path: PropertyKey[] = []
  private before: unknown

  constructor(
    shape: Shape | undefined,
    tape: Tape,
    shows: () => boolean,
    changed: ((change: JsonChange) => void) | undefined,
  ) {
    this.shape = shape
    this.tape = tape
    this.shows = shows
    this.changed = changed
  }

  /** The containers that may still change, outermost first. */
  get spine(): object[] {
    return this.levels.flatMap(({ target, wrapper }) => (wrapper ? [target, wrapper] : [target]))
  }

  open(key: PropertyKey, raw: object): void {
    const parent = this.level
    const member = parent && find(parent, key)
    this.begun = false
    if (member) this.path.push(member.key)
    else {
      this.before = this.value
      this.visible = this.shows()
    }
    const shape = containerShape(member ? member.shape : this.shape, Array.isArray(raw))
    // Where the shape does not tell yet, the text's own container is shown, and replaced when it is read.
    const target = (shape ? (Array.isArray(raw) ? [] : {}) : raw) as Level['target']
    const silent = member !== undefined && (!member.shown || member.field?.stream === 'done')
    const level: Level = {
      shape,
      target,
      member,
      silent,
      waiting: wishes(shape),
      current: undefined,
      wrapper: undefined,
    }
    this.levels.push(level)
    this.level = level
    if (silent || level.waiting > 0) this.hidden++
    else this.show(parent, level, target, false)
  }

  text(key: PropertyKey, part: string, whole: string): void {
    const level = this.level as Level
    const member = find(level, key)
    if (!member.partly) return
    put(level, member, whole, false)
    this.tell(
      member.key,
      this.begun ? { kind: 'append', text: part } : { kind: 'set', value: whole, done: false },
    )
    this.begun = true
  }

  done(key: PropertyKey, value: unknown, start: number, end: number): void {
    const level = this.level as Level
    const member = find(level, key)
    const { shape } = member
    const plain = !shape || shape.kind === 'any' || isPlainly(value, shape)
    const coercion = plain ? undefined : startCoercion(this.at(start, end))
    const fitted = coercion ? coerce(value, shape as Shape, coercion) : value
    this.begun = false
    // What cannot be what the schema wants is not shown: the end will tell.
    if (coercion?.failed) return
    put(level, member, fitted, true)
    if (member.shown) this.tell(member.key, { kind: 'set', value: fitted, done: true })
    if (fitted !== null) this.came(level, member)
  }

  close(_key: PropertyKey, raw: object): void {
    const level = this.levels.pop() as Level
    const { member } = level
    const parent = this.levels[this.levels.length - 1]
    this.level = parent
    // What it waited for will not come any more.
    if (level.silent || level.waiting > 0) this.hidden--
    if (!member) this.visible ||= this.shows()
    const shape = member ? member.shape : this.shape
    const value = level.shape || !shape ? level.target : coerce(raw, shape, startCoercion(nowhere))
    this.show(parent, level, value, true)
    if (member) this.path.pop()
    if (parent && member) this.came(parent, member)
  }

  takeBack(key: PropertyKey): void {
    const { target, member } = this.level as Level
    if (Array.isArray(target)) target.length = key as number
    this.tell(undefined, { kind: 'set', value: target, done: false })
    if (member) (this.level as Level).current = undefined
  }

  abandon(): void {
    this.levels.length = 0
    this.level = undefined
    this.path.length = 0
    this.hidden = 0
    this.value = this.before
    this.tell(undefined, { kind: 'set', value: this.value, done: false })
  }

  /** A field that its container waited for may have come: then the container is shown. */
  private came(level: Level, member: Member): void {
    if (member.field?.stream !== 'not-null' || level.waiting === 0 || --level.waiting > 0) return
    if (level.silent) return
    this.hidden--
    this.show(this.levels[this.levels.indexOf(level) - 1], level, level.target, false)
  }

  private show(parent: Level | undefined, level: Level, value: unknown, done: boolean): void {
    const { member } = level
    if (!parent || !member) {
      if (this.visible) this.value = value
    } else {
      if (!member.shown) return
      level.wrapper = put(parent, member, value, done)
    }
    this.tell(undefined, { kind: 'set', value, done })
  }

  private tell(
    key: PropertyKey | undefined,
    change: { kind: 'append'; text: string } | { kind: 'set'; value: unknown; done: boolean },
  ): void {
    if (!this.changed || this.hidden > 0 || !this.visible) return
    this.changed({ path: key === undefined ? [...this.path] : [...this.path, key], ...change })
  }

  private at(start: number, end: number): Source {
    return { span: () => [start, end], text: () => this.tape.slice(start, end) }
  }
}

const knownMembers = new WeakMap<Shape, Map<PropertyKey, Member>>()

/** The member of a container under a key of the text. It is asked for at every chunk, mostly the same one. */
function find(level: Level, from: PropertyKey): Member {
  const { current, shape } = level
  if (current?.from === from) return current
  const known = shape?.kind === 'object' ? knownMembers.get(shape)?.get(from) : undefined
  if (known) {
    level.current = known
    return known
  }
  let key = from
  let field = shape?.kind === 'object' ? shape.fields.get(from as string) : undefined
  if (shape?.kind === 'object' && !field) {
    key = otherName(shape.fields, from as string) ?? from
    field = shape.fields.get(key as string)
  }
  const own = field ? field.shape : memberShape(shape, from)
  const shown = field !== undefined || shape?.kind !== 'object' || shape.additional !== false
  level.current = {
    from,
    key,
    field,
    shape: own,
    shown,
    partly: shown && field?.stream !== 'done' && takesPart(own),
  }
  // A field under its own name is the same in every object of this shape.
  if (field && key === from && shape?.kind === 'object') {
    const members = knownMembers.get(shape) ?? new Map()
    knownMembers.set(shape, members.set(from, level.current))
  }
  return level.current
}

/** Gives the wrapper, if the field is shown in one. */
function put(
  { target }: Level,
  { key, field, shown }: Member,
  value: unknown,
  done: boolean,
): object | undefined {
  if (!shown) return undefined
  const wrapper = field?.stream === 'state' ? { value, state: done ? 'complete' : 'incomplete' } : undefined
  const put = wrapper ?? value
  if (key !== '__proto__') target[key] = put
  else
    Object.defineProperty(target, key, { value: put, configurable: true, enumerable: true, writable: true })
  return wrapper
}

const nowhere: Source = { span: () => undefined, text: () => undefined }

function memberShape(shape: Shape | undefined, key: PropertyKey): Shape | undefined {
  if (shape?.kind === 'array') return shape.prefix[key as number] ?? (shape.items || undefined)
  return shape?.kind === 'object' ? shape.additional || undefined : undefined
}

/** The shape of a container that is being read, if there is only one it can have. */
function containerShape(shape: Shape | undefined, array: boolean): Shape | undefined {
  const kind = array ? 'array' : 'object'
  if (shape?.kind === kind) return shape
  if (shape?.kind !== 'union') return undefined
  const fitting = shape.variants.filter((variant) => variant.kind === kind)
  return fitting.length === 1 ? fitting[0] : undefined
}

function wishes(shape: Shape | undefined): number {
  let waiting = 0
  if (shape?.kind === 'object')
    for (const field of shape.fields.values()) if (field.stream === 'not-null') waiting++
  return waiting
}

/** Whether a string makes sense before its end: plain text does, a date or an enum member does not. */
function takesPart(shape: Shape | undefined): boolean {
  if (!shape || shape.kind === 'any') return true
  if (shape.kind === 'union') return shape.variants.some(takesPart)
  return shape.kind === 'string' && !shape.format
}

function otherName(fields: ReadonlyMap<string, FieldShape>, key: string): string | undefined {
  for (const [name, field] of fields) if (field.aliases.includes(key)) return name
  const folded = fold(key)
  for (const [name, field] of fields)
    if (fold(name) === folded || field.aliases.some((alias) => fold(alias) === folded)) return name
  return undefined
}
