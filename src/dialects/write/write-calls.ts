import { LegibleError } from '../../core/legible-error.ts'
import type { Shape } from '../../schema/shape.ts'
import type { CallForm, Dialect, JsonForm } from '../dialect.ts'
import { fill } from './fill.ts'
import { callLayout } from './layouts.ts'
import { marksOf } from './marks-of.ts'
import { braces, json, python, valueText } from './notation.ts'
import { type Plain, type PlainObject, plainValue } from './plain-value.ts'
import { type Scribe, taggedText } from './tagged-text.ts'
import { toolTagText } from './tool-tag-text.ts'

/** A call that is to be written. */
export interface CallToWrite {
  /** Written where the dialect has a place for it. */
  readonly id?: string | undefined
  readonly name: string
  readonly arguments: Readonly<Record<string, unknown>>
}

interface WriteOptions {
  readonly shapeOf?: ((tool: string) => Shape | undefined) | undefined
  readonly formatYaml?: ((value: unknown) => string) | undefined
}

/** Calls as the models of this dialect write them. */
export function writeCalls(calls: readonly CallToWrite[], row: Dialect, options: WriteOptions = {}): string {
  if (row.form.kind === 'json' && !row.open && !row.bare && !row.write?.calls)
    throw new LegibleError(
      'call.no_calls',
      `The dialect ${row.name} knows no calls: it has no mark for them.`,
    )
  const scribe: Scribe = { row, marks: marksOf(row).inCalls, ...options }
  if (calls.length === 0) return ''
  const { each, between, all } = callLayout(row)
  const written = calls.map((call, index) => {
    checkName(call.name, row)
    return oneCall(call, index, each, scribe)
  })
  return fill(all, { all: written.join(between) })
}

function oneCall(call: CallToWrite, index: number, each: string, scribe: Scribe): string {
  const { row, marks } = scribe
  const { name } = call
  const given = plainValue(call.arguments)
  if (typeof given !== 'object' || given === null || Array.isArray(given))
    throw new LegibleError('call.not_json', `The arguments of ${name} are no object.`)
  const places = {
    name,
    id: call.id === undefined ? '' : plainId(call.id),
    // Where ids are counters, the one that the call has goes on counting.
    index: /:(\d+)$/.exec(call.id ?? '')?.[1] ?? String(index),
    number: String(index + 1),
    arguments: valueText(given, json(marks)),
  }
  const known = { id: call.id, name, arguments: given as PlainObject }
  const text = callText(known, scribe, places)
  return fill(withoutId(each, call.id, row), { ...places, call: text })
}

function callText(
  call: { readonly id: string | undefined; readonly name: string; readonly arguments: PlainObject },
  scribe: Scribe,
  places: Readonly<Record<string, string>>,
): string {
  const { row, marks } = scribe
  const { form } = row
  const { name } = call
  switch (form.kind) {
    case 'json':
      return valueText(jsonCall(call, form, row.write?.calls?.idFirst), json(marks))
    case 'named':
      return fill(withoutId(form.write, call.id, row), places)
    case 'tagged':
      return taggedText(call, form, scribe, places)
    case 'tool-tag':
      return toolTagText(call, form, scribe)
    case 'brace':
      return `call:${name}${valueText(call.arguments, braces(marks, form.quote))}`
    case 'pythonic':
      return `${name}(${keywords(call.arguments, marks)})`
  }
}

function jsonCall(
  call: { readonly id: string | undefined; readonly name: string; readonly arguments: PlainObject },
  form: JsonForm,
  idFirst: boolean | undefined,
): Plain {
  if (form.keyed) return { [call.name]: call.arguments }
  const id: PlainObject = form.id === undefined || call.id === undefined ? {} : { [form.id]: call.id }
  const rest = { [form.name ?? 'name']: call.name, [form.arguments ?? 'arguments']: call.arguments }
  return idFirst ? { ...id, ...rest } : { ...rest, ...id }
}

// a=1, b="x", **{"c-d": 2}
function keywords(given: PlainObject, marks: RegExp): string {
  const notation = python(marks)
  const isWord = (key: string) => /^[A-Za-z_]\w*$/.test(key)
  const entries = Object.entries(given)
  const words = entries.filter(([key]) => isWord(key))
  const others = entries.filter(([key]) => !isWord(key))
  const written = words.map(([key, value]) => `${key}=${valueText(value, notation)}`)
  if (others.length > 0) written.push(`**${valueText(Object.fromEntries(others), notation)}`)
  return written.join(', ')
}

/** A call that has no id is written without the mark that announces it. */
function withoutId(layout: string, id: string | undefined, { separators = [] }: Dialect): string {
  if (id !== undefined) return layout
  return separators.reduce((text, mark) => text.replace(`${mark}{id}`, ''), layout)
}

/** An id outside of JSON: what could be anything else in it is replaced, in calls and results alike. */
export function plainId(id: string): string {
  return id.replace(/[^\w-]/g, '_').slice(0, 64)
}

const nameIn: Readonly<Record<CallForm['kind'], RegExp>> = {
  json: /./,
  named: /^[\p{L}_][\p{L}\p{N}_.:/-]*$/u,
  tagged: /^[\p{L}_][\p{L}\p{N}_.:/-]*$/u,
  brace: /^[\p{L}_][\p{L}\p{N}_./-]*$/u,
  pythonic: /^[\p{L}_][\p{L}\p{N}_]*(?:[.-][\p{L}_][\p{L}\p{N}_]*)*$/u,
  'tool-tag': /^[\p{L}_][\p{L}\p{N}_.-]*$/u,
}

function checkName(name: string, { form, name: dialect }: Dialect): void {
  if (typeof name !== 'string' || name.length > 128 || !nameIn[form.kind].test(name))
    throw new LegibleError(
      'call.unwritable_name',
      `${JSON.stringify(name)} cannot be the name of a call in the dialect ${dialect}: letters, digits, _, - and . can.`,
    )
}
