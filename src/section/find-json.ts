import type { Issue } from '../core/issue.ts'
import { defaultLimits, type Limits } from '../core/limits.ts'
import type { Span } from '../core/span.ts'
import { jsonIssues } from '../json/issues.ts'
import { locate } from '../json/locate.ts'
import { parseStrict } from '../json/parse-strict.ts'
import { type Candidate, JsonScanner } from '../json/scanner.ts'
import { valueAt } from '../schema/problem.ts'
import { embeddedZones, fill, zoneAt } from './embedded-zones.ts'
import type { EmbeddedValue, FoundValue, FoundValues } from './found-value.ts'
import { sectionIssues } from './issues.ts'
import { Thoughts } from './thoughts.ts'

/**
 * Finds the JSON values of a text, all of them: who knows what they are for decides which of them count. Those in
 * the model's reasoning do not, nor do those that are only shown.
 */
export function findJson(content: string, section: string, limits: Limits = defaultLimits): FoundValues {
  const scanner = new JsonScanner(limits, true)
  scanner.push(content)
  scanner.end()
  const issues: Issue[] = []
  if (scanner.tooLong) {
    const { maxLength: limit } = limits
    issues.push(jsonIssues.issue('too_long', { limit }, { span: [limit, content.length] }))
  }
  if (scanner.crowded) issues.push(jsonIssues.issue('too_many_candidates', { limit: limits.maxCandidates }))
  for (const { reasoning, start, end } of scanner.candidates)
    if (reasoning) issues.push(jsonIssues.issue('inside_reasoning', {}, { span: [start, end] }))
  const spans = scanner.candidates.map(({ start, end }): Span => [start, end])
  const thoughts = new Thoughts()
  // Tags within values are part of them.
  thoughts.look(fill(content, spans), 0, content.length)
  const zones = embeddedZones(fill(content, thoughts.end(content.length)), spans)
  const candidates: Candidate[] = []
  const embedded: EmbeddedValue[] = []
  for (const candidate of scanner.candidates) {
    const { start, end, value, reasoning } = candidate
    const zone = zoneAt(zones, start)
    if (reasoning) continue
    if (zone) embedded.push({ where: zone.where, span: [start, end], value })
    else candidates.push(candidate)
  }
  const values = candidates.map((candidate) => foundJson(content, candidate, scanner, limits))
  const first = candidates[0]
  const last = candidates.at(-1)
  if (first && last) {
    if (scanner.prose || first.fenced)
      issues.push(
        jsonIssues.issue(
          'surrounded',
          { by: first.fenced ? 'fence' : 'prose' },
          { span: [first.start, last.end] },
        ),
      )
    return { values, parted: isParted(content, candidates), issues, embedded }
  }
  const scalar = parseStrict(content.trim(), 0)
  const start = content.length - content.trimStart().length
  const span = [start, content.trimEnd().length] as const
  if (scalar) return { values: [scalarValue(scalar.value, content, span)], parted: false, issues, embedded }
  issues.push(sectionIssues.issue('invalid_json', { section }, { span: [0, content.length] }))
  return { values, parted: false, issues, embedded }
}

function foundJson(
  content: string,
  candidate: Candidate,
  scanner: JsonScanner,
  { maxIssues }: Limits,
): FoundValue {
  const { value, start, end, complete } = candidate
  const source = locate(
    () => content,
    candidate,
    () => scanner,
  )
  return {
    span: [start, end],
    complete,
    cut: complete
      ? undefined
      : Math.max(-1, ...candidate.issues.filter(isOpen).map((issue) => issue.span?.[0] ?? 0)),
    issues: [...candidate.issues, ...duplicateKeys(scanner, start, end, maxIssues)],
    at: (path) => valueAt(value, path),
    spanAt: (path, key) => source.span(path, key) ?? [start, end],
    textAt: (path) => source.text(path),
    duplicatesAt: (path) => [...(scanner.duplicates.get(valueAt(value, path) as object) ?? [])],
  }
}

/** What has no end of its own. */
const isOpen = ({ code }: Issue) => /^json\.(unclosed_\w+|cut_off|missing_value)$/.test(code)

function scalarValue(value: unknown, content: string, span: readonly [number, number]): FoundValue {
  return {
    span,
    complete: true,
    issues: [],
    at: (path) => valueAt(value, path),
    spanAt: () => span,
    textAt: () => content.slice(...span),
  }
}

/** Whether words stand between the values, not just commas and fences. */
function isParted(content: string, candidates: readonly Candidate[]): boolean {
  return candidates.some((candidate, i) => {
    const before = candidates[i - 1]
    if (!before) return false
    const between = content.slice(before.end, candidate.start).replace(/(```|~~~)[\w-]*/g, '')
    return /[^\s,;]/.test(between)
  })
}

/** Keys that stand twice in the same object. The reader lets the last one count, as JSON does, and says nothing. */
function duplicateKeys(
  { duplicates, spans }: JsonScanner,
  start: number,
  end: number,
  most: number,
): Issue[] {
  const issues: Issue[] = []
  for (const [container, keys] of duplicates)
    for (const key of keys) {
      const [from = 0, to = 0] = spans?.get(container)?.get(key) ?? []
      if (start <= from && to <= end && issues.length < most)
        issues.push(sectionIssues.issue('duplicate_key', { key }, { span: [from, to] }))
    }
  return issues
}
