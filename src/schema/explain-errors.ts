import type { OutputUnit } from '@cfworker/json-schema'
import { closest, expectedGot, type Problem, valueAt } from './problem.ts'

/** Errors that only say that something below is wrong. */
const wholes = new Set(
  '$ref $recursiveRef properties patternProperties additionalProperties unevaluatedProperties items prefixItems additionalItems unevaluatedItems allOf if dependentSchemas'.split(
    ' ',
  ),
)

const requiredText = 'Instance does not have required property "'

/**
 * The validator's errors as problems that a model can act on: only what is wrong itself, and of a union only the
 * variant that the value comes closest to.
 */
export function explainErrors(errors: readonly OutputUnit[], root: unknown): Problem[] {
  const problems: Problem[] = []
  for (let index = 0; index < errors.length; ) {
    const error = errors[index] as OutputUnit
    const inside: OutputUnit[] = []
    const { keyword } = error
    const path = pathOf(error.instanceLocation, root)
    index++
    if (keyword === 'anyOf' || keyword === 'oneOf' || keyword === 'propertyNames' || keyword === 'contains') {
      // What follows belongs to it. (The validator puts the wrong place on boolean schemas.)
      for (; index < errors.length && belongs(errors[index] as OutputUnit, error); index++)
        inside.push(errors[index] as OutputUnit)
    }
    if (keyword === 'anyOf' || (keyword === 'oneOf' && error.error.includes('(0 '))) {
      problems.push(...explainUnion(error, inside, path, root))
    } else if (!wholes.has(keyword)) {
      const missing = keyword === 'required' && error.error.slice(requiredText.length, -2)
      problems.push({ path: missing === false ? path : [...path, missing], message: say(error, path, root) })
    }
  }
  return problems
}

function belongs(error: OutputUnit, to: OutputUnit): boolean {
  return (
    error.keyword === 'false' ||
    error.keywordLocation.startsWith(`${to.keywordLocation}/`) ||
    (to.keyword !== 'anyOf' &&
      to.keyword !== 'oneOf' &&
      error.keywordLocation.startsWith(to.keywordLocation) &&
      error.keyword !== to.keyword)
  )
}

function explainUnion(
  union: OutputUnit,
  inside: readonly OutputUnit[],
  path: readonly PropertyKey[],
  root: unknown,
): readonly Problem[] {
  const variants = new Map<string, OutputUnit[]>()
  let current = '0'
  for (const error of inside) {
    if (error.keyword !== 'false')
      current = error.keywordLocation.slice(union.keywordLocation.length + 1).split('/', 1)[0] as string
    const group = variants.get(current)
    if (group) group.push(error)
    else variants.set(current, [error])
  }
  const explained = [...variants.values()].map((errors) => explainErrors(errors, root))
  return closest(explained, path, root)
}

function say(error: OutputUnit, path: readonly PropertyKey[], root: unknown): string {
  const value = valueAt(root, path)
  const text = error.error
  switch (error.keyword) {
    case 'required':
      return 'is missing'
    case 'false':
      return 'is not allowed here'
    case 'type':
      return expectedGot(
        /Expected "(.*)"\.$/s.exec(text)?.[1]?.replaceAll('", "', ' or ') ?? 'another type',
        value,
      )
    case 'const':
      return expectedGot(text.slice('Instance does not match '.length, -1), value)
    case 'enum':
      return expectedGot(
        `one of ${text.slice('Instance does not match any of ['.length, -2).replaceAll(',', ', ')}`,
        value,
      )
    case 'oneOf':
      return 'fits more than one of the allowed forms'
    case 'pattern':
    case 'format': {
      const format = /format "(.*)"\.$/.exec(text)?.[1]
      return expectedGot(format ? `the format ${format}` : 'a text of the required pattern', value)
    }
    default:
      // "Array has too many items (3 > 2)." and the like are plain enough.
      return `${text.charAt(0).toLowerCase()}${text.slice(1)}`
        .replace(/^instance /, '')
        .replace('  ', ' ')
        .replace(/\.$/, '')
  }
}

/** `#/a~1b/0` as `['a/b', 0]`: a number only where the value has an array. */
function pathOf(pointer: string, root: unknown): PropertyKey[] {
  const path: PropertyKey[] = []
  let value = root
  for (const step of pointer.split('/').slice(1)) {
    const name = decodeURIComponent(step).replaceAll('~1', '/').replaceAll('~0', '~')
    const key = Array.isArray(value) ? Number(name) : name
    path.push(key)
    value = valueAt(value, [key])
  }
  return path
}
