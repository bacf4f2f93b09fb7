import { flat } from '../chunks.ts'
import { type Random, randomFrom } from '../random.ts'

export const names = ['thinking', 'action', 'observation', 'answer']

export interface Section {
  name: string
  content: string
}

/**
 * `raw`: as models write, with `<` and `&` in prose and code, tags that are talked about, and fences.
 * `tame`: none of these, so that a reader of real XML can read it as well.
 */
export type Kind = 'raw' | 'tame'

/** Sections, and what the model says between them: that has no name. */
interface Piece {
  name: string | undefined
  content: string
}

/** How sections are written. */
export type Notation = 'xml' | 'markdown' | 'labels'

export interface Document {
  label: string
  text: string
  sections: Section[]
}

const made = new Map<string, Document>()

/** The transcript of an agent that takes about this many kilobytes as XML. The same arguments always give the same. */
export function documentOf(kilobytes: number, kind: Kind, notation: Notation = 'xml'): Document {
  const key = `${kilobytes} ${kind} ${notation}`
  const known = made.get(key)
  if (known !== undefined) return known
  const pieces = makePieces(kilobytes * 1000, kind)
  // Behind a header or a label everything is content: there is no text between sections.
  const used = notation === 'xml' ? pieces : pieces.filter(({ name }) => name !== undefined)
  const document = {
    label: kilobytes < 1000 ? `${kilobytes} KB` : `${kilobytes / 1000} MB`,
    text: flat(used.map((piece) => write(piece, notation)).join(notation === 'xml' ? '\n' : '\n\n')),
    sections: pieces.filter((piece): piece is Section => piece.name !== undefined),
  }
  made.set(key, document)
  return document
}

/** One answer that takes this many kilobytes. */
export function longAnswerOf(kilobytes: number): Document {
  const random = randomFrom(2)
  const sentences: string[] = []
  for (let length = 0; length < kilobytes * 1000; length += sentences.at(-1)!.length + 1)
    sentences.push(sentence(random, 'tame'))
  const section = { name: 'answer', content: sentences.join('\n') }
  return { label: `${kilobytes} KB`, text: flat(write(section, 'xml')), sections: [section] }
}

function write({ name, content }: Piece, notation: Notation): string {
  if (name === undefined) return content
  if (notation === 'xml') return `<${name}>\n${content}\n</${name}>`
  const title = name.slice(0, 1).toUpperCase() + name.slice(1)
  if (notation === 'markdown') return `# ${title}\n${content}`
  return `${title}:${content.includes('\n') ? '\n' : ' '}${content}`
}

function makePieces(characters: number, kind: Kind): Piece[] {
  const random = randomFrom(1)
  const pieces: Piece[] = []
  let length = 0
  const add = (name: string | undefined, content: string) => {
    pieces.push({ name, content })
    length += content.length + (name === undefined ? 1 : 2 * name.length + 8)
  }
  while (length < characters - 400) {
    const steps = 2 + Math.floor(random() * 4)
    for (let i = 0; i < steps && length < characters - 400; i++) {
      add('thinking', prose(random, kind, 2 + Math.floor(random() * 5)))
      if (random() < 0.2) add(undefined, pick(random, asides))
      add('action', action(random, kind))
      add('observation', observation(random, kind))
    }
    add('answer', answer(random, kind))
  }
  return pieces
}

function pick<T>(random: Random, list: readonly T[]): T {
  return list[Math.floor(random() * list.length)]!
}

function prose(random: Random, kind: Kind, sentences: number): string {
  const lines: string[] = []
  for (let i = 0; i < sentences; i++) lines.push(sentence(random, kind))
  return random() < 0.3 ? lines.map((line) => `- ${line}`).join('\n') : lines.join(' ')
}

