import { isRecord } from '../../core/is-record.ts'
import type { ObjectShape, Shape } from '../../schema/shape.ts'
import type { Dialect, Pair, TaggedForm } from '../dialect.ts'
import { objectShape } from '../literal/arguments-of.ts'
import { fill } from './fill.ts'
import { json, valueText } from './notation.ts'
import type { Plain, PlainObject } from './plain-value.ts'

/** What is known where a call is written. */
export interface Scribe {
  readonly row: Dialect
  readonly marks: RegExp
  /** What the tool says about its arguments, if the tools are known. */
  readonly shapeOf?: ((tool: string) => Shape | undefined) | undefined
  readonly formatYaml?: ((value: unknown) => string) | undefined
}

export interface NamedArguments {
  readonly name: string
  readonly arguments: PlainObject
}

/** A call with each argument in a tag of its own; as JSON, if there is one that has no tag. */
export function taggedText(
  call: NamedArguments,
  form: TaggedForm,
  scribe: Scribe,
  places: Readonly<Record<string, string>>,
): string {
  const { row } = scribe
  const { lines = true, json: asJson, attributes = '' } = row.write?.calls ?? {}
  const { name } = call
  const head = form.call
    ? fill(form.call[0], { name, attributes: fill(attributes, places) })
    : name + (row.separators?.[0] ?? '')
  const entries = Object.entries(call.arguments)
  const fits = entries.every(([key]) => isKey(key, form))
  const body = asJson || !fits ? [valueText(call.arguments, json(scribe.marks))] : tags(call, form, scribe)
  const tail = form.call ? [form.call[1]] : []
  return [head, ...body, ...tail].join(lines ? '\n' : '')
}

function tags(call: NamedArguments, form: TaggedForm, scribe: Scribe): string[] {
  const [open, close] = scribe.row.write?.calls?.argument ?? form.parameter
  const shapes = scribe.shapeOf && objectShape(scribe.shapeOf(call.name))
  return Object.entries(call.arguments).map(([key, value]) => {
    const attributes = typeof value === 'string' ? form.attributes?.text : form.attributes?.json
    const places = { key, attributes: fill(attributes ?? '', { type: typeName(value) }) }
    const pair: Pair = [fill(open, places), fill(close, places)]
    const typed = scribe.shapeOf ? isTyped(value, shapes, key, form) : true
    return pair[0] + argumentText(value, form, scribe, { typed, pair }) + pair[1]
  })
}

interface Place {
  /** The schema says what the value is, so that its look does not matter. */
  readonly typed: boolean
  /** The tags around it. */
  readonly pair: Pair
}

/** What stands in the tag of an argument. */
export function argumentText(value: Plain, form: TaggedForm, scribe: Scribe, place: Place): string {
  const { marks } = scribe
  const nested =
    form.prefix !== undefined && typeof value === 'object' ? nestedText(value, form, marks) : undefined
  const text = nested ?? (typeof value === 'string' ? value : valueText(value, json(marks)))
  if (typeof value === 'string' && !survives(value, form, marks, place)) return cdata(value)
  return form.space === 'line' ? `\n${text}\n` : text
}

/** Whether a text that is written as it is comes back as it is. */
function survives(text: string, form: TaggedForm, marks: RegExp, { typed, pair }: Place): boolean {
  if (text.search(marks) >= 0 || text.includes(pair[1])) return false
  if (form.space === 'line' && text.endsWith('\r')) return false
  if (form.space === 'word' && !text.includes('\n') && text.trim() !== text) return false
  if (form.entities && /&#?\w{2,4};/.test(text)) return false
  return typed || !looksLikeValue(text)
}

const looksLikeValue = (text: string) => /^\s*(?:[{["<\d.-]|(?:true|false|null)\s*$)/.test(text)

/** Every reader of tags here knows it, whatever the dialect: what stands in it ends nothing. */
function cdata(text: string): string {
  return `<![CDATA[${text.replaceAll(']]>', ']]]]><![CDATA[>')}]]>`
}

/** Whether what a text means is plain from the schema, or from its tag. */
function isTyped(value: Plain, shapes: ObjectShape | undefined, key: string, form: TaggedForm): boolean {
  const shape = shapes?.fields.get(key)?.shape ?? (shapes?.additional || undefined)
  if (shape === undefined || shape.kind === 'any')
    return form.attributes !== undefined || form.untyped === 'text'
  return shape.kind !== 'union' || typeof value !== 'string'
}

function typeName(value: Plain): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'array'
  return typeof value === 'bigint' ? 'number' : typeof value
}

function isKey(key: string, { parameter }: TaggedForm): boolean {
  return parameter[0].includes('<{key}')
    ? isTagName(key)
    : key.length <= 100 && /^[\p{L}\p{N}_$@][^"'<>|={}\s/\\&]*$/u.test(key)
}

export const isTagName = (key: string): boolean => /^[A-Za-z_][\w.-]{0,99}$/.test(key)

/**
 * An object or a list as tags within the tag. What would be read as something else (nothing at all, text that could
 * close a tag, a list that looks like an object) has no such form: `undefined`.
 */
function nestedText(value: Plain, form: TaggedForm, marks: RegExp): string | undefined {
  const prefix = form.prefix ?? ''
  const tag = (name: string, inner: string) => `${prefix}<${name}>${inner}${prefix}</${name}>`
  const member = (name: string, one: Plain): string | undefined => {
    const inner =
      typeof one === 'object' && one !== null
        ? nestedText(one, form, marks)
        : typeof one === 'string'
          ? nestable(one, marks)
          : String(one)
    return inner === undefined || !isTagName(name) ? undefined : tag(name, inner)
  }
  const parts = Array.isArray(value)
    ? value.map((item) => member('item', item))
    : isRecord(value)
      ? Object.entries(value).map(([key, one]) => (key === 'item' ? undefined : member(key, one as Plain)))
      : []
  return parts.length === 0 || parts.includes(undefined) ? undefined : parts.join('')
}

const nestable = (text: string, marks: RegExp) =>
  text.search(marks) >= 0 || looksLikeValue(text) ? undefined : text
