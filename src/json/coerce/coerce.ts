import type { Shape, UnionShape } from '../../schema/shape.ts'
import { coerceArray } from './array.ts'
import { Coercion, type Source } from './coercion.ts'
import { coerceObject } from './object.ts'
import { coerceScalar, isPlainly } from './scalar.ts'

/** Begins to fit a value that stands in `source`. `cut`: the string in it that lacks its end. */
export const startCoercion = (source: Source, cut?: readonly PropertyKey[]): Coercion =>
  new Coercion(source, coerce, cut)

/**
 * Fits a value to a shape. What fits already comes back as it is, not copied; what can be read as the shape
 * wants it is, with a note; the rest stays and is said.
 */
export function coerce(value: unknown, shape: Shape, c: Coercion): unknown {
  switch (shape.kind) {
    case 'any':
      return value
    case 'object':
      return coerceObject(value, shape, c)
    case 'array':
      return coerceArray(value, shape, c)
    case 'union':
      return coerceUnion(value, shape, c)
    default:
      return coerceScalar(value, shape, c)
  }
}

/** The variant that costs least; of equals, the first. */
function coerceUnion(value: unknown, shape: UnionShape, c: Coercion): unknown {
  if (!c.isCut()) for (const variant of shape.variants) if (isPlainly(value, variant)) return value
  let best: ReturnType<Coercion['try']> | undefined
  for (const variant of shape.variants) {
    const attempt = c.try(value, variant, () => coerce(value, variant, c))
    if (!best || attempt.cost < best.cost) best = attempt
    if (best.cost === 0) break
  }
  return best ? c.take(best) : value
}
