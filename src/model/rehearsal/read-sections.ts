import type { TextFormat } from '../../text/format.ts'
import { labels } from '../../text/labels.ts'
import { markdown } from '../../text/markdown.ts'
import { xml } from '../../text/xml.ts'
import { acceptedSections } from './accepted-sections.ts'
import type { AskedSection, Contract, OfferedTool } from './contract.ts'
import { endOfTools, readTools } from './read-tools.ts'
import { templateInText } from './template-in-text.ts'

/** What a prompt wants, and where it says so: all that stands elsewhere is not about the form of the reply. */
export interface FoundContract {
  readonly contract: Contract
  readonly start: number
  readonly end: number
}

interface Block {
  readonly name: string
  readonly prompt: string
}

const opening =
  /Structure your reply in (?:sections|parts)\. Each (?:section|part) (stands between an opening and a closing tag|begins with a header alone on its line|begins with its label at the beginning of a line), like this:\n\n/
const closing =
  /(?:^|\n\n)Write the (?:tags|headers|labels) exactly as shown[^\n]*((?:\n(?:Always needed|May be left out|May stand several times): [^\n]*)*)/

/** The sections that a prompt asks for, in whichever format. */
export function readSections(text: string): FoundContract | undefined {
  const start = opening.exec(text)
  if (!start) return undefined
  const from = start.index + start[0].length
  const end = closing.exec(text.slice(from))
  const body = text.slice(from, end ? from + end.index : text.length)
  const { format, blocks: shown } = start[1]?.startsWith('stands')
    ? { format: xml(), blocks: tagBlocks(body) }
    : start[1]?.includes('header')
      ? headerBlocks(body)
      : { format: labels(), blocks: labelBlocks(body) }
  const blocks = acceptedSections(format, shown)
  if (blocks.length === 0) return undefined
  const notes = end?.[1] ?? ''
  const stop = end ? from + end.index + end[0].length : text.length
  const found = (contract: Contract, at = stop) => ({ contract, start: start.index, end: at })
  const names = blocks.map(({ name }) => name)
  if (names[0] === 'Intent' && names[1] === 'Plan') {
    const tools = readTools(text.slice(stop))
    const dependsOn = text.slice(start.index).includes('dependsOn')
    return found({ kind: 'plan', tools, dependsOn }, tools.length > 0 ? endOfTools(text, stop) : stop)
  }
  return found(sectionsContract(format, blocks, notes))
}

// <thinking>
// Think step by step.
// </thinking>
function tagBlocks(body: string): Block[] {
  const blocks: Block[] = []
  let rest = body
  for (;;) {
    const [open, name = ''] = /^\s*<([^<>\n]+)>\n/.exec(rest) ?? []
    if (open === undefined) return blocks
    const close = `\n</${name}>`
    const end = rest.indexOf(close, open.length - 1)
    if (end < 0) return blocks
    blocks.push({ name, prompt: rest.slice(open.length, end) })
    rest = rest.slice(end + close.length)
  }
}

function headerBlocks(body: string): { format: TextFormat; blocks: Block[] } {
  const level = /^#+/.exec(body)?.[0].length ?? 1
  const header = new RegExp(`(?:^|\\n\\n)#{${level}} ([^\\n]+)\\n`, 'g')
  return { format: markdown({ level }), blocks: splitAt(body, header, () => true) }
}

// Within the section of a tool chain stand lines that look like labels and are none.
const ofChain =
  /^(?:One call, in (?:JSON|YAML)|Several calls at once, as a list; they run at the same time|Write nothing but the (?:JSON|YAML)\. The tools)$/

function labelBlocks(body: string): Block[] {
  return splitAt(body, /(?:^|\n\n)([^\n:]+):(?: |\n)/g, (name, rest) => {
    if (ofChain.test(name)) return false
    return !/^[^\n]*\n {2}(?:args: |It takes no arguments\.)/.test(rest)
  })
}

function splitAt(body: string, begin: RegExp, isBlock: (name: string, rest: string) => boolean): Block[] {
  const found = [...body.matchAll(begin)].filter((match) =>
    isBlock(match[1] ?? '', body.slice(match.index + match[0].length)),
  )
  return found.map((match, i) => ({
    name: match[1] as string,
    prompt: body.slice(match.index + match[0].length, found[i + 1]?.index ?? body.length),
  }))
}

function sectionsContract(format: TextFormat, blocks: readonly Block[], notes: string): Contract {
  const optional = new Set(/May be left out: ([^\n]*)\./.exec(notes)?.[1]?.split(', '))
  let tools: OfferedTool[] = []
  const asked = blocks.map(({ name, prompt }): AskedSection => {
    const common = { name, optional: optional.has(name) }
    const [, chain] = /(?:^|\n)One call, in (JSON|YAML):\n/.exec(prompt) ?? []
    if (chain !== undefined || /(?:^|\n)There are no tools yet\.$/.test(prompt)) {
      tools = [...tools, ...readTools(prompt)]
      return { ...common, holds: 'calls', answers: false, notation: chain === 'YAML' ? 'YAML' : 'JSON' }
    }
    const template = templateInText(prompt)
    const answers = /\bfinal answer\b/i.test(prompt)
    if (!template) return { ...common, holds: 'text', answers, notation: 'JSON' }
    return { ...common, holds: 'value', answers, notation: template.notation, template }
  })
  return { kind: 'sections', format, sections: withAnswer(asked), tools }
}

/** Where a chain stands, one of the sections ends the work. Its prompt says so, or its name, or that it comes last. */
function withAnswer(sections: readonly AskedSection[]): AskedSection[] {
  if (sections.some((section) => section.answers) || !sections.some(({ holds }) => holds === 'calls'))
    return [...sections]
  const others = sections.filter(({ holds }) => holds !== 'calls')
  const named = others.find(({ name }) => /answer|final|result|output|report|reply|response/i.test(name))
  const last = others.length > 1 || others[0]?.holds === 'value' ? others.at(-1) : undefined
  const answer = named ?? last
  return sections.map((section) => (section === answer ? { ...section, answers: true } : section))
}
