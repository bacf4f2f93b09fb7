/** What a schema has against a value, and where. */
export interface Problem {
  readonly path: readonly PropertyKey[]
  /** Goes after the path: `expected a number, got "warm"`. */
  readonly message: string
}

/** `expected a number, got "warm"`. `expected` may be a bare type name, or come with its article. */
export function expectedGot(expected: string, value: unknown): string {
  const name = expected === 'int' ? 'integer' : expected
  const said =
    /^[a-z]+$/.test(name) && name !== 'null' ? `${/^[aeio]/.test(name) ? 'an' : 'a'} ${name}` : name
  return value === undefined ? `is missing; expected ${said}` : `expected ${said}, got ${shown(value)}`
}

/** A value in a few words: what the model wrote when it is short, what kind of thing it is when not. */
function shown(value: unknown): string {
  if (typeof value === 'string') return JSON.stringify(value.length > 40 ? `${value.slice(0, 40)}…` : value)
  if (Array.isArray(value)) return 'an array'
  return typeof value === 'object' && value !== null ? 'an object' : String(value)
}

export function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  let found = value
  for (const key of path) {
    if (typeof found !== 'object' || found === null || !Object.hasOwn(found, key)) return undefined
    found = (found as Record<PropertyKey, unknown>)[key]
  }
  return found
}

/** Of what the variants of a union at `path` have against a value, that of the one it comes closest to. */
export function closest(
  explained: readonly (readonly Problem[])[],
  path: readonly PropertyKey[],
  root: unknown,
): readonly Problem[] {
  // A variant that has nothing against the value itself, only against its parts, is the one that was meant. A tag
  // that is wrong speaks against it.
  const meant = explained
    .filter((problems) => problems.every((problem) => problem.path.length > path.length))
    .map((problems) => ({ problems, cost: problems.length + 10 * problems.filter(isTag).length }))
    .sort((one, other) => one.cost - other.cost)
  const [best, next] = meant
  if (best && (!next || best.cost < next.cost)) return best.problems
  const wishes = explained.flatMap((problems) =>
    problems.filter((problem) => problem.path.length === path.length),
  )
  const kinds = wishes.map(
    (problem) => /^(?:is missing; )?expected (.*?)(?:, got .*)?$/s.exec(problem.message)?.[1],
  )
  if (!best && kinds.length > 0 && kinds.every((kind) => kind !== undefined))
    return [{ path, message: expectedGot([...new Set(kinds)].join(' or '), valueAt(root, path)) }]
  return (
    best?.problems ?? [{ path, message: `fits none of the allowed forms, got ${shown(valueAt(root, path))}` }]
  )
}

function isTag(problem: Problem): boolean {
  return problem.message.startsWith('expected "')
}
