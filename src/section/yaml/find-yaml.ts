import { type Document, parseAllDocuments, type YAMLError } from 'yaml'
import type { Issue } from '../../core/issue.ts'
import { defaultLimits, type Limits } from '../../core/limits.ts'
import type { Span } from '../../core/span.ts'
import type { EmbeddedZone } from '../embedded-place.ts'
import { embeddedZones, fill, zoneAt } from '../embedded-zones.ts'
import type { EmbeddedValue, FoundValue, FoundValues } from '../found-value.ts'
import { sectionIssues } from '../issues.ts'
import { blankReasoning } from './blank-reasoning.ts'
import { mendYaml } from './mend-yaml.ts'
import {
  type KnownKey,
  linesOf,
  noKey,
  startsYaml,
  type YamlBodies,
  type YamlBody,
  yamlBodies,
} from './yaml-body.ts'
import { YamlValue } from './yaml-value.ts'

/** Documents that are looked at. */
const MAX_DOCUMENTS = 64

export interface FindYamlOptions {
  /** What the section is called, in issues. */
  readonly section: string
  /** Which keys the value may begin with: what else stands there is prose. */
  readonly known?: KnownKey | undefined
  /** Text without structure is a value too; `only`: nothing else is, whatever the text looks like. */
  readonly scalar?: boolean | 'only' | undefined
  /** What is only shown is none of the values: in a fence with words around it, in inline code, in quotes. */
  readonly embeds?: boolean
  readonly limits?: Limits
}

/** Finds the YAML values of a text: alone or in prose, in fences, clean or damaged, in one document or several. */
export function findYaml(content: string, options: FindYamlOptions): FoundValues {
  const { section, scalar = false, embeds = false, limits = defaultLimits } = options
  const { maxYamlLength: limit } = limits
  const known = scalar === 'only' ? noKey : options.known
  const issues: Issue[] = []
  const text = content.length > limit ? content.slice(0, limit) : content
  if (text !== content)
    issues.push(sectionIssues.issue('too_long', { limit }, { span: [limit, content.length] }))
  const { text: said, hidden, embedded: commented } = blankReasoning(text, known)
  for (const span of hidden) issues.push(sectionIssues.issue('inside_reasoning', {}, { span }))
  const { bodies, prose, parted, embedded } = embeds ? meantBodies(said, known) : shownBodies(said, known)
  embedded.push(...commented)
  const values: FoundValue[] = []
  for (const body of bodies) {
    const read =
      scalar === 'only' ? readText(said, body, section, limits) : readBody(said, body, section, limits)
    issues.push(...read.issues)
    values.push(...read.values)
  }
  const [first] = bodies
  const last = bodies.at(-1)
  if (first && last && (prose || first.fence))
    issues.push(
      sectionIssues.issue(
        'surrounded',
        { by: first.fence ? 'fence' : 'prose' },
        { span: [first.span[0], last.span[1]] },
      ),
    )
  if (values.length > 0 || issues.some((issue) => issue.severity === 'error'))
    return { values, parted, issues, embedded }
  // Tags that hide nothing may be part of a text.
  const rest = hidden.length > 0 ? said : text
  if (scalar && rest.trim() !== '') {
    const start = rest.length - rest.trimStart().length
    const body: YamlBody = { span: [start, rest.trimEnd().length] }
    const read =
      scalar === 'only' ? readText(rest, body, section, limits) : readBody(rest, body, section, limits)
    // A directive is neither a value nor an error.
    if (read.values.length > 0 || read.issues.length > 0)
      return { ...read, issues: [...issues, ...read.issues], embedded }
  }
  const problem = text.trim() === '' ? 'it is empty' : 'there is nothing but prose'
  issues.push(sectionIssues.issue('invalid_yaml', { section, problem }, { span: [0, content.length] }))
  return { values, parted, issues, embedded }
}

interface Found extends YamlBodies {
  readonly embedded: EmbeddedValue[]
}

const shownBodies = (text: string, known: KnownKey | undefined): Found => ({
  ...yamlBodies(text, known),
  embedded: [],
})

