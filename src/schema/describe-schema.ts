import { exampleOfShape } from './example-of.ts'
import type { Schema } from './schema.ts'
import type { EnumMember, NumberBounds, Shape } from './shape.ts'
import { shapeOf } from './shape-of.ts'
import { toJsonSchema } from './to-json-schema.ts'

export interface DescribeSchemaOptions {
  /**
   * `compact` (the default): like a TypeScript type, with descriptions as comments. `json-schema`: the schema
   * itself. `example`: a value, and what to know about each of its fields.
   */
  readonly style?: 'compact' | 'json-schema' | 'example'
}

/** Tells a model what JSON to write. Every style says what is required, which words are allowed, and what for. */
export function describeSchema(schema: Schema, { style = 'compact' }: DescribeSchemaOptions = {}): string {
  if (style === 'json-schema') {
    const json = toJsonSchema(schema)
    // Which draft it is tells a model nothing.
    const { $schema, ...rest } = typeof json === 'object' ? json : { not: json ? undefined : {} }
    return `JSON that fits this JSON Schema:\n${JSON.stringify(rest, null, 2)}`
  }
  const shape = shapeOf(schema)
  return style === 'example' ? describeExample(schema, shape) : describeCompact(shape)
}

function describeCompact(shape: Shape): string {
  const names = nameParts(shape)
  const own = names.get(keyOf(shape))
  const lines = [`JSON of ${own ? `the type ${own}` : 'this type'}:`]
  lines.push(...comment(shape.description, ''))
  if (!own) lines.push(`${typeText(shape, '')}${trailing(shape)}`)
  for (const { name, part } of names.parts.values())
    lines.push(`type ${name} = ${typeText(part, '', true)}${trailing(part)}`)
  return lines.join('\n')

  function typeText(shape: Shape, indent: string, inFull = false): string {
    const name = names.get(keyOf(shape))
    if (name && !inFull) return name
    switch (shape.kind) {
      case 'any':
        return 'any'
      case 'date':
      case 'duration':
        return 'string'
      case 'bigint':
        return 'integer'
      case 'number':
        return shape.integer ? 'integer' : 'number'
      case 'enum':
        if (!shape.members.some((member) => member.description)) return enumText(shape.members)
        return shape.members
          .map(({ value, description }) => {
            const about = description ? ` // ${oneLine(description)}` : ''
            return `\n${indent}  | ${JSON.stringify(value)}${about}`
          })
          .join('')
      case 'union':
        return shape.variants.map((variant) => typeText(variant, indent)).join(' | ')
      case 'array': {
        if (shape.prefix.length > 0) {
          const parts = shape.prefix.map((part) => typeText(part, indent))
          if (shape.items && shape.items.kind !== 'any') parts.push(`...${listText(shape.items, indent)}`)
          return `[${parts.join(', ')}]`
        }
        return shape.items ? listText(shape.items, indent) : '[]'
      }
      case 'object': {
        const inner = `${indent}  `
        const rows: string[] = []
        for (const [name, field] of shape.fields) {
          rows.push(...comment(field.shape.description, inner))
          const type = typeText(field.shape, inner)
          rows.push(
            `${inner}${keyText(name)}${field.required ? '' : '?'}:${spaced(type)}${trailing(field.shape)}`,
          )
        }
        const { additional } = shape
        if (additional && additional.kind !== 'any')
          rows.push(`${inner}[key: string]: ${typeText(additional, inner)}${trailing(additional)}`)
        return rows.length ? `{\n${rows.join('\n')}\n${indent}}` : '{}'
      }
      default:
        return shape.kind
    }
  }

  function listText(items: Shape, indent: string): string {
    const text = typeText(items, indent)
    return items.kind === 'union' || (items.kind === 'enum' && items.members.length > 1)
      ? names.get(keyOf(items))
        ? `${text}[]`
        : `(${text}${text.startsWith('\n') ? `\n${indent}` : ''})[]`
      : `${text}[]`
  }
}

function describeExample(schema: Schema, shape: Shape): string {
  const lines = ['JSON like this example:', JSON.stringify(exampleOfShape(shape), null, 2)]
  const fields = describeFields(schema)
  if (fields) lines.push('where', fields)
  return lines.join('\n')
}

/** What a model should know about each field, a line for each: what it is, whether it is required, what for. */
export function describeFields(schema: Schema): string {
  const rows: string[] = []
  const told = new Set<unknown>()
  tell(shapeOf(schema), '')
  return rows.join('\n')

  function tell(shape: Shape, path: string, required?: boolean, label = path): void {
    const facts = [kindText(shape), ...notesOf(shape)]
    if (required !== undefined) facts.unshift(required ? 'required' : 'optional')
    const about = shape.description ? `. ${oneLine(shape.description)}` : ''
    if (label || about) rows.push(`- ${label || 'the whole'}: ${facts.join(', ')}${about}`)
    const key = keyOf(shape)
    if (key === undefined || told.has(key)) return
    told.add(key)
    if (shape.kind === 'object') {
      for (const [name, field] of shape.fields)
        tell(field.shape, `${path}${path && '.'}${keyText(name)}`, field.required)
      if (shape.additional && shape.additional.kind !== 'any') tell(shape.additional, `${path}[any key]`)
    } else if (shape.kind === 'array') {
      for (const [index, part] of shape.prefix.entries()) tell(part, `${path}[${index}]`)
      if (shape.items && (keyOf(shape.items) || shape.items.kind === 'enum' || shape.items.description))
        tell(shape.items, `${path}[]`)
    } else if (shape.kind === 'union') {
      const forms = shape.variants.filter((variant) => keyOf(variant) !== undefined)
      for (const [index, form] of forms.entries())
        tell(form, path, undefined, forms.length > 1 ? `${path}${path && ', '}form ${index + 1}` : path)
    }
  }
}

