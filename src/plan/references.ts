/** A place in a text where the result of a call goes. */
export interface Reference {
  /** As it was written: `{{1.items.0}}`. */
  readonly written: string
  /** The call. Absent: there is none that could be meant. */
  readonly id?: string
  /** Where in its result. */
  readonly path: readonly string[]
}

/** So many unknown ones are told of one call: they have one cause. */
export const MOST_TOLD = 4

// Bounded, and without braces in it: each character is looked at a few times at most.
const marks = /\\?\{\{([^{}\n]{1,256})\}\}/g

/**
 * A text as what stands there and what is to be put there. `\{{1}}` is the text `{{1}}`; so is what cannot be meant as a
 * reference, as `{{#if}}`.
 */
// weather of {{1.items.0.city}} today
//            ^^^^^^^^^^^^^^^^^^
export function* splitReferences(text: string, ids: readonly string[]): Generator<string | Reference> {
  let plain = ''
  let at = 0
  for (const match of text.matchAll(marks)) {
    const [written, inner = ''] = match
    const reference = referenceOf(written, inner.trim(), ids)
    if (!reference) continue
    plain += text.slice(at, match.index)
    at = match.index + written.length
    if (written.startsWith('\\')) {
      plain += written.slice(1)
      continue
    }
    if (plain !== '') yield plain
    plain = ''
    yield reference
  }
  plain += text.slice(at)
  if (plain !== '' || text === '') yield plain
}

function referenceOf(written: string, inner: string, ids: readonly string[]): Reference | undefined {
  let id: string | undefined
  // An id may have dots in it: the longest that fits is meant.
  for (const one of ids)
    if (inner.startsWith(one) && isEnd(inner[one.length]) && one.length > (id?.length ?? 0)) id = one
  if (id !== undefined) return { written, id, path: pathOf(inner.slice(id.length)) }
  return /^[\w:-]+(?:[.[]\S*)?$/.test(inner) ? { written, path: [] } : undefined
}

const isEnd = (character: string | undefined) =>
  character === undefined || character === '.' || character === '['

/** `.items.0` and `.items[0]` are the same. */
function pathOf(text: string): string[] {
  return text
    .split(/[.[\]]/)
    .map((key) => key.trim().replace(/^(["'])(.*)\1$/, '$2'))
    .filter((key) => key !== '')
}

/** The calls whose results the strings of a value use, and references to none; of these, a few. */
export function findReferences(
  value: unknown,
  ids: readonly string[],
): { readonly used: ReadonlySet<string>; readonly unknown: ReadonlySet<string> } {
  const used = new Set<string>()
  const unknown = new Set<string>()
  // Values that a program has made may have circles in them.
  const open = new Set<unknown>([value])
  for (const one of open) {
    if (typeof one === 'string') {
      for (const piece of splitReferences(one, ids)) {
        if (typeof piece === 'string') continue
        if (piece.id !== undefined) used.add(piece.id)
        else if (unknown.size < MOST_TOLD) unknown.add(piece.written)
      }
    } else if (typeof one === 'object' && one !== null)
      for (const inner of Object.values(one)) open.add(inner)
  }
  return { used, unknown }
}
