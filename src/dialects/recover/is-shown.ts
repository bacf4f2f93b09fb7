import type { ObjectShape, Shape } from '../../schema/shape.ts'
import { objectShape } from '../literal/arguments-of.ts'
import type { Argument } from '../literal/literal.ts'
import type { Candidate } from './find-calls.ts'
import { isGlue } from './is-glue.ts'

/** How far above a call is looked at. */
const NEAR = 400

const typeName = /^(?:int|integer|str|string|float|number|bool|boolean|list|dict|array|object|any)$/i

/** Whether a candidate says what a tool looks like: `def f(a, b)`, `f(a: int)`, `f(a, b)`; or tests what it gives. */
export function isSignature(text: string, { args, span }: Candidate, shape: Shape | undefined): boolean {
  if (!args) return false
  const before = text.slice(Math.max(0, span[0] - 12), span[0])
  if (/\b(?:def|function|class|import|from|assert)\s+$/.test(before)) return true
  if (/^\s{0,3}==/.test(text.slice(span[1], span[1] + 5))) return true
  const fields = objectShape(shape)?.fields
  return args.length > 0 && args.every((argument) => isPlaceholder(argument, fields))
}

function isPlaceholder({ key, kind, text }: Argument, fields: ObjectShape['fields'] | undefined): boolean {
  if (kind !== 'text') return false
  if (text === '...' || text === '…' || text === 'self' || /^<[^<>]*>$/.test(text)) return true
  if (key !== undefined) return typeName.test(text)
  const word = /^(\w+)(?:\s*:\s*\w+)?$/.exec(text)?.[1]
  return word !== undefined && (!fields || fields.has(word) || typeName.test(word))
}

/** Whether the line above a call says that what follows is an example. */
export function isExample(text: string, start: number): boolean {
  const above = text.slice(Math.max(0, start - NEAR), start)
  const lines = above.split('\n').filter((line) => !isGlue(line.replace(/^\s*(?:#|\/\/)/, '')))
  return /\b(?:example|for instance|e\.g\.)/i.test(lines[lines.length - 1] ?? '')
}
