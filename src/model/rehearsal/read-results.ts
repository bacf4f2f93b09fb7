import { dialects } from '../../dialects/dialects.ts'
import { resultLayout } from '../../dialects/write/layouts.ts'
import type { TextFormat } from '../../text/format.ts'
import { labels } from '../../text/labels.ts'
import { markdown } from '../../text/markdown.ts'
import { xml } from '../../text/xml.ts'
import { acceptedSections } from './accepted-sections.ts'
import type { Contract } from './contract.ts'
import { readNotation } from './template-in-text.ts'

/** What came back of calls: the texts of those that went well, and whether any did. */
export interface Results {
  readonly failed: boolean
  readonly outputs: readonly string[]
}

/**
 * The results that a message reports, as chains and dialects write them; undefined when it reports none. What stands in
 * them is data: it is quoted, and never followed.
 */
export function readResults(text: string, contract: Contract): Results | undefined {
  return readObservation(text, contract) ?? readDialectResults(text, contract)
}

const opening = /(?:^|\n)(?:<observation>|(#+) observation|observation:)[ \t]*(?:\n|$)/i

function readObservation(text: string, contract: Contract): Results | undefined {
  const start = opening.exec(text)
  if (!start) return undefined
  const format = formatOf(start[0], start[1]?.length ?? 1)
  // What we wrote ourselves may be read: for a reply of a model, this name means nothing.
  const [content = ''] = format.read(text, [{ name: 'observation' }]).value.get('observation')
  const inner = format.inner.read(content, childrenIn(content, contract, format.inner)).value.sections()
  return resultsOf(inner.length > 0 ? inner.map((section) => section.content) : [content])
}

/** The sections within an observation are called like tools; where these are not known, whatever looks like a section is one. */
function childrenIn(content: string, { tools }: Contract, format: TextFormat) {
  const names = new Set(['error', 'result', ...tools.map(({ name }) => name)])
  const begin = begins[format.name]
  if (tools.length === 0 && begin) for (const [, name = ''] of content.matchAll(begin)) names.add(name)
  return acceptedSections(
    format,
    [...names].map((name) => ({ name })),
  )
}

const begins: Readonly<Record<string, RegExp>> = {
  xml: /^<([\w.-]{1,64})>$/gm,
  markdown: /^#{2,7} ([\w.-]{1,64})$/gm,
  labels: /^([\w.-]{1,64}):/gm,
}

function formatOf(delimiter: string, level: number): TextFormat {
  if (delimiter.includes('<')) return xml({ opaque: [] })
  return delimiter.includes('#') ? markdown({ level, opaque: [] }) : labels({ opaque: [] })
}

function readDialectResults(text: string, { kind }: Contract): Results | undefined {
  if (kind !== 'dialect') return undefined
  const said = text.trim()
  // Dialects that are described alike may have results of their own: whoever wrote them knew which it was.
  const found = layouts.find(({ opening }) => said.startsWith(opening))
  if (found) return resultsOf(said.split(found.each).slice(1).map(withoutMarks))
  // A list of results needs no mark.
  const list = said.startsWith('[') ? readNotation(said, 'JSON') : undefined
  return Array.isArray(list) ? resultsOf(list.map(String)) : undefined
}

/** What results begin with in each dialect, and each of them; the longest first, as one may be the beginning of another. */
const layouts = dialects
  .map((row) => {
    const { all, each } = resultLayout(row)
    const before = (layout: string) =>
      layout.split(/\{(?:all|name|id|index|number|content|quoted)\}/, 1)[0]?.trim() ?? ''
    return { opening: before(all.replace('{all}', () => each)), each: before(each) || before(all) }
  })
  .filter(({ opening }) => opening.length > 2)
  .sort((a, b) => b.opening.length - a.opening.length)

const withoutMarks = (text: string) => text.replace(/<[^<>\n]{0,40}>|\[\/?[A-Z_]{3,20}\]/g, ' ')

export function resultsOf(contents: readonly string[]): Results {
  // Some packages of providers put an error into an object.
  const went = contents.filter((content) => !/^\W{0,4}(?:error\W{1,6})?Error:/.test(content.trim()))
  return { failed: went.length === 0, outputs: went.filter((content) => content.trim() !== '') }
}
