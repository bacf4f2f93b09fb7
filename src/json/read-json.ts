import { checkText } from '../core/check-text.ts'
import type { Issue } from '../core/issue.ts'
import { LegibleError } from '../core/legible-error.ts'
import { defaultLimits, type Limits } from '../core/limits.ts'
import type { Read } from '../core/read.ts'
import { type CompiledSchema, compileSchema } from '../schema/compile-schema.ts'
import { fits } from '../schema/fits.ts'
import type { Infer, Schema } from '../schema/schema.ts'
import { choose } from './choose.ts'
import { judge } from './fit-value.ts'
import { jsonIssues } from './issues.ts'
import { listIssues } from './list-issues.ts'
import { parseStrict } from './parse-strict.ts'
import { type Findings, JsonScanner } from './scanner.ts'

export interface JsonOptions {
  /** What to bound; the rest is as in `defaultLimits`. */
  readonly limits?: Partial<Limits> | undefined
}

/**
 * Reads the JSON value in a model's text: alone, in prose or in a fence, clean or damaged, whole or cut off. With
 * a schema, the value is fitted to it and validated by it. Never throws because of what the text says.
 */
export function readJson<S extends Schema | undefined = undefined>(
  text: string,
  schema?: S,
  options?: JsonOptions,
): Read<Infer<S>>
export function readJson(text: string, schema?: Schema, options: JsonOptions = {}): Read<unknown> {
  checkText(text, 'readJson')
  const limits = limitsOf(options.limits)
  const compiled = schema === undefined ? undefined : compileSchema(schema)
  const clean =
    looksClean(text) && text.length <= limits.maxLength ? parseStrict(text, limits.maxDepth) : undefined
  if (clean && (!compiled || (compiled.exact && fits(clean.value, compiled.shape))))
    return { ok: true, value: clean.value, complete: true, issues: [] }
  return finish(clean ? cleanFindings(text, clean.value) : scan(text, limits), compiled, limits)
}

/** The limits that count: those given, checked, and the usual ones for the rest. */
export function limitsOf(given: Partial<Limits> | undefined): Limits {
  for (const [name, limit] of Object.entries(given ?? {}))
    if (!(name in defaultLimits) || !Number.isInteger(limit) || limit < 1)
      throw new LegibleError(
        'json.invalid_limit',
        `${name}: ${limit} is no limit. There are ${Object.keys(defaultLimits).join(', ')}: whole numbers above 0.`,
      )
  return { ...defaultLimits, ...given }
}

function scan(text: string, limits: Limits): Findings {
  const scanner = new JsonScanner(limits)
  scanner.push(text)
  scanner.end()
  return scanner
}

/** A text that is a value and nothing else. */
function cleanFindings(text: string, value: unknown): Findings {
  const start = text.search(/\S/)
  const end = text.trimEnd().length
  return {
    candidates: [
      {
        value,
        start,
        end,
        complete: true,
        fenced: false,
        reasoning: false,
        cost: 0,
        issues: [],
        unlisted: 0,
      },
    ],
    prose: false,
    crowded: false,
    tooLong: false,
    source: () => text,
    body: () => ({ text: text.trim(), start, end }),
  }
}

/** A guess that is nearly always right, and saves a parse that is bound to fail. */
function looksClean(text: string): boolean {
  const first = text[text.search(/\S/)]
  const last = text[lastCharacter(text)]
  return first === '{' ? last === '}' : first === '[' ? last === ']' : first === '"' && last === '"'
}

function lastCharacter(text: string): number {
  let at = text.length - 1
  while (at >= 0 && text.charCodeAt(at) <= 32) at--
  return at
}

/** What comes of a text once all of it was seen. */
export function finish(
  findings: Findings,
  compiled: CompiledSchema | undefined,
  limits: Limits,
): Read<unknown> {
  const choice = choose(findings, compiled?.shape, limits)
  const issues: Issue[] = []
  if (findings.tooLong)
    issues.push(
      jsonIssues.issue(
        'too_long',
        { limit: limits.maxLength },
        { span: [limits.maxLength, limits.maxLength] },
      ),
    )
  if (findings.crowded) issues.push(jsonIssues.issue('too_many_candidates', { limit: limits.maxCandidates }))
  if (!choice) {
    issues.push(jsonIssues.issue('not_found', {}, { span: [0, findings.source().length] }))
    return { ok: false, complete: !findings.tooLong, issues }
  }
  const { candidate } = choice
  const fitted = judge(choice.value, compiled, choice.coercion, limits.maxIssues)
  const all = [...issues, ...choice.issues, ...fitted.issues]
  return {
    ok: fitted.ok && !all.some((issue) => issue.severity === 'error'),
    value: fitted.value,
    complete: candidate.complete && !findings.tooLong,
    issues: listIssues(all, limits.maxIssues, candidate.unlisted + fitted.unlisted),
  }
}