function kindText(shape: Shape): string {
  if (shape.kind === 'enum') {
    const words = shape.members.map(({ value, description }) => {
      return `${JSON.stringify(value)}${description ? ` (${oneLine(description)})` : ''}`
    })
    return words.length === 1 ? `always ${words[0]}` : `one of ${words.join(', ')}`
  }
  if (shape.kind === 'union') return [...new Set(shape.variants.map(kindText))].join(' or ')
  if (shape.kind === 'array') return 'list'
  if (shape.kind === 'date' || shape.kind === 'duration') return 'string'
  if (shape.kind === 'number' || shape.kind === 'bigint')
    return !('integer' in shape) || shape.integer ? 'integer' : 'number'
  return shape.kind
}

/** Parts that are used more than once, or within themselves, get a name: they are written out once. */
function nameParts(root: Shape) {
  const seen = new Map<unknown, Shape>()
  const parts = new Map<unknown, { name: string; part: Shape }>()
  const taken = new Set<string>()
  visit(root)
  return { parts, get: (key: unknown) => (key === undefined ? undefined : parts.get(key)?.name) }

  function visit(shape: Shape): void {
    const key = keyOf(shape)
    if (key === undefined) return
    const part = seen.get(key)
    if (part) {
      if (!parts.has(key)) parts.set(key, { name: freeName(part.name ?? shape.name), part })
      return
    }
    seen.set(key, shape)
    if (shape.kind === 'union') for (const variant of shape.variants) visit(variant)
    if (shape.kind === 'array') for (const part of [...shape.prefix, shape.items]) if (part) visit(part)
    if (shape.kind === 'object') {
      for (const field of shape.fields.values()) visit(field.shape)
      if (shape.additional) visit(shape.additional)
    }
  }

  function freeName(wanted = ''): string {
    const word = wanted.startsWith('__')
      ? ''
      : wanted
          .replace(/[^\p{L}\p{N}]+/gu, ' ')
          .trim()
          .replaceAll(' ', '_')
    const base = /^\p{L}/u.test(word) ? word.charAt(0).toUpperCase() + word.slice(1) : 'Item'
    let name = base
    for (let count = 2; taken.has(name); count++) name = `${base}${count}`
    taken.add(name)
    return name
  }
}

/** What a shape shares with its copies under another description. */
function keyOf(shape: Shape): unknown {
  if (shape.kind === 'object') return shape.fields
  if (shape.kind === 'array') return shape.prefix
  return shape.kind === 'union' ? shape.variants : undefined
}

/** A list of words begins on the next line. */
function spaced(type: string): string {
  return type.startsWith('\n') ? type : ` ${type}`
}

function trailing(shape: Shape): string {
  const notes = notesOf(shape)
  return notes.length ? ` // ${notes.join(', ')}` : ''
}

function notesOf(shape: Shape): string[] {
  const notes: string[] = []
  switch (shape.kind) {
    case 'string':
      if (shape.format) notes.push(shape.format)
      notes.push(...rangeText(shape.minLength, shape.maxLength, 'character'))
      // The pattern of a known format is long, and says nothing more.
      if (shape.pattern && !shape.format) notes.push(`matches ${shape.pattern.source}`)
      break
    case 'number':
      notes.push(...boundsText(shape))
      break
    case 'duration':
      notes.push('duration such as "1h30m", or milliseconds', ...boundsText(shape))
      break
    case 'date':
      notes.push('ISO 8601 such as "2026-01-20T15:30:00Z"')
      break
    case 'array':
      notes.push(...rangeText(shape.minItems, shape.maxItems, 'item'))
      if (shape.items && !shape.prefix.length && !keyOf(shape.items))
        for (const note of notesOf(shape.items)) notes.push(`each ${note}`)
      break
    case 'union':
      for (const variant of shape.variants) if (!keyOf(variant)) notes.push(...notesOf(variant))
  }
  if (shape.default !== undefined) notes.push(`default ${JSON.stringify(shape.default)}`)
  return notes
}

function boundsText(bounds: NumberBounds): string[] {
  const { min, max, exclusiveMin, exclusiveMax, multipleOf } = bounds
  const notes = rangeText(min, max)
  if (exclusiveMin !== undefined) notes.push(`more than ${exclusiveMin}`)
  if (exclusiveMax !== undefined) notes.push(`less than ${exclusiveMax}`)
  if (multipleOf !== undefined) notes.push(`multiple of ${multipleOf}`)
  return notes
}

function rangeText(min: number | undefined, max: number | undefined, of = ''): string[] {
  // zod gives every integer these bounds; they are no news.
  const low = min === undefined || min <= Number.MIN_SAFE_INTEGER ? undefined : min
  const high = max === undefined || max >= Number.MAX_SAFE_INTEGER ? undefined : max
  const count = (number: number) => (of ? `${number} ${of}${number === 1 ? '' : 's'}` : `${number}`)
  if (low === undefined) return high === undefined ? [] : [`at most ${count(high)}`]
  if (high === undefined) return [`at least ${count(low)}`]
  return [low === high ? `exactly ${count(low)}` : `${low} to ${count(high)}`]
}

function enumText(members: readonly EnumMember[]): string {
  return members.map((member) => JSON.stringify(member.value)).join(' | ')
}

function keyText(name: string): string {
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(name) ? name : JSON.stringify(name)
}

function comment(text: string | undefined, indent: string): string[] {
  return text
    ? text
        .trim()
        .split('\n')
        .map((line) => `${indent}// ${line.trim()}`.trimEnd())
    : []
}

function oneLine(text: string): string {
  return text.trim().replace(/\s+/g, ' ')
}
