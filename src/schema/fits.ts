import type { ArrayShape, NumberBounds, ObjectShape, Shape, StringShape } from './shape.ts'

type Check = (value: unknown) => boolean

const checks = new WeakMap<Shape, Check>()

/**
 * True when a value certainly conforms to the JSON Schema that an exact shape was made from. It explains nothing
 * and, once it knows the shape, allocates nothing: its only use is to spare the validator, which costs more than
 * ten times a JSON.parse.
 */
export function fits(value: unknown, shape: Shape): boolean {
  return shape.exact && checkOf(shape)(value)
}

// One closure for each shape: many times faster than looking at the shape again for each value.
function checkOf(shape: Shape): Check {
  const known = checks.get(shape)
  if (known) return known
  // A shape may contain itself, so it is there before its parts are.
  let check: Check = () => false
  checks.set(shape, (value) => check(value))
  check = makeCheck(shape)
  checks.set(shape, check)
  return check
}

function makeCheck(shape: Shape): Check {
  switch (shape.kind) {
    case 'string':
      return stringCheck(shape)
    case 'number':
    case 'duration':
      return numberCheck(shape)
    case 'object':
      return objectCheck(shape)
    case 'array':
      return arrayCheck(shape)
    case 'boolean':
      return isBoolean
    case 'enum':
      return Set.prototype.has.bind(new Set(shape.members.map((member) => member.value)))
    case 'null':
      return (value) => value === null
    case 'union': {
      const variants = shape.variants.map(checkOf)
      return (value) => {
        for (let index = 0; index < variants.length; index++) if (variants[index]!(value)) return true
        return false
      }
    }
    case 'any':
      return isJson
    case 'date':
      return (value) => value instanceof Date && !Number.isNaN(value.getTime())
    case 'bigint':
      return (value) => typeof value === 'bigint'
  }
}

function isBoolean(value: unknown): boolean {
  return typeof value === 'boolean'
}

function isString(value: unknown): boolean {
  return typeof value === 'string'
}

function isJson(value: unknown): boolean {
  const type = typeof value
  return type === 'string' || type === 'number' || type === 'object' || type === 'boolean'
}

function stringCheck({ minLength = 0, maxLength, pattern, check }: StringShape): Check {
  if (!minLength && maxLength === undefined && !pattern && !check) return isString
  return (value) =>
    typeof value === 'string' &&
    isAtLeast(value, minLength) &&
    (maxLength === undefined || !isAtLeast(value, maxLength + 1)) &&
    (pattern === undefined || pattern.test(value)) &&
    (check === undefined || check(value))
}

function numberCheck({ integer, multipleOf: step, ...bounds }: NumberBounds): Check {
  const { min = -Infinity, max = Infinity, exclusiveMin = -Infinity, exclusiveMax = Infinity } = bounds
  // Infinity itself is no JSON, and fits nothing.
  return (value) =>
    typeof value === 'number' &&
    value >= min &&
    value <= max &&
    value > exclusiveMin &&
    value < exclusiveMax &&
    (!integer || Number.isInteger(value)) &&
    // Digits may have been lost on the way here: let the reader look at the text.
    (Math.abs(value) <= Number.MAX_SAFE_INTEGER || !Number.isInteger(value)) &&
    (step === undefined || isMultiple(value, step))
}

/** Binary fractions are no certain ground: 0.3 % 0.1 is not 0. The validator, which counts in decimals, decides. */
function isMultiple(value: number, step: number): boolean {
  return step > 0 && Number.isSafeInteger(step) && Number.isSafeInteger(value) && value % step === 0
}

/** Length counts code points; a text has at least half as many of them as UTF-16 units. */
function isAtLeast(text: string, length: number): boolean {
  if (text.length < length) return false
  if (text.length >= 2 * length) return true
  let points = 0
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index)
    if (unit >= 0xd800 && unit < 0xdc00 && (text.charCodeAt(index + 1) & 0xfc00) === 0xdc00) index++
    points++
  }
  return points >= length
}

function arrayCheck(shape: ArrayShape): Check {
  const { minItems = 0, maxItems = Infinity } = shape
  const prefix = shape.prefix.map(checkOf)
  const rest = shape.items && checkOf(shape.items)
  return (value) => {
    if (!Array.isArray(value)) return false
    const { length } = value
    if (length < minItems || length > maxItems) return false
    let index = 0
    for (; index < prefix.length && index < length; index++) if (!prefix[index]!(value[index])) return false
    if (!rest) return index >= length
    for (; index < length; index++) if (!rest(value[index])) return false
    return true
  }
}

function objectCheck(shape: ObjectShape): Check {
  const names = [...shape.fields.keys()]
  const places = new Map(names.map((name, index) => [name, index]))
  const fields = [...shape.fields.values()].map((field) => checkOf(field.shape))
  const required = [...shape.fields.values()].map((field) => field.required)
  const rest = shape.additional && checkOf(shape.additional)
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
    let missing = shape.required
    let strangers = 0
    let known = 0
    let next = 0
    // One loop over what is there finds the required, the wrong and the surplus alike. Models mostly keep the order
    // of the schema, and then no name is looked up.
    for (const key in value) {
      const place = names[next] === key ? next : places.get(key)
      const part = (value as Record<string, unknown>)[key]
      if (place === undefined) {
        if (rest === false || !rest(part)) return false
        strangers++
      } else {
        known++
        if (!fields[place]!(part)) return false
        if (required[place]) missing--
        next = place + 1
      }
    }
    // A key that is no field may be one under another name: let the reader look.
    return missing === 0 && (strangers === 0 || known === names.length)
  }
}
