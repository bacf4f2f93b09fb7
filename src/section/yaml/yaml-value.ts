import { type Alias, type Document, isAlias, isMap, isScalar, isSeq, type Node, type Scalar } from 'yaml'
import type { Issue } from '../../core/issue.ts'
import type { Span } from '../../core/span.ts'
import { fold } from '../../json/coerce/fold.ts'
import type { ObjectShape, Shape } from '../../schema/shape.ts'
import type { FoundValue } from '../found-value.ts'
import { sectionIssues } from '../issues.ts'

/** Aliases that are followed in one document. */
const MAX_ALIASES = 100
/** Values that one document may hold, those behind aliases counted each time: more than any text has without them. */
const MAX_NODES = 500_000

interface Pair {
  key: unknown
  value: unknown
}

/** A YAML document, of which the schema decides what its scalars are. */
export class YamlValue implements FoundValue {
  readonly complete: boolean
  readonly cut: number | undefined
  readonly span: Span
  private readonly root: Node | null
  private readonly raw: string
  private readonly maxDepth: number
  private readonly place: (offset: number) => number
  /** The members of maps in which some were looked for: a map may be wide. */
  private readonly pairs = new WeakMap<object, Map<string, Pair>>()
  private readonly anchors = new Map<string, Node>()
  private aliases = 0
  private nodes = 0
  private readonly open = new Set<Node>()
  private problems: Issue[] | undefined

  /** `place`: where an offset of the parsed text stands in the section. */
  constructor(
    document: Document.Parsed,
    raw: string,
    place: (offset: number) => number,
    cut: number | undefined,
    maxDepth: number,
  ) {
    this.maxDepth = maxDepth
    this.root = document.contents
    this.raw = raw
    this.place = place
    this.complete = cut === undefined
    this.cut = cut
    this.span = this.spanOf(this.root)
  }

  /** Aliases that cannot be followed, keys that stand twice, and the like. */
  get issues(): readonly Issue[] {
    if (!this.problems) {
      const found: Issue[] = []
      this.problems = found
      this.read(this.root, [], found)
    }
    return this.problems
  }

  /** The value at a path, its scalars as the shape wants them; without one, as YAML itself reads them. */
  at(path: readonly PropertyKey[], shape?: Shape): unknown {
    // Aliases are found only where everything before them was seen.
    void this.issues
    return this.read(this.node(path), shape ? [shape] : [])
  }

  spanAt(path: readonly PropertyKey[], key = false): Span {
    let node: Node | null | undefined = this.root
    let span = this.span
    for (const [i, step] of path.entries()) {
      const target: Node | null | undefined = isAlias(node) ? this.anchors.get(node.source) : node
      const pair = isMap(target) ? this.pairOf(target, step) : undefined
      if (key && pair && i === path.length - 1) return this.spanOf(pair.key as Node)
      const next = this.member(node, step)
      if (next === undefined) break
      node = next
      span = this.spanOf(node, span)
    }
    return span
  }

  textAt(path: readonly PropertyKey[]): string | undefined {
    const node = this.node(path)
    if (!node?.range) return undefined
    return isScalar(node) && node.source !== undefined
      ? node.source
      : this.raw.slice(node.range[0], node.range[1])
  }

  duplicatesAt(path: readonly PropertyKey[]): readonly string[] {
    const node = this.node(path)
    const target = isAlias(node) ? this.anchors.get(node.source) : node
    if (!isMap(target)) return []
    const seen = new Set<string>()
    return target.items.flatMap(({ key }) => {
      const text = this.keyText(key as Node | null)
      if (seen.has(text)) return [text]
      seen.add(text)
      return []
    })
  }

  private node(path: readonly PropertyKey[]): Node | null {
    let node: Node | null | undefined = this.root
    for (const step of path) node = this.member(node, step)
    return node ?? null
  }

