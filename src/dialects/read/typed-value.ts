import { isRecord } from '../../core/is-record.ts'
import { parseStrict } from '../../json/parse-strict.ts'
import { readJson } from '../../json/read-json.ts'
import type { Shape } from '../../schema/shape.ts'
import type { TaggedForm } from '../dialect.ts'
import { readLiteral } from '../literal/read-literal.ts'
import { nestedTags } from './nested-tags.ts'
import type { RawValue } from './raw-value.ts'

/**
 * What the text of an argument means: the schema says it, never the look of the text. Without a schema it is what the
 * dialect is known for.
 */
export function typedValue(raw: RawValue, shape: Shape | undefined, form: TaggedForm): unknown {
  const cdata = withoutCdata(raw.text)
  const text = cdata ?? raw.text
  const kind = shape === undefined || shape.kind === 'any' ? undefined : shape
  if (cdata !== undefined && (kind === undefined || accepts(kind, 'string'))) return cdata
  if (kind === undefined) {
    if (raw.isText === true) return stripped(text, form)
    if (raw.isText === undefined && form.untyped === 'text') return decoded(stripped(text, form), form)
    return guessed(raw, form)
  }
  if (raw.isText === false) {
    // The tag says that it is no text.
    const strict = parseStrict(text.trim(), 256)
    if (strict && accepts(kind, kindOf(strict.value))) return strict.value
  }
  if (accepts(kind, 'string') && !accepts(kind, 'object') && !accepts(kind, 'array')) {
    const other = accepts(kind, 'null') && raw.isText !== true && text.trim() === 'null' && form.attributes
    if (other) return null
    if (kind.kind === 'string') return decoded(stripped(text, form), form)
  }
  if (kind.kind === 'enum') return decoded(text.trim(), form)
  const value = structured(raw, kind, form)
  return value === undefined ? decoded(stripped(text, form), form) : value
}

/** Whether a value of this kind is one of those that the shape lets through. */
export function accepts(shape: Shape, kind: Shape['kind']): boolean {
  return shape.kind === kind || (shape.kind === 'union' && shape.variants.some((one) => accepts(one, kind)))
}

function kindOf(value: unknown): Shape['kind'] {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  const type = typeof value
  return type === 'number' || type === 'boolean' || type === 'string' ? type : 'object'
}

function structured({ text, flat }: RawValue, shape: Shape, form: TaggedForm): unknown {
  const trimmed = text.trim()
  const tags = flat ? undefined : nestedTags(text, shape, form, typedValue)
  if (tags !== undefined) return tags
  const strict = parseStrict(trimmed, 256)
  if (strict && (!accepts(shape, 'string') || typeof strict.value === 'object')) return strict.value
  if (/^[{[]/.test(trimmed)) {
    const read = readJson(trimmed)
    if (read.value !== undefined && typeof read.value === 'object' && read.complete) return read.value
  }
  if (accepts(shape, 'string')) return undefined
  if (shape.kind === 'array') {
    if (trimmed === '') return []
    // 1, 2, 3, or one a line
    const { items } = shape
    if (items && /^(number|boolean)$/.test(items.kind) && /[,\n]/.test(trimmed))
      return trimmed
        .split(/[,\n]/)
        .flatMap((item) =>
          item.trim() === '' ? [] : [structured({ text: item, flat: true }, items, form) ?? item.trim()],
        )
  }
  const literal = readLiteral(trimmed)
  if (literal && literal.end === trimmed.length && literal.kind !== 'text') return literal.value
  return undefined
}

function guessed({ text, flat }: RawValue, form: TaggedForm): unknown {
  const trimmed = text.trim()
  const tags = flat ? undefined : nestedTags(text, undefined, form, typedValue)
  if (tags !== undefined) return tags
  const strict = parseStrict(trimmed, 256)
  if (strict && !(typeof strict.value === 'number' && String(strict.value) !== trimmed)) return strict.value
  if (/^[{[]/.test(trimmed)) {
    const read = readJson(trimmed)
    if (read.ok && read.complete && (isRecord(read.value) || Array.isArray(read.value))) return read.value
  }
  return decoded(stripped(text, form), form)
}

/** The text without the white space that the form puts around it. */
function stripped(text: string, { space }: TaggedForm): string {
  if (space === 'keep') return text
  if (!text.includes('\n')) return text.trim()
  if (space === 'word') return text
  const inner = text.replace(/^\r?\n/, '')
  const indent = /\n([ \t]+)$/.exec(inner)?.[1]
  if (indent === undefined) return inner.replace(/\r?\n$/, '')
  // The closing tag stands on an indented line of its own: so does the value.
  const lines = inner.slice(0, -indent.length - 1).split('\n')
  const common = lines.reduce(
    (least, line) => (line.trim() === '' ? least : Math.min(least, line.search(/\S/))),
    1000,
  )
  return lines.map((line) => line.slice(common)).join('\n')
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  '#39': "'",
  '#34': '"',
}

function decoded(text: string, form: TaggedForm): string {
  return form.entities && text.includes('&')
    ? text.replace(/&(#?\w{2,4});/g, (whole, name) => entities[name] ?? whole)
    : text
}

/** `<![CDATA[…]]>`: what stands within it stands there as it is. */
function withoutCdata(text: string): string | undefined {
  if (!text.includes('<![CDATA[')) return undefined
  return text.replace(/<!\[CDATA\[([\s\S]*?)(?:\]\]>|$)/g, '$1')
}
