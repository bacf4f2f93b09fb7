import type { Span } from '../../core/span.ts'

/** A piece of a prompt; spans are places in its text. */
export type PromptPart =
  | { readonly kind: 'text'; readonly text: string; readonly span: Span }
  /** `form`: written as `$name`, `${name}` or, in older files, `{{name}}`. */
  | {
      readonly kind: 'variable'
      readonly name: string
      readonly form: 'plain' | 'braced' | 'old'
      readonly span: Span
    }
  /** It is written like a variable, and none has this name. */
  | { readonly kind: 'unknown'; readonly name: string; readonly span: Span }

/** The names of variables: a set of them, or a map by them. */
type Names = Pick<ReadonlySet<string>, 'has'>

const found = /\$(?:\$|\{([A-Za-z_][\w-]*)\}|([A-Za-z_][\w-]*))|\{\{[ \t]*([A-Za-z_][\w-]*)[ \t]*\}\}/g

/** A name may have more dashes; a variable with dashes of the text behind it is found at one of the first. */
const MOST_DASHES = 32

/**
 * The pieces of a prompt, given the names of all variables. `$$` is a dollar. A dash may belong to a name or to the text,
 * so the longest name that exists is taken: `$words-long` is `$words` and `-long` unless there is a `words-long`. Letters,
 * digits and `_` always belong to the name: `$topics` is never `$topic` and an s, as a name with a slip would go unseen
 * then. `${topic}s` says where a name ends. Names in braces that do not exist are text: they may be code.
 */
export function promptParts(prompt: string, names: Names): PromptPart[] {
  const parts: PromptPart[] = []
  let text = ''
  let from = 0
  let at = 0
  const endText = (end: number): void => {
    if (end > from) parts.push({ kind: 'text', text: text + prompt.slice(at, end), span: [from, end] })
    text = ''
  }
  for (const match of prompt.matchAll(found)) {
    const [all, braced, plain, old] = match
    const start = match.index
    if (all === '$$') {
      text += prompt.slice(at, start + 1)
      at = start + 2
      continue
    }
    const inBraces = braced ?? old
    if (inBraces !== undefined && !names.has(inBraces)) continue
    endText(start)
    const name = inBraces ?? longestName(plain as string, names)
    const end = plain === undefined ? start + all.length : start + 1 + (name ?? plain).length
    const span: Span = [start, end]
    if (name === undefined) parts.push({ kind: 'unknown', name: plain as string, span })
    else parts.push({ kind: 'variable', name, form: braced ? 'braced' : old ? 'old' : 'plain', span })
    from = end
    at = end
  }
  endText(prompt.length)
  return parts
}

/** Of all beginnings of a word that end at a dash, and the word itself, the longest that is a name. */
function longestName(word: string, names: Names): string | undefined {
  if (names.has(word)) return word
  const ends: number[] = []
  for (
    let dash = word.indexOf('-');
    dash >= 0 && ends.length < MOST_DASHES;
    dash = word.indexOf('-', dash + 1)
  )
    ends.push(dash)
  const end = ends.findLast((one) => names.has(word.slice(0, one)))
  return end === undefined ? undefined : word.slice(0, end)
}
