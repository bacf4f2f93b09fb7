import { isRecord } from '../../core/is-record.ts'
import { fold } from '../../json/coerce/fold.ts'
import { readJson } from '../../json/read-json.ts'
import type { ObjectShape } from '../../schema/shape.ts'
import { argumentWords } from '../call-words.ts'
import type { TaggedForm } from '../dialect.ts'
import { putMember } from '../literal/put-member.ts'
import { accepts, typedValue } from './typed-value.ts'

/** An argument as it stands in the text. */
export interface TaggedValue {
  readonly key: string
  readonly text: string
  /** What its tag says: that it is text, or that it is not. */
  readonly isText: boolean | undefined
  readonly form: TaggedForm
}

/** The arguments of a call, of the types that the schema has for them. */
export function taggedArguments(
  values: readonly TaggedValue[],
  shape: ObjectShape | undefined,
): Record<string, unknown> {
  const [only] = values
  if (values.length === 1 && only && !shape?.fields.has(only.key) && argumentWords.includes(fold(only.key))) {
    // All arguments as JSON in one tag.
    const { value } = readJson(only.text)
    if (isRecord(value)) return value
  }
  const result: Record<string, unknown> = {}
  const byKey = new Map<string, TaggedValue[]>()
  for (const value of values) {
    const same = byKey.get(value.key)
    if (same) same.push(value)
    else byKey.set(value.key, [value])
  }
  for (const [key, same] of byKey) {
    const below = shape?.fields.get(key)?.shape ?? (shape?.additional || undefined)
    const repeats =
      same.length > 1 && (below === undefined || below.kind === 'any' || accepts(below, 'array'))
    const items = below?.kind === 'array' && below.items !== false ? below.items : undefined
    const last = same.at(-1) as TaggedValue
    putMember(
      result,
      key,
      repeats ? same.map((one) => typedValue(one, items, one.form)) : typedValue(last, below, last.form),
    )
  }
  return result
}

const field = String.raw`[\p{L}_][\p{L}\w.-]*`
const firstKey = new RegExp(`^(${field})\\s*:(?:\\s|$)`, 'u')
const otherKey = new RegExp(`\\n${field}:`, 'u')

/** The arguments of a body without tags: YAML or JSON if it is an object, and otherwise the one argument that is text. */
export function plainArguments(
  { text, form }: TaggedValue,
  shape: ObjectShape | undefined,
  readYaml: ((text: string) => unknown) | undefined,
): Record<string, unknown> {
  const trimmed = text.trim()
  if (trimmed === '') return {}
  if (trimmed.startsWith('{')) {
    const { value } = readJson(trimmed)
    if (isRecord(value)) return value
  }
  const fields = shape ? [...shape.fields] : []
  const key = firstKey.exec(trimmed)?.[1]
  const isMapping =
    key !== undefined && (fields.length === 0 || shape?.fields.has(key) || otherKey.test(trimmed))
  const value = isMapping ? readYaml?.(text) : undefined
  if (isRecord(value)) return value
  const texts = fields.filter(([, one]) => accepts(one.shape, 'string'))
  const [name, target] = texts.find(([, one]) => one.required) ?? texts[0] ?? []
  if (name === undefined && fields.length > 0) return {}
  return { [name ?? 'message']: typedValue({ text: withoutComments(trimmed) }, target?.shape, form) }
}

function withoutComments(text: string): string {
  return text.replace(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g, '')
}
