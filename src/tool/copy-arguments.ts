/**
 * A copy of the arguments of a call, all the way down: who changes it changes nothing that was checked. What a schema
 * has made of them may be of a class that cannot be copied; such a value is the same in both.
 */
export function copyArguments<T>(value: T): T {
  return copy(value, new Map()) as T
}

function copy(value: unknown, made: Map<object, unknown>): unknown {
  if (typeof value !== 'object' || value === null) return value
  // A schema may make circles, though the text of a model cannot.
  if (made.has(value)) return made.get(value)
  if (Array.isArray(value)) {
    const list: unknown[] = []
    made.set(value, list)
    for (const one of value) list.push(copy(one, made))
    return list
  }
  if (isPlain(value)) {
    const record: object = Object.create(Object.getPrototypeOf(value))
    made.set(value, record)
    for (const [key, one] of Object.entries(value))
      Object.defineProperty(record, key, {
        value: copy(one, made),
        configurable: true,
        enumerable: true,
        writable: true,
      })
    return record
  }
  return copyBuiltIn(value)
}

/** Makes lists and plain objects unchangeable, all the way down. What is of a class is left as it is. */
export function freezeArguments<T>(value: T): T {
  const open: unknown[] = [value]
  for (let i = 0; i < open.length; i++) {
    const one = open[i]
    if (typeof one !== 'object' || one === null || Object.isFrozen(one)) continue
    if (!Array.isArray(one) && !isPlain(one)) continue
    Object.freeze(one)
    for (const inner of Object.values(one)) open.push(inner)
  }
  return value
}

function isPlain(value: object): boolean {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function copyBuiltIn(value: object): unknown {
  const known =
    value instanceof Date || value instanceof Map || value instanceof Set || ArrayBuffer.isView(value)
  if (!known) return value
  try {
    return structuredClone(value)
  } catch {
    return value
  }
}
