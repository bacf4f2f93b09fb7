import type { Shape } from './shape.ts'

/** Not exact below means not exact above. Parts come after their wholes, so going back needs few rounds. */
export function spreadInexact(all: readonly Shape[]): void {
  for (let changed = true; changed; ) {
    changed = false
    for (let index = all.length; index--; ) {
      const shape = all[index] as Shape
      if (shape.exact && !partsOf(shape).every((part) => part.exact)) {
        shape.exact = false
        changed = true
      }
    }
  }
}

function partsOf(shape: Shape): readonly Shape[] {
  if (shape.kind === 'union') return shape.variants
  if (shape.kind === 'array') return shape.items ? [...shape.prefix, shape.items] : shape.prefix
  if (shape.kind !== 'object') return []
  const parts = [...shape.fields.values()].map((field) => field.shape)
  return shape.additional ? [...parts, shape.additional] : parts
}

/** True when no value can fit two of them: then `oneOf` asks no more than `anyOf`. */
export function apart(variants: readonly Shape[]): boolean {
  return variants.every((one, index) => variants.slice(index + 1).every((other) => areApart(one, other)))
}

function areApart(one: Shape, other: Shape): boolean {
  if (one.kind === 'enum' && other.kind === 'enum')
    return !one.members.some((member) => other.members.some(({ value }) => value === member.value))
  if (one.kind === 'object' && other.kind === 'object') {
    for (const [name, field] of one.fields) {
      const rival = other.fields.get(name)
      // Tagged by a field: each has its own words for it.
      if (
        field.required &&
        rival?.required &&
        field.shape.kind === 'enum' &&
        areApart(field.shape, rival.shape)
      )
        return true
    }
    return false
  }
  const known = ['string', 'number', 'boolean', 'null', 'array', 'object']
  const rivals = [one.kind, other.kind].filter((kind) => known.includes(kind))
  if (one.kind === 'enum' || other.kind === 'enum') return rivals[0] === 'array' || rivals[0] === 'object'
  return one.kind !== other.kind && rivals.length === 2
}