function sentence(random: Random, kind: Kind): string {
  const thing = pick(random, things)
  const other = pick(random, things)
  if (kind === 'raw' && random() < 0.25) return pick(random, hostile).replaceAll('%', thing)
  return pick(random, [
    `The ${thing} is read before the ${other}, so the order of the two matters here.`,
    `I should look at the ${thing} first — it doesn't say anything about the ${other}.`,
    `"${thing}" occurs ${2 + Math.floor(random() * 90)} times, mostly near the ${other}.`,
    `If the ${thing} were wrong, the ${other} would have failed as well.`,
    `Next: compare the ${thing} with the ${other}, then decide.`,
  ])
}

function action(random: Random, kind: Kind): string {
  const call = {
    tool: pick(random, ['search', 'read_file', 'edit_file', 'run_tests']),
    arguments: {
      path: `src/${pick(random, files)}`,
      query: kind === 'raw' && random() < 0.4 ? pick(random, queries) : pick(random, things),
      limit: 5 + Math.floor(random() * 40),
      recursive: random() < 0.5,
      note: sentence(random, kind),
    },
  }
  return JSON.stringify(call, null, random() < 0.7 ? 2 : 0)
}

function observation(random: Random, kind: Kind): string {
  if (random() < 0.35) return code(random, kind)
  const count = 2 + Math.floor(random() * 6)
  const lines = Array.from({ length: count }, () => {
    const place = `src/${pick(random, files)}:${1 + Math.floor(random() * 400)}`
    return `${place}: ${kind === 'raw' && random() < 0.3 ? pick(random, queries) : sentence(random, 'tame')}`
  })
  return lines.join('\n')
}

function answer(random: Random, kind: Kind): string {
  const text = prose(random, kind, 3 + Math.floor(random() * 6))
  if (random() < 0.5) return text
  const fence = kind === 'raw' ? '```' : ''
  return `${text}\n\n${fence && `${fence}ts\n`}${code(random, kind)}${fence && `\n${fence}`}\n\n${sentence(random, kind)}`
}

function code(random: Random, kind: Kind): string {
  return pick(random, kind === 'raw' ? rawCode : tameCode).replaceAll(
    '%',
    pick(random, things).replace(' ', '_'),
  )
}

const things = [
  'cache',
  'lock file',
  'retry loop',
  'parser',
  'test',
  'time-out',
  'index',
  'queue',
  'header',
  'façade',
]
const files = ['cache/store.ts', 'queue/worker.ts', 'http/client.ts', 'parse/tokens.ts', 'index.ts']
const asides = [
  'I will look that up.',
  'Let me check the file before I change it.',
  'This should take less than a minute.',
]
const hostile = [
  'It fails when n < 3 && the % is empty, so the guard must be <= and not <.',
  'The type is Map<string, %[]>, and not Array<%> as I thought.',
  'I shall put the result into `<answer>` only when the % is done.',
  'The page has <br> and <div class="%"> where the R&D team expected &amp; signs.',
  'In the loop for (i=0; i<n; i++) the % is read twice -> slow.',
]
const queries = [
  'Promise<void>',
  'a && b',
  '<input type="text">',
  'if (x<y)',
  '</div>',
  'Record<string, unknown>',
]
const tameCode = [
  'export function read_%(items) {\n  let total = 0\n  for (const item of items) {\n    total += item.size\n  }\n  return total\n}',
  'const % = await open("%.json")\nawait %.write({ ok: true, count: 3 })\n  .then(() => undefined)',
]
const rawCode = [
  'export function find<T>(%: Map<string, T>, key: string): T | undefined {\n  for (let i = 0; i < 10 && i<%.size; i++) {\n    if (%.has(key)) return %.get(key)\n  }\n  return undefined\n}',
  'const html = items.map((item) => "<li class=%>" + item + "</li>").join("<br>")\nif (html.length >> 2 < 5 && html) send(html)',
  '<form action="/%">\n  <input name="q">\n  <p>Search &amp; replace\n</form>',
  ...tameCode,
]
