import { isRecord } from '../../core/is-record.ts'
import type { Span } from '../../core/span.ts'
import { fold } from '../../json/coerce/fold.ts'
import type { Shape } from '../../schema/shape.ts'
import type { KnownTools } from '../known-tools.ts'
import { objectShape } from '../literal/arguments-of.ts'
import { putMember } from '../literal/put-member.ts'
import { argumentsIn } from './arguments-in.ts'
import { isDeclared } from './is-declared.ts'
import type { ToolNames } from './tool-names.ts'

export interface ValueCall {
  readonly id?: string | undefined
  readonly name: string
  readonly arguments: Record<string, unknown>
  readonly span: Span
}

const nameKeys = [
  'name',
  'toolname',
  'functionname',
  'tool',
  'function',
  'func',
  'action',
  'api',
  'apiname',
  'method',
  'recipientname',
  'call',
  'functioncall',
  'toolcall',
]
const argumentKeys = [
  'arguments',
  'parameters',
  'args',
  'params',
  'input',
  'inputs',
  'kwargs',
  'toolinput',
  'actioninput',
  'toolarguments',
  'functionarguments',
  'argument',
  'parameter',
  'properties',
]
const idKeys = ['id', 'toolcallid', 'callid']

/** Deeper than this nobody wraps a call. */
const DEEPEST = 6

/** The calls that a value holds, however it spells them; `declared`: it says what a tool is. */
export function callsInValue(
  value: unknown,
  names: ToolNames,
  tools: KnownTools,
  spans: ReadonlyMap<object, Span>,
): { readonly calls: readonly ValueCall[]; readonly declared: boolean } {
  const calls: ValueCall[] = []
  let declared = false
  const walk = (one: unknown, depth: number): void => {
    if (depth > DEEPEST) return
    if (Array.isArray(one)) for (const item of one) walk(item, depth + 1)
    if (!isRecord(one)) return
    const span = spans.get(one) ?? [0, 0]
    const own = namedCall(one, names, tools)
    if (own === 'declaration') declared = true
    else if (own) calls.push({ ...own, span })
    if (own) return
    const members = Object.entries(one)
    for (const [key, member] of members) {
      const name = typeof member === 'object' || typeof member === 'string' ? names.find(key) : undefined
      if (name === undefined) walk(member, depth + 1)
      else
        for (const given of isListOfCalls(member, tools.shapeOf(name)) ? member : [member]) {
          if (isDeclared(given)) {
            declared = true
            continue
          }
          // With the name alone, nothing is called.
          if (given === null || given === '') continue
          const args = argumentsIn(given, tools.shapeOf(name))
          const place = members.length === 1 && given === member ? span : spans.get(given as object)
          if (args) calls.push({ name, arguments: args, span: place ?? span })
        }
    }
  }
  walk(value, 0)
  return { calls, declared }
}

// {"f": [{"a": 1}, {"a": 2}]}
function isListOfCalls(value: unknown, shape: Shape | undefined): value is unknown[] {
  return Array.isArray(value) && value.length > 0 && value.every(isRecord) && objectShape(shape) !== undefined
}

function namedCall(
  record: Record<string, unknown>,
  names: ToolNames,
  tools: KnownTools,
): Omit<ValueCall, 'span'> | 'declaration' | undefined {
  const keys = foldedKeys(record)
  for (const word of nameKeys) {
    const key = keys.get(word)
    const written = key === undefined ? undefined : record[key]
    if (typeof written !== 'string') continue
    const name = names.find(written)
    if (name === undefined) continue
    const shape = tools.shapeOf(name)
    if (keys.has('description') && !objectShape(shape)?.fields.has('description')) return 'declaration'
    const argumentsKey = firstOf(argumentKeys, keys)
    const given = argumentsKey === undefined ? undefined : record[argumentsKey]
    if (isDeclared(given)) return 'declaration'
    // `input` may also be the name of an argument.
    const inside = argumentsKey === undefined ? undefined : argumentsIn(given, shape)
    const args = inside ?? argumentsIn(beside(record, key, shape), shape)
    if (!args) continue
    const id = record[firstOf(idKeys, keys) ?? '']
    return { id: typeof id === 'string' ? id : undefined, name, arguments: args }
  }
  return undefined
}

const firstOf = (words: readonly string[], keys: ReadonlyMap<string, string>) =>
  words.map((word) => keys.get(word)).find((key) => key !== undefined)

function foldedKeys(record: Record<string, unknown>): Map<string, string> {
  const keys = new Map<string, string>()
  for (const key of Object.keys(record)) if (key.length < 40 && !keys.has(fold(key))) keys.set(fold(key), key)
  return keys
}

/**
 * The arguments that stand beside the name. Where the schema is known, at least one must be its own, or there is only
 * talk of the tool.
 */
function beside(
  record: Record<string, unknown>,
  nameKey: string | undefined,
  shape: Shape | undefined,
): unknown {
  const fields = objectShape(shape)
  const others: Record<string, unknown> = {}
  let own = 0
  for (const [key, value] of Object.entries(record)) {
    if (key === nameKey) continue
    if (fields?.fields.has(key)) own++
    else if (/^(?:id|type|thoughts?|reasoning|explanation)$/i.test(key)) continue
    putMember(others, key, value)
  }
  return fields && fields.required > 0 && own === 0 ? false : others
}