  private member(node: Node | null | undefined, step: PropertyKey): Node | null | undefined {
    const target = isAlias(node) ? this.anchors.get(node.source) : node
    if (isSeq(target)) return target.items[step as number] as Node | null
    return isMap(target) ? (this.pairOf(target, step)?.value as Node | null) : undefined
  }

  /** Of equal keys, the last one counts. */
  private pairOf(map: { items: Pair[] }, step: PropertyKey): Pair | undefined {
    let pairs = this.pairs.get(map)
    if (!pairs) {
      pairs = new Map(map.items.map((pair) => [this.keyText(pair.key as Node | null), pair]))
      this.pairs.set(map, pairs)
    }
    return pairs.get(step as string)
  }

  private spanOf(node: Node | null | undefined, otherwise: Span = [0, 0]): Span {
    if (!node?.range) return otherwise
    const [start, end] = node.range
    // The break that ends a block is not part of what one would point at.
    const text = this.raw.slice(start, end).trimEnd()
    return [this.place(start), this.place(start + text.length)]
  }

  private read(root: Node | null, shapes: readonly Shape[], issues?: Issue[]): unknown {
    this.aliases = 0
    this.nodes = 0
    this.open.clear()
    return this.convert(root, shapes, 0, issues)
  }

  private convert(
    node: Node | null | undefined,
    shapes: readonly Shape[],
    depth: number,
    issues: Issue[] | undefined,
  ): unknown {
    if (!node || ++this.nodes > MAX_NODES) return null
    if (isAlias(node)) return this.follow(node, shapes, depth, issues)
    if (node.anchor) this.anchors.set(node.anchor, node)
    if (isScalar(node)) {
      if (issues && node.comment && node.type === 'PLAIN' && typeof node.value === 'string') {
        const text = `#${node.comment}`
        const start = this.raw.indexOf(text, node.range?.[1] ?? 0)
        const span = [this.place(start), this.place(start + text.length)] as const
        // A comment of several lines, or with odd characters, does not stand there as it is told.
        const place = start < 0 ? this.spanOf(node) : span
        issues.push(sectionIssues.issue('comment', { text }, { span: place }))
      }
      return scalarValue(node, shapes)
    }
    if (!isMap(node) && !isSeq(node)) return null
    if (depth >= this.maxDepth) {
      issues?.push(sectionIssues.issue('too_deep', { limit: this.maxDepth }, { span: this.spanOf(node) }))
      return null
    }
    this.open.add(node)
    const value = isMap(node)
      ? this.convertMap(node, shapes, depth, issues)
      : node.items.map((item, i) =>
          this.convert(item as Node | null, elementShapes(shapes, i), depth + 1, issues),
        )
    this.open.delete(node)
    return value
  }

  private convertMap(
    node: { items: Pair[] },
    shapes: readonly Shape[],
    depth: number,
    issues: Issue[] | undefined,
  ): unknown {
    const value: Record<string, unknown> = {}
    const only = node.items.length === 1
    for (const pair of node.items) {
      const key = this.keyText(pair.key as Node | null)
      if (issues && Object.hasOwn(value, key))
        issues.push(
          sectionIssues.issue('duplicate_key', { key }, { span: this.spanOf(pair.key as Node | null) }),
        )
      const member = this.convert(
        pair.value as Node | null,
        fieldShapes(shapes, key, only),
        depth + 1,
        issues,
      )
      if (key !== '__proto__') value[key] = member
      else
        Object.defineProperty(value, key, {
          value: member,
          configurable: true,
          enumerable: true,
          writable: true,
        })
    }
    return value
  }

  private keyText(key: Node | null): string {
    return keyText(key) ?? (key?.range ? this.raw.slice(key.range[0], key.range[1]).trim() : '')
  }

