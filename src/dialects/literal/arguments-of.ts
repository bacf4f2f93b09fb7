import { isRecord } from '../../core/is-record.ts'
import type { ObjectShape, Shape } from '../../schema/shape.ts'
import type { Argument } from './literal.ts'
import { putMember } from './put-member.ts'

/**
 * The arguments of a call as an object. Those without a name get the names of the fields that are free, in the order
 * of the schema; `f({…})` is the object itself. What has no place is left out.
 */
export function argumentsOf(args: readonly Argument[], shape: Shape | undefined): Record<string, unknown> {
  const fields = objectShape(shape)
  const result: Record<string, unknown> = {}
  const [only] = args
  if (
    args.length === 1 &&
    only &&
    only.key === undefined &&
    isRecord(only.value) &&
    spreads(only.value, fields)
  ) {
    for (const [key, value] of Object.entries(only.value)) putMember(result, key, value)
    return result
  }
  const unnamed: Argument[] = []
  for (const argument of args) {
    if (argument.key !== undefined)
      putMember(result, argument.key, wantedValue(argument, fields, argument.key))
    else if (argument.spread && isRecord(argument.value))
      for (const [key, value] of Object.entries(argument.value)) putMember(result, key, value)
    else if (argument.spread && Array.isArray(argument.value))
      for (const value of argument.value) unnamed.push({ ...argument, value, kind: 'text' })
    else unnamed.push(argument)
  }
  const free = fields ? [...fields.fields.keys()].filter((name) => !Object.hasOwn(result, name)) : []
  for (const [index, argument] of unnamed.entries()) {
    const name = free[index] ?? (fields ? undefined : `arg${index + 1}`)
    if (name !== undefined) putMember(result, name, wantedValue(argument, fields, name))
  }
  return result
}

/** Whether an object is all the arguments, rather than the first of them. */
function spreads(value: Record<string, unknown>, fields: ObjectShape | undefined): boolean {
  if (!fields) return true
  const keys = Object.keys(value)
  if (keys.some((key) => fields.fields.has(key))) return true
  const first = fields.fields.values().next().value
  const takes =
    first && (first.shape.kind === 'object' || first.shape.kind === 'any' || first.shape.kind === 'union')
  return !takes
}

/** Where the schema wants text, what is written counts: `02134`, `1e5`, `5*60`. */
function wantedValue(argument: Argument, fields: ObjectShape | undefined, name: string): unknown {
  const scalar = argument.kind === 'number' || argument.kind === 'boolean'
  return scalar && fields?.fields.get(name)?.shape.kind === 'string' ? argument.text : argument.value
}

/** The object that the arguments are, also where it is one of several ways. */
export function objectShape(shape: Shape | undefined): ObjectShape | undefined {
  if (shape?.kind === 'object') return shape
  if (shape?.kind === 'union')
    return shape.variants.find((variant): variant is ObjectShape => variant.kind === 'object')
  return undefined
}
