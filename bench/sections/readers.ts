import { XMLOutputParser } from '@langchain/core/output_parsers'
import { XMLParser } from 'fast-xml-parser'
import { Parser } from 'htmlparser2'
import { SaxesParser } from 'saxes'
import { names, type Section } from './document.ts'
import { legible, type TextEvent, type TextFormat } from './legible.ts'

/** Reads text that comes in chunks, takes note of each piece of a section, and gives the sections if they are kept. */
export interface StreamReader {
  name: string
  read: (chunks: Iterable<string>, keep?: boolean) => Section[]
  /** It keeps no contents, whatever is asked for: to be judged, they are put together from what it tells. */
  gather?: (chunks: Iterable<string>) => Section[]
}

/** Knows nothing of streams: it reads all the text so far again after each chunk. */
export interface WholeReader {
  name: string
  read: (text: string) => Section[] | Promise<Section[]>
  /** It takes away the space at the beginning of each line: this does not count as wrong. */
  dedents?: boolean
}

/** What a program does with a piece of a section, at the least. */
export let told = 0
function tell(text: string): void {
  told += text.length
}

/** And with the sections: a content that was put together from pieces must become one string to be used. */
export function use(sections: Section[]): Section[] {
  for (const { content } of sections) if (content !== '') told += content.charCodeAt(0)
  return sections
}

/** Where to put what is told, while a reader is judged. */
let gathered: Section[] | undefined

/** The only listener there is: with a second one for judging, calls of it could not be inlined, and time would be lost. */
function listen(event: TextEvent): void {
  if (event.type === 'section-delta') tell(event.text!)
  if (gathered) gather(gathered, event)
}

function gather(found: Section[], { type, name, text }: TextEvent): void {
  if (type === 'section-start') found.push({ name: name!, content: '' })
  if (type === 'section-delta') found.at(-1)!.content += text
}

const sections = names.map((name) => ({ name }))
const known = new Set(names)

export function readWithLegible(
  format: TextFormat,
  chunks: Iterable<string>,
  { events = true, keep = true }: { events?: boolean; keep?: boolean } = {},
): Section[] {
  const reader = format.createReader(sections, { keep, ...(events ? { onEvent: listen } : {}) })
  for (const chunk of chunks) reader.push(chunk)
  return reader.end().value!.sections()
}

function gatherEvents(format: TextFormat, chunks: Iterable<string>): Section[] {
  const found: Section[] = []
  gathered = found
  readWithLegible(format, chunks, { keep: false })
  gathered = undefined
  return found
}

function readWithHtmlparser2(chunks: Iterable<string>, keep = true): Section[] {
  const found: Section[] = []
  let open: Section | undefined
  const parser = new Parser(
    {
      onopentagname(name) {
        if (!open && known.has(name)) open = { name, content: '' }
      },
      ontext(text) {
        if (!open) return
        tell(text)
        if (keep) open.content += text
      },
      onclosetag(name) {
        if (open?.name !== name) return
        found.push(open)
        open = undefined
      },
    },
    { xmlMode: true, decodeEntities: false },
  )
  for (const chunk of chunks) parser.write(chunk)
  parser.end()
  return found
}

function readWithSaxes(chunks: Iterable<string>, keep = true): Section[] {
  const found: Section[] = []
  let open: Section | undefined
  const parser = new SaxesParser({ fragment: true, position: false })
  parser.on('opentag', ({ name }) => {
    if (!open && known.has(name)) open = { name, content: '' }
  })
  parser.on('text', (text) => {
    if (!open) return
    tell(text)
    if (keep) open.content += text
  })
  parser.on('closetag', ({ name }) => {
    if (open?.name !== name) return
    found.push(open)
    open = undefined
  })
  for (const chunk of chunks) parser.write(chunk)
  parser.close()
  return found
}

const xml = legible?.xml()

/** Readers that keep their place: the work of a chunk does not grow with what came before. */
export const streamReaders: StreamReader[] = [
  ...(xml === undefined
    ? []
    : [
        { name: 'legible', read: (chunks: Iterable<string>) => readWithLegible(xml, chunks) },
        {
          name: 'legible, events only',
          read: (chunks: Iterable<string>) => readWithLegible(xml, chunks, { keep: false }),
          gather: (chunks: Iterable<string>) => gatherEvents(xml, chunks),
        },
        {
          name: 'legible, parts only',
          read: (chunks: Iterable<string>) => readWithLegible(xml, chunks, { events: false }),
        },
      ]),
  { name: 'htmlparser2', read: readWithHtmlparser2 },
  { name: 'saxes', read: readWithSaxes },
]

type Ordered = Record<string, { '#text'?: string }[]>

function readWithFastXmlParser(parser: XMLParser, text: string): Section[] {
  const found: Section[] = []
  for (const node of parser.parse(text) as Ordered[]) {
    const name = Object.keys(node)[0]!
    if (known.has(name))
      found.push({ name, content: node[name]!.map((child) => child['#text'] ?? '').join('') })
  }
  return found
}

const fastOptions = { preserveOrder: true, processEntities: false, parseTagValue: false, trimValues: false }
const fast = new XMLParser(fastOptions)
// What is between these tags is not parsed, so that anything may stand there; but it must have ended.
const fastWithStops = new XMLParser({ ...fastOptions, stopNodes: names })

const langchain = new XMLOutputParser()

async function readWithLangchain(text: string): Promise<Section[]> {
  // It gives what is in one root.
  const { root } = (await langchain.parse(`<root>${text}</root>`)) as unknown as {
    root: Record<string, string>[]
  }
  return root.map((node) => {
    const [name, content] = Object.entries(node)[0]!
    return { name, content }
  })
}

const pattern = new RegExp(`<(${names.join('|')})>([\\s\\S]*?)</\\1>`, 'g')

function readWithRegex(text: string): Section[] {
  return Array.from(text.matchAll(pattern), ([, name, content]) => ({ name: name!, content: content! }))
}

export const wholeReaders: WholeReader[] = [
  { name: 'fast-xml-parser', read: (text) => readWithFastXmlParser(fast, text) },
  { name: 'fast-xml-parser, stopNodes', read: (text) => readWithFastXmlParser(fastWithStops, text) },
  { name: '@langchain/core XMLOutputParser', read: readWithLangchain, dedents: true },
  { name: 'a regular expression', read: readWithRegex },
]
