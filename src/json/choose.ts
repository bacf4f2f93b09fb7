import type { Issue } from '../core/issue.ts'
import type { Limits } from '../core/limits.ts'
import { fits } from '../schema/fits.ts'
import type { Shape } from '../schema/shape.ts'
import { coerce, startCoercion } from './coerce/coerce.ts'
import type { Coercion } from './coerce/coercion.ts'
import { BARE_TEXT, costs, EMPTY_IN_PROSE, INCOMPLETE, NEARLY_FREE, SCALARS_IN_PROSE } from './costs.ts'
import { jsonIssues } from './issues.ts'
import { locate, placesOf } from './locate.ts'
import { parseStrict } from './parse-strict.ts'
import type { Candidate, Findings } from './scanner.ts'

/** The value that was chosen among those of a text, fitted to the shape. */
export interface Choice {
  readonly value: unknown
  readonly candidate: Candidate
  readonly coercion: Coercion
  /** How it was found and what was repaired; how it was fitted, the coercion knows. */
  readonly issues: Issue[]
}

interface Weighed {
  readonly candidate: Candidate
  readonly coercion: Coercion
  readonly value: unknown
  readonly cost: number
}

/** Weighs the values of a text and takes the one that costs least; of equals, the last. */
export function choose(findings: Findings, shape: Shape | undefined, limits: Limits): Choice | undefined {
  const source = () => findings.source()
  const places = placesOf(source, limits)
  const weigh = (candidate: Candidate, extra: number): Weighed => {
    const coercion = startCoercion(locate(source, candidate, places), candidate.cut)
    const asIs = !shape || (!candidate.cut && fits(candidate.value, shape))
    const value = asIs ? candidate.value : coerce(candidate.value, shape, coercion)
    return { candidate, coercion, value, cost: coercion.cost + extra }
  }
  const bare = bareText(findings, shape)
  // A text that is one JSON string or number holds no other values, whatever stands in the string.
  const candidates = bare?.scalar ? [] : findings.candidates
  const alone = candidates.length === 1 && !findings.prose
  const weighed = candidates.map((candidate) => weigh(candidate, standing(candidate, alone)))
  if (bare) weighed.push(weigh(bare, candidates.length > 0 && shape?.kind !== 'string' ? BARE_TEXT : 0))
  const joined = shape?.kind === 'array' ? join(candidates) : undefined
  if (joined) weighed.push(weigh(joined, 0))

  let best: Weighed | undefined
  for (const one of weighed) if (!best || rank(one) <= rank(best)) best = one
  if (!best) return undefined
  const { candidate, coercion, value } = best
  const found = candidates.includes(candidate)
  const equals = found ? weighed.filter((one) => rank(one) === rank(best)).length : 0
  const issues = [
    ...(candidate === bare && !bare.fenced ? [] : standingIssues(candidate, findings, equals)),
    ...candidate.issues,
  ]
  return { value, candidate, coercion, issues }
}

const rank = ({ cost }: Weighed) => (cost < NEARLY_FREE ? 0 : cost)

/** What a value costs for where and how it stands in the text. */
function standing(candidate: Candidate, alone: boolean): number {
  const { value, complete, fenced, reasoning } = candidate
  const cost =
    candidate.cost + (complete ? 0 : INCOMPLETE) + (reasoning ? (costs.inside_reasoning as number) : 0)
  if (fenced || alone) return cost
  if (Array.isArray(value) ? value.length === 0 : Object.keys(value as object).length === 0)
    return cost + EMPTY_IN_PROSE
  return Array.isArray(value) && value.every((item) => typeof item !== 'object')
    ? cost + SCALARS_IN_PROSE
    : cost
}

function standingIssues(candidate: Candidate, findings: Findings, equals: number): Issue[] {
  const { start, end, fenced, reasoning } = candidate
  const place = { span: [start, end] as const }
  const issues: Issue[] = []
  const others = findings.candidates.some((other) => other !== candidate && !other.reasoning && equals === 1)
  if (reasoning) issues.push(jsonIssues.issue('inside_reasoning', {}, place))
  else if (equals > 1) issues.push(jsonIssues.issue('several_values', { count: equals }, place))
  if (fenced || findings.prose || others)
    issues.push(jsonIssues.issue('surrounded', { by: fenced ? 'fence' : 'prose' }, place))
  return issues
}

/** The text itself as a value: a JSON scalar, or plain text where the shape can be read from it. */
function bareText(
  findings: Findings,
  shape: Shape | undefined,
): (Candidate & { scalar: boolean }) | undefined {
  const { candidates } = findings
  // Most texts hold an object or array and nothing else.
  if (candidates.length === 1 && !findings.prose && (!shape || !takesText(shape))) return undefined
  const all = findings.source()
  const trimmed = all.trim()
  // A string is what it is, whatever tags stand in it.
  const isString = trimmed.startsWith('"') && parseStrict(trimmed, 0) !== undefined
  const from = all.search(/\S/)
  const { text, start, end } = isString
    ? { text: trimmed, start: from, end: from + trimmed.length }
    : findings.body()
  const body = isString ? text : unfence(text)
  if (body === '') return undefined
  const scalar = /^["\-\dtfn]/.test(body) ? parseStrict(body, 0) : undefined
  if (!scalar && (!shape || !takesText(shape))) return undefined
  const lead = text.indexOf(body)
  return {
    value: scalar ? scalar.value : body,
    scalar: scalar !== undefined,
    start: start + lead,
    end: body === text ? end : start + lead + body.length,
    complete: true,
    fenced: body !== text,
    reasoning: false,
    cost: 0,
    issues: [],
    unlisted: 0,
  }
}

/** A reply that is one fenced block, without its fence. */
function unfence(text: string): string {
  const mark = /^(?:```|~~~)/.exec(text)?.[0]
  const info = /^.{3}[\w+-]*\n/.exec(text)?.[0]
  return mark && info && text.length >= info.length + 3 && text.endsWith(mark)
    ? text.slice(info.length, -3).trim()
    : text
}

/** Whether plain text can be read as the shape. */
function takesText(shape: Shape): boolean {
  switch (shape.kind) {
    case 'any':
    case 'object':
    case 'array':
      return false
    case 'union':
      return shape.variants.some(takesText)
    default:
      return true
  }
}

/** Several values in a row, where a list is wanted. */
function join(candidates: readonly Candidate[]): Candidate | undefined {
  const parts = candidates.filter((candidate) => !candidate.reasoning)
  const [first] = parts
  const last = parts.at(-1)
  if (!first || !last || parts.length < 2 || parts.some((part) => Array.isArray(part.value))) return undefined
  const span = [first.start, last.end] as const
  return {
    value: parts.map((part) => part.value),
    parts,
    start: first.start,
    end: last.end,
    complete: last.complete,
    fenced: first.fenced,
    reasoning: false,
    issues: [
      jsonIssues.issue('joined_values', { count: parts.length }, { span }),
      ...parts.flatMap((part) => part.issues),
    ],
    cost: parts.reduce((sum, part) => sum + part.cost, 0),
    unlisted: parts.reduce((sum, part) => sum + part.unlisted, 0),
  }
}