/** The bodies of a text that are not only shown. */
function meantBodies(text: string, known: KnownKey | undefined): Found {
  const embedded: EmbeddedValue[] = []
  let said = text
  let found = yamlBodies(text, known)
  const fences = found.bodies.map(({ fence }) => fence).filter((fence) => fence !== undefined)
  if (fences.length > 0 && found.prose) {
    for (const { span } of found.bodies)
      if (linesOf(text.slice(...span)).some((line) => startsYaml(line, known)))
        embedded.push({ where: 'fence', span })
    said = fill(text, fences)
    found = { ...yamlBodies(said, known, false), prose: true }
  }
  const zones = embeddedZones(
    fill(said, fences),
    found.bodies.map(({ span }) => span),
  )
  const shown = new Set<EmbeddedZone>()
  const bodies = found.bodies.filter(({ span }) => {
    const zone = zoneAt(zones, span[0])
    if (!zone) return true
    shown.add(zone)
    embedded.push({ where: zone.where, span })
    return false
  })
  for (const zone of zones) if (!shown.has(zone) && beginsCall(said, zone.span, known)) embedded.push(zone)
  return { ...found, bodies, prose: found.prose || shown.size > 0, embedded }
}

// `tool: search`
// ^
function beginsCall(text: string, [start, end]: Span, known: KnownKey | undefined): boolean {
  const [marks = ''] = /^[`"'“„«>\s]*/.exec(text.slice(start, end)) ?? []
  const from = start + marks.length
  // What looks like quotes around a flow may end at one of its own.
  const isFlow = /[{[]/.test(text[from] ?? '')
  const piece = text.slice(from, Math.min(isFlow ? text.length : end, from + 80))
  const [, key] = /^[{[\s]*["']?([\w-]+)["']?\s*:/.exec(piece) ?? []
  return key !== undefined && known?.(key) === true
}

/** One scalar of YAML, or else plain text as it stands. */
function readText(content: string, body: YamlBody, section: string, limits: Limits): FoundValues {
  const read = readBody(content, body, section, limits)
  const [first, second] = read.values
  const isScalar = first && !second && typeof first.at([]) !== 'object'
  if (isScalar && read.issues.length === 0) return read
  const { span } = body
  const text = content.slice(...span)
  const value = { span, complete: true, issues: [], at: () => text, spanAt: () => span, textAt: () => text }
  return { values: [value], parted: false, issues: [] }
}

function readBody(
  content: string,
  { span: [start, end] }: YamlBody,
  section: string,
  { maxDepth }: Limits,
): FoundValues {
  const text = content.slice(start, end)
  const plain = parse(text)
  const issues: Issue[] = []
  if (plain.errors.length === 0 && !plain.doubtful) {
    const values = plain.documents.map(
      (one) => new YamlValue(one, text, (offset) => start + offset, undefined, maxDepth),
    )
    return { values, parted: false, issues }
  }
  const mended = mendYaml(text)
  const again = parse(mended.text)
  // A line that was fine may have been taken for a broken one; then the text is better as it was.
  const better = again.errors.length < plain.errors.length || (again.errors.length === 0 && plain.doubtful)
  const best = better ? again : plain
  // The parser may point behind the text.
  const place = (offset: number) => Math.min(end, start + (better ? mended.origin(offset) : offset))
  if (better)
    for (const issue of mended.issues) {
      const [from, to] = issue.span ?? [0, 0]
      issues.push({ ...issue, span: [start + from, start + to] })
    }
  // The first error is the cause of most others.
  for (const { message, pos } of best.errors.slice(0, 1)) {
    const span = [place(pos[0]), place(pos[1])] as const
    const line = content.slice(0, span[0]).split('\n').length
    const problem = `line ${line}: ${message.charAt(0).toLowerCase()}${message.slice(1)}`
    issues.push(sectionIssues.issue('invalid_yaml', { section, problem }, { span }))
  }
  const raw = better ? mended.text : text
  const cut = better && mended.cut !== undefined ? start + mended.cut : undefined
  return {
    values: best.documents.map((one) => new YamlValue(one, raw, place, cut, maxDepth)),
    parted: false,
    issues,
  }
}

interface Parsed {
  readonly documents: Document.Parsed[]
  readonly errors: readonly Pick<YAMLError, 'message' | 'pos'>[]
  /** Text that stands for itself may have been taken for a tag. */
  readonly doubtful: boolean
}

function parse(text: string): Parsed {
  try {
    const found = parseAllDocuments(text, { uniqueKeys: false, logLevel: 'silent', prettyErrors: false })
    const all = 'empty' in found ? [] : found.slice(0, MAX_DOCUMENTS)
    const documents = all.filter((one) => one.contents !== null)
    return {
      documents,
      errors: all.flatMap((one) => one.errors),
      doubtful: all.some((one) => one.warnings.length > 0),
    }
  } catch (error) {
    // Only nesting without measure gets here.
    const message = error instanceof RangeError ? 'it is nested too deeply' : 'it cannot be read'
    return { documents: [], errors: [{ message, pos: [0, text.length] }], doubtful: false }
  }
}
