import { literally } from './marks.ts'

/** A tag with places for a name or a key in it, as in `<function={name}>`: how it is found, and how it is read. */
export interface Template {
  /** The beginning that is always the same: what is looked for. */
  readonly lead: string
  /** What the tag ends with. */
  readonly close: string
  /** Matches at one place only. What stands in the places, `placeIn` tells. */
  readonly pattern: RegExp
}

/** A tag that is longer than this is none. */
const LONGEST_TAG = 400

const word = /(?: (?:name|key|tool))?=?["']?\{|\s/
const parts = /(?: (?:name|key|tool))?=(?=["']?\{)|(["']?)\{(\w+)\}\1|\s+|[\\^$.*+?()[\]{}|/]/g

/**
 * `{name}` and `{key}` stand for a word, `{attributes}` for anything else up to the end of the tag. Models put space
 * around words, leave quotes out, and write `name=` where others write `=`; so all of these are read.
 */
export function template(source: string): Template {
  const [lead = ''] = source.split(word, 1)
  const rest = source.slice(lead.length)
  const close = /[^}]*$/.exec(rest)?.[0].replace(/^["']/, '') ?? ''
  const pattern = rest.replace(parts, (found, quote, place) => {
    if (found.endsWith('=')) return '\\s*(?<attribute>name|key|tool)?\\s*='
    if (place === 'attributes') return '(?<attributes>[^<>]*?)'
    if (place !== undefined) {
      const bare = quote === '' ? '[^<>{}\\n]{0,199}?' : '[^\\s"\'<>{}|]{0,199}'
      return `\\s*(?:"(?<${place}>[^"<>]{1,200})"|'(?<${place}2>[^'<>]{1,200})'|(?<${place}3>[^"'<>|=/\\s{}]${bare}))\\s*`
    }
    return /\s/.test(found) ? '(?:\\s|\\\\n)*' : `\\${found}`
  })
  return { lead, close, pattern: new RegExp(literally(lead) + pattern, 'uy') }
}

type Groups = Readonly<Record<string, string | undefined>>

/** What stands in the places of a template at `at`; `wait`: the tag is not there as a whole yet. */
export function matchTemplate(
  { lead, close, pattern }: Template,
  text: string,
  at: number,
  ending: boolean,
): { readonly groups: Groups; readonly end: number } | 'wait' | undefined {
  if (!text.startsWith(lead, at))
    return !ending && text.length - at < lead.length && lead.startsWith(text.slice(at)) ? 'wait' : undefined
  pattern.lastIndex = at
  const groups = pattern.exec(text)?.groups
  if (groups) return { groups, end: pattern.lastIndex }
  const ended = text.indexOf(close === '' ? '>' : close, at + lead.length) >= 0
  return !ending && !ended && text.length - at < LONGEST_TAG ? 'wait' : undefined
}

export function placeIn(groups: Groups, place: string): string {
  return (groups[place] ?? groups[`${place}2`] ?? groups[`${place}3`] ?? '').trim()
}
