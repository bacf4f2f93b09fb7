import type { Issue } from '../../core/issue.ts'
import type { Span } from '../../core/span.ts'
import { pathText } from '../../schema/path-text.ts'
import type { Shape } from '../../schema/shape.ts'
import { costs } from '../costs.ts'
import { type JsonIssueParams, jsonIssues } from '../issues.ts'

/** Where the values of a reading stand in its text. */
export interface Source {
  /** The span of the value at a path; with `key`, of its key. */
  span(path: readonly PropertyKey[], key?: boolean): Span | undefined
  /** The text of the value at a path. */
  text(path: readonly PropertyKey[]): string | undefined
}

interface Note {
  readonly code: keyof JsonIssueParams & string
  readonly params: object
  readonly path: readonly PropertyKey[]
  readonly source: readonly PropertyKey[]
  readonly onKey: boolean
}

/** One way to read a value, and what it costs. */
export interface Attempt {
  readonly value: unknown
  readonly cost: number
  readonly notes: readonly Note[]
}

/**
 * One value being fitted to a shape. It never fails: what does not fit stays as it is, costs much, and is said.
 * `path` is the place in the value that comes out, `source` the place in the value that went in.
 */
export class Coercion {
  readonly source: Source
  /** Fits a part of the value: what holds parts calls it for each of them. */
  readonly read: (value: unknown, shape: Shape, c: Coercion) => unknown
  readonly path: PropertyKey[] = []
  readonly from: PropertyKey[] = []
  private readonly cut: readonly PropertyKey[] | undefined
  cost = 0
  /** How many containers were made up around the value at hand; see `implied`. */
  wrapped = 0
  private notes: Note[] = []
  private readonly tried = new WeakMap<object, Map<Shape, Attempt>>()
  /** For values that were made anew: where each member came from. */
  private readonly origins = new WeakMap<object, Map<PropertyKey, readonly PropertyKey[]>>()

  constructor(source: Source, read: Coercion['read'], cut?: readonly PropertyKey[]) {
    this.source = source
    this.read = read
    this.cut = cut
  }

  /** Whether the value at hand is the string that the end of the text has cut. */
  isCut(): boolean {
    const { cut, from } = this
    if (!cut || cut.length !== from.length) return false
    for (let i = 0; i < cut.length; i++) if (cut[i] !== from[i]) return false
    return true
  }

  note<C extends keyof JsonIssueParams & string>(
    code: C,
    params: Omit<JsonIssueParams[C], 'field'>,
    onKey = false,
  ): void {
    this.cost += costs[code] ?? 0
    this.notes.push({ code, params, path: [...this.path], source: [...this.from], onKey })
  }

  /** Runs `read` one level down. */
  within<T>(key: PropertyKey, from: PropertyKey | undefined, read: () => T): T {
    this.path.push(key)
    if (from !== undefined) this.from.push(from)
    const value = read()
    this.path.pop()
    if (from !== undefined) this.from.pop()
    return value
  }

  /** Tries a reading without taking it. Containers are tried once per shape, or unions in unions would explode. */
  try(value: unknown, shape: Shape, read: () => unknown): Attempt {
    const container = typeof value === 'object' && value !== null ? value : undefined
    const before = container && this.tried.get(container)?.get(shape)
    if (before) return before
    const { cost, notes } = this
    this.cost = 0
    this.notes = []
    const result = read()
    const attempt: Attempt = { value: result, cost: this.cost, notes: this.notes }
    this.cost = cost
    this.notes = notes
    if (container) {
      const shapes = this.tried.get(container) ?? new Map<Shape, Attempt>()
      this.tried.set(container, shapes.set(shape, attempt))
    }
    return attempt
  }

  take(attempt: Attempt): unknown {
    this.cost += attempt.cost
    for (const note of attempt.notes) this.notes.push(note)
    return attempt.value
  }

  /** Remembers that member `key` of a new container came from the value at hand, or from below it. */
  comesFrom(container: object, key: PropertyKey, from: PropertyKey | undefined): void {
    const members = this.origins.get(container) ?? new Map()
    this.origins.set(container, members.set(key, from === undefined ? [...this.from] : [...this.from, from]))
  }

  /** The path in the text of what stands at `path` in the fitted value. */
  origin(value: unknown, path: readonly PropertyKey[]): PropertyKey[] {
    let from: PropertyKey[] = []
    let at: unknown = value
    for (const key of path) {
      const known = typeof at === 'object' && at !== null ? this.origins.get(at)?.get(key) : undefined
      from = known ? [...known] : [...from, key]
      at = typeof at === 'object' && at !== null ? (at as Record<PropertyKey, unknown>)[key] : undefined
    }
    return from
  }

  /** Whether something could not be fitted. */
  get failed(): boolean {
    return this.notes.some(isError)
  }

  get count(): number {
    return this.notes.length
  }

  /** What was noted, errors before the rest, as far as there is room. */
  issues(most: number): Issue[] {
    const notes =
      this.notes.length <= most
        ? this.notes
        : [...this.notes.filter(isError), ...this.notes.filter((note) => !isError(note))].slice(0, most)
    return notes.map(({ code, params, path, source, onKey }) =>
      // What the place is called when speaking to a model.
      jsonIssues.issue(code, { field: pathText(path) || 'value', ...params } as never, {
        path,
        span: this.source.span(source, onKey),
      }),
    )
  }
}

const isError = ({ code }: Note) => jsonIssues.kinds[code].severity === 'error'
