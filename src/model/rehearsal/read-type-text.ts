import type { JsonSchema } from '../../schema/schema.ts'

/**
 * The type that a prompt shows (`{ city: string, tags?: string[] // at least 2 }`) as a JSON Schema. It reads what
 * `describeSchema` writes; what it does not know may be anything.
 */
export function readTypeText(described: string): JsonSchema {
  const named = new Map<string, string>()
  for (const [, name = '', type = ''] of described.matchAll(
    /^[ \t]*type ([\p{L}_][\p{L}\p{N}_]*) = ([\s\S]*?)(?=\n[ \t]*type |(?![\s\S]))/gmu,
  ))
    named.set(name, type)
  const [, own] = /^\w+ of the type ([\p{L}\p{N}_]+):/u.exec(described) ?? []
  const body = own === undefined ? described.slice(described.indexOf('\n') + 1) : (named.get(own) ?? '')
  return new TypeReader(body, named, own === undefined ? [] : [own]).read()
}

interface Token {
  readonly text: string
  /** What a comment at the end of the line says. */
  note: string
}

type Node = Record<string, unknown>

/** Types within types, and names within names. */
const MAX_DEPTH = 40

/** A type that leads back into itself: whoever can do without it leaves it out. */
const endless: Node = {}

class TypeReader {
  private readonly tokens: Token[] = []
  private readonly named: ReadonlyMap<string, string>
  private readonly open: readonly string[]
  private at = 0
  private depth = 0

  constructor(text: string, named: ReadonlyMap<string, string>, open: readonly string[]) {
    this.named = named
    this.open = open
    for (const line of text.slice(0, 20_000).split('\n')) {
      const found = [
        ...line.matchAll(/"(?:[^"\\]|\\.)*"|\.\.\.|[\p{L}_$][\p{L}\p{N}_$]*|-?\d[\d.eE+-]*|\/\/.*|[^\s]/gu),
      ]
      for (const [word] of found) {
        const last = this.tokens.at(-1)
        if (!word.startsWith('//')) this.tokens.push({ text: word, note: '' })
        // A comment on a line of its own is about what follows: it bounds nothing.
        else if (last && found[0]?.[0] !== word) last.note = word.slice(2)
      }
    }
  }

  read(): JsonSchema {
    return this.union() as JsonSchema
  }

  private get text(): string {
    return this.tokens[this.at]?.text ?? ''
  }

  private takes(text: string): boolean {
    if (this.text !== text) return false
    this.at++
    return true
  }

  private union(): Node {
    this.takes('|')
    const found = [this.list()]
    while (this.takes('|')) found.push(this.list())
    const variants = found.filter((variant) => variant !== endless)
    if (variants.length < 2) return variants[0] ?? endless
    if (variants.every((variant) => 'const' in variant))
      return { enum: variants.map(({ const: value }) => value) }
    return { anyOf: variants }
  }

  private list(): Node {
    let node = this.one()
    while (this.text === '[' && this.tokens[this.at + 1]?.text === ']') {
      this.at += 2
      const note = this.tokens[this.at - 1]?.note ?? ''
      node =
        node === endless
          ? { type: 'array', maxItems: 0 }
          : { type: 'array', items: node, ...bounds(note, 'minItems', 'maxItems') }
    }
    return node
  }

  private one(): Node {
    const token = this.tokens[this.at++]
    if (!token || this.depth > MAX_DEPTH) return {}
    const { text, note } = token
    if (text === '{' || text === '[' || text === '(') {
      this.depth++
      const inner = text === '{' ? this.object() : text === '[' ? this.tuple() : this.group()
      this.depth--
      return inner
    }
    if (/^["\d-]/.test(text)) return { const: literal(text) }
    switch (text) {
      case 'string':
        return { type: 'string', ...formatIn(note), ...bounds(note, 'minLength', 'maxLength') }
      case 'integer':
      case 'number':
        return { type: text, ...bounds(note, 'minimum', 'maximum') }
      case 'boolean':
      case 'null':
        return { type: text }
      case 'true':
      case 'false':
        return { const: text === 'true' }
    }
    const body = this.named.get(text)
    if (body === undefined) return {}
    if (this.open.includes(text) || this.open.length > MAX_DEPTH) return endless
    return new TypeReader(body, this.named, [...this.open, text]).read() as Node
  }

  private group(): Node {
    const inner = this.union()
    this.takes(')')
    return inner
  }

  private object(): Node {
    const properties: [string, Node][] = []
    const required: string[] = []
    while (this.at < this.tokens.length && !this.takes('}')) {
      if (this.text === '[') {
        while (this.at < this.tokens.length && !this.takes(':')) this.at++
        // [key: string]: number has two colons.
        if (this.takes('string')) while (this.at < this.tokens.length && !this.takes(':')) this.at++
        this.union()
        continue
      }
      const { text: key = '' } = this.tokens[this.at++] ?? {}
      const name = key.startsWith('"') ? String(literal(key)) : key
      const optional = this.takes('?')
      if (!this.takes(':')) continue
      const node = this.union()
      if (optional && node === endless) continue
      properties.push([name, node])
      if (!optional) required.push(name)
      this.takes(',')
    }
    return { type: 'object', properties: Object.fromEntries(properties), required }
  }

  private tuple(): Node {
    const prefixItems: Node[] = []
    while (this.at < this.tokens.length && !this.takes(']')) {
      if (this.takes('...')) this.union()
      else prefixItems.push(this.union())
      this.takes(',')
    }
    return { type: 'array', prefixItems, minItems: prefixItems.length }
  }
}

function literal(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

function bounds(note: string, low: string, high: string): Node {
  const number = '(-?\\d+(?:\\.\\d+)?(?:e[+-]?\\d+)?)'
  const find = (text: string) => new RegExp(text).exec(note)
  const between = find(`${number} to ${number}`)
  const exactly = find(`exactly ${number}`)
  const least = find(`at least ${number}`)?.[1] ?? between?.[1] ?? exactly?.[1]
  const most = find(`at most ${number}`)?.[1] ?? between?.[2] ?? exactly?.[1]
  const more = find(`more than ${number}`)?.[1]
  const less = find(`less than ${number}`)?.[1]
  const step = find(`multiple of ${number}`)?.[1]
  return {
    ...(least !== undefined && { [low]: Number(least) }),
    ...(most !== undefined && { [high]: Number(most) }),
    ...(more !== undefined && { exclusiveMinimum: Number(more) }),
    ...(less !== undefined && { exclusiveMaximum: Number(less) }),
    ...(step !== undefined && { multipleOf: Number(step) }),
  }
}

function formatIn(note: string): Node {
  if (/ISO 8601 such as/.test(note)) return { format: 'date-time' }
  if (/duration such as/.test(note)) return { format: 'duration' }
  const [, pattern] = /matches (.*)$/.exec(note) ?? []
  if (pattern !== undefined) return { pattern }
  const [, format] = /^ ([a-z][a-z0-9-]*)(?:,|$)/.exec(note) ?? []
  return format === undefined || /^at$|^exactly$/.test(format) ? {} : { format }
}
