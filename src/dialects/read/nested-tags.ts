import type { Shape } from '../../schema/shape.ts'
import type { TaggedForm } from '../dialect.ts'
import { objectShape } from '../literal/arguments-of.ts'
import { putMember } from '../literal/put-member.ts'
import type { RawValue } from './raw-value.ts'

const MOST_DEPTH = 32

type Typed = (raw: RawValue, shape: Shape | undefined, form: TaggedForm) => unknown

/**
 * A value that is written as tags within its tag: `<real>1</real><imaginary>2</imaginary>` is an object,
 * `<item>a</item><item>b</item>` a list. Any other text: `undefined`.
 */
export function nestedTags(
  text: string,
  wanted: Shape | undefined,
  form: TaggedForm,
  typed: Typed,
  depth = 0,
): unknown {
  const shape = wanted?.kind === 'any' ? undefined : wanted
  const prefix = form.prefix ?? ''
  const plain = text.trim()
  if (!plain.startsWith(`${prefix}<`) || depth > MOST_DEPTH) return undefined
  if (shape && !/^(object|array|union|any)$/.test(shape.kind)) return undefined
  const members = membersOf(plain, prefix)
  if (!members || members.length === 0) return undefined
  const items = itemsOf(shape)
  const names = new Set(members.map(([name]) => name))
  const only = names.size === 1 ? members[0]?.[0] : undefined
  const value = (inner: string, below: Shape | undefined) =>
    nestedTags(inner, below, form, typed, depth + 1) ?? typed({ text: inner, flat: true }, below, form)
  if (items !== undefined && (only === 'item' || members.length > 1) && only !== undefined)
    return members.map(([, inner]) => value(inner, items === false ? undefined : items))
  if (shape === undefined && only === 'item') return members.map(([, inner]) => value(inner, undefined))
  const object =
    objectShape(shape) ?? (items === undefined || items === false ? undefined : objectShape(items))
  const result: Record<string, unknown> = {}
  for (const name of names) {
    const below = object?.fields.get(name)?.shape ?? (object?.additional || undefined)
    const all = members.filter(([one]) => one === name)
    const last = all.at(-1) as readonly [string, string]
    const list = all.length > 1 && (below === undefined || itemsOf(below) !== undefined)
    putMember(
      result,
      name,
      list ? all.map(([, inner]) => value(inner, itemsOf(below) || undefined)) : value(last[1], below),
    )
  }
  return items !== undefined ? [result] : result
}

function itemsOf(shape: Shape | undefined): Shape | false | undefined {
  if (shape?.kind === 'array') return shape.items
  if (shape?.kind !== 'union') return undefined
  for (const variant of shape.variants) {
    const items = itemsOf(variant)
    if (items !== undefined) return items
  }
  return undefined
}

/** The tags side by side; `undefined` when anything else stands between them. */
function membersOf(text: string, prefix: string): [string, string][] | undefined {
  const members: [string, string][] = []
  const open = new RegExp(`${prefix.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&')}<([A-Za-z_][\\w.-]*)>`, 'y')
  let at = 0
  while (at < text.length) {
    open.lastIndex = at
    const found = open.exec(text)
    if (!found) return undefined
    const name = found[1] as string
    const start = open.lastIndex
    const end = closing(text, start, `${prefix}<${name}>`, `${prefix}</${name}>`)
    if (end < 0) return undefined
    members.push([name, text.slice(start, end)])
    at = end + prefix.length + name.length + 3
    while (at < text.length && /\s/.test(text[at] as string)) at++
  }
  return members
}

/** Where the tag ends that is open at `from`; tags of the same name may stand within it. */
function closing(text: string, from: number, open: string, close: string): number {
  let depth = 1
  let at = from
  let inner = text.indexOf(open, from)
  for (;;) {
    const end = text.indexOf(close, at)
    if (end < 0) return -1
    for (; inner >= 0 && inner < end; inner = text.indexOf(open, inner + 1)) depth++
    depth--
    if (depth === 0) return end
    at = end + close.length
  }
}