  private follow(
    alias: Alias,
    shapes: readonly Shape[],
    depth: number,
    issues: Issue[] | undefined,
  ): unknown {
    const target = this.anchors.get(alias.source)
    const problem = !target
      ? 'unknown'
      : this.open.has(target)
        ? 'circular'
        : ++this.aliases > MAX_ALIASES || this.nodes > MAX_NODES
          ? 'too many'
          : undefined
    if (!problem) return this.convert(target, shapes, depth, issues)
    // One word about a bomb is enough.
    if (!issues?.some((issue) => issue.code === 'section.bad_alias'))
      issues?.push(
        sectionIssues.issue('bad_alias', { alias: alias.source, problem }, { span: this.spanOf(alias) }),
      )
    return null
  }
}

function keyText(key: Node | null): string | undefined {
  if (!isScalar(key)) return undefined
  return key.type === 'PLAIN' && key.source !== undefined ? key.source : String(key.value)
}

/** A plain scalar is text until somebody says what it is: `0123` is text where the schema wants text. */
function scalarValue(node: Scalar, shapes: readonly Shape[]): unknown {
  const { value, source = '' } = node
  if (typeof value === 'string' || node.type !== 'PLAIN' || node.tag) return value ?? null
  if (shapes.length === 0 || source === '' || shapes.some((shape) => accepts(shape, value, source)))
    return value ?? null
  return shapes.some((shape) => takesText(shape, source)) ? source : value
}

function accepts(shape: Shape, value: unknown, source: string): boolean {
  switch (shape.kind) {
    case 'any':
      return true
    case 'number':
    case 'bigint':
    case 'duration':
      return typeof value === 'number'
    // A year is no number of milliseconds.
    case 'date':
      return typeof value === 'number' && source.length > 8
    case 'boolean':
      return typeof value === 'boolean'
    case 'null':
      return value === null
    case 'enum':
      return shape.members.some((member) => member.value === value)
    case 'union':
      return shape.variants.some((variant) => accepts(variant, value, source))
    default:
      return false
  }
}

function takesText(shape: Shape, source: string): boolean {
  switch (shape.kind) {
    case 'string':
    case 'date':
      return true
    case 'enum':
      return shape.members.some((member) => member.value === source)
    case 'union':
      return shape.variants.some((variant) => takesText(variant, source))
    // One value for a list, and the value of the only field of an object.
    case 'array':
      return shape.items !== false && shape.items.kind !== 'array' && takesText(shape.items, source)
    default:
      return false
  }
}

const absent: Shape = { kind: 'null', exact: true }

/** What a member of an object can be. As in coercion, keys may be spelled otherwise, and one may wrap the value. */
function fieldShapes(shapes: readonly Shape[], key: string, only: boolean): Shape[] {
  return flatten(shapes).flatMap((shape) => {
    if (shape.kind === 'array') return shape.items ? fieldShapes([shape.items], key, only) : []
    if (shape.kind === 'any') return [shape]
    if (shape.kind !== 'object') return []
    const field = fieldOf(shape, key)
    // An optional field that says null is absent.
    if (field) return field.required ? [field.shape] : [field.shape, absent]
    return only && shape.fields.size > 0 ? [shape] : shape.additional ? [shape.additional] : []
  })
}

function fieldOf(shape: ObjectShape, key: string) {
  const exact = shape.fields.get(key)
  if (exact) return exact
  for (const field of shape.fields.values()) if (field.aliases.includes(key)) return field
  const folded = fold(key)
  for (const [name, field] of shape.fields)
    if (fold(name) === folded || field.aliases.some((alias) => fold(alias) === folded)) return field
  return undefined
}

function elementShapes(shapes: readonly Shape[], index: number): Shape[] {
  return flatten(shapes).flatMap((shape) => {
    if (shape.kind !== 'array') return shape === absent ? [] : [shape]
    return shape.prefix[index] ?? (shape.items || [])
  })
}

function flatten(shapes: readonly Shape[]): Shape[] {
  return shapes.flatMap((shape) => (shape.kind === 'union' ? flatten(shape.variants) : shape))
}
