import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import type { Limits } from '../core/limits.ts'
import type { Read } from '../core/read.ts'
import { betweenThoughts } from '../core/reasoning-tag.ts'
import type { Span } from '../core/span.ts'
import { findJson } from '../section/find-json.ts'
import type { FoundValue } from '../section/found-value.ts'
import type { Parts, PartsRead, SectionPart } from '../text/format.ts'
import { keyIn } from '../tool/key-in.ts'
import { planIssues } from './issues.ts'
import { type Plan, type PlannedCall, type PlanPart, planParts, type TextField, textField } from './plan.ts'
import { CallReader } from './planned-calls.ts'

/** A plan that was read. `value` is there even when something in it is not usable: then it is what is. */
export type PlanRead = Read<Plan> & { readonly value: Plan }

/** Other labels for the part with the calls. */
export const otherLabels = ['Tool Call', 'ToolCalls', 'ToolCall', 'Tool_Calls', 'Tool_Call'] as const

const noCalls =
  /^[\s*_`([{-]*(?:none|n\/?a|null|nil|no tools?(?: calls?)?|no calls?|not (?:needed|required|necessary)|nothing|empty)(?: (?:are |is )?(?:needed|required|necessary))?[\s*_`.!)\]}]*$/i

export interface PlanFinish {
  /** The text, and what was read of it. */
  readonly source: string
  readonly read: PartsRead
  readonly strict: boolean
  readonly limits: Limits
}

/** What comes of a planning reply once all of it was seen. */
export function finishPlan(finish: PlanFinish): PlanRead {
  return new PlanAssembly(finish).read()
}

class PlanAssembly {
  private readonly whole: string
  /** The text with blanks in the place of thoughts: its offsets are the same. */
  private readonly source: string
  private readonly parts: Parts
  private readonly limits: Limits
  private readonly calls: CallReader
  private readonly issues: Issue[]
  private readonly texts = new Map<TextField, string[]>()
  private readonly thoughts: { readonly at: number; readonly text: string }[] = []
  /** Absent: the reply has no part with calls. */
  private toolCalls: readonly PlannedCall[] | undefined
  private complete: boolean

  constructor({ source, read, strict, limits }: PlanFinish) {
    this.whole = source
    this.source = withoutThoughts(source, read.value)
    this.parts = read.value
    this.limits = limits
    this.complete = read.complete
    this.calls = new CallReader(strict)
    this.issues = read.issues.filter(
      (issue) => issue.code !== 'text.no_sections' && !isStep(issue, read.value),
    )
  }

  read(): PlanRead {
    for (const part of this.parts.all) if (part.kind === 'reasoning') this.think(part.span[0], part.content)
    if (this.parts.sections().length > 0) this.readParts()
    else if (!this.readObject())
      this.issues.push(planIssues.issue('not_found', {}, { span: [0, this.source.length] }))
    if (this.toolCalls) {
      const { calls, issues } = this.calls.finish(this.issues)
      this.toolCalls = calls
      this.issues.push(...issues)
    }
    const ok = !this.issues.some(isError)
    const issues = listed(this.issues, this.limits.maxIssues)
    return { ok, value: this.plan(), complete: this.complete, issues }
  }

  private plan(): Plan {
    const plan: { -readonly [K in keyof Plan]: Plan[K] } = {}
    for (const [field, texts] of this.texts) {
      const text = texts.filter((one) => one !== '').join('\n\n')
      if (text !== '') plan[field] = text
    }
    if (this.toolCalls) plan.toolCalls = this.toolCalls
    const thoughts = this.thoughts.sort((a, b) => a.at - b.at).map(({ text }) => text)
    if (thoughts.length > 0) plan.thoughts = thoughts.join(betweenThoughts)
    return plan
  }

  private think(at: number, content: string): void {
    const text = content.trim()
    if (text !== '') this.thoughts.push({ at, text })
  }

  private readParts(): void {
    const seen = new Set<PlanPart>()
    for (const part of this.parts.all) {
      if (part.kind === 'text' && part.content.trim() !== '')
        this.issues.push(planIssues.issue('text_outside', {}, { span: part.span }))
      if (part.kind !== 'section') continue
      const name = (planParts as readonly string[]).includes(part.name)
        ? (part.name as PlanPart)
        : 'Tool Calls'
      if (name !== part.name)
        this.issues.push(
          planIssues.issue(
            'other_name',
            { found: part.name, meant: name },
            { span: [part.span[0], part.inner[0]] },
          ),
        )
      if (seen.has(name))
        this.issues.push(planIssues.issue('repeated_part', { part: name }, { span: part.span }))
      seen.add(name)
      if (name === 'Tool Calls') this.readCalls(part)
      else this.readText(textField(name), part)
    }
    for (const part of ['Intent', 'Plan'] as const)
      if (!seen.has(part)) this.issues.push(planIssues.issue('missing_part', { part }))
  }

  private readText(field: TextField, { content }: SectionPart): void {
    const text = content.trim()
    const texts = this.texts.get(field)
    if (texts) texts.push(text)
    else this.texts.set(field, [text])
  }

  private readCalls({ inner }: SectionPart): void {
    const [start, end] = inner
    // As it stands in the text, so that what is said of it points there.
    const content = this.source.slice(start, end)
    this.toolCalls ??= []
    if (noCalls.test(content.slice(0, 200)) && content.length <= 200) {
      const text = content.trim()
      const at = start + content.indexOf(text)
      this.issues.push(planIssues.issue('no_calls_in_words', { text }, { span: [at, at + text.length] }))
      return
    }
    this.take(this.calls.read(findJson(content, 'Tool Calls', this.limits), start, inner))
  }

  private take({ issues, complete }: ReturnType<CallReader['read']>): void {
    this.issues.push(...issues)
    if (!complete) this.complete = false
  }

  /** A reply that is one JSON object with the parts as its keys. */
  private readObject(): boolean {
    const found = findJson(this.whole, 'plan', this.limits)
    for (const { span, where, value } of found.embedded ?? [])
      if (isPlanObject(value) && !this.isThought(span))
        this.issues.push(planIssues.issue('embedded_plan', { where }, { span }))
    const values = found.values.filter((one) => isPlanObject(one.at([])) && !this.isThought(one.span))
    const value = values.at(-1)
    if (!value) return false
    this.issues.push(...found.issues.filter(isNoFailure), ...value.issues)
    if (values.length > 1) {
      const [first, last] = [values[0] as FoundValue, value]
      const span = [first.span[0], last.span[1]] as const
      this.issues.push(planIssues.issue('several_plans', { count: values.length }, { span }))
    }
    this.issues.push(planIssues.issue('json_object', {}, { span: value.span }))
    const root = value.at([]) as Record<string, unknown>
    for (const [field, words] of Object.entries(objectKeys)) {
      const key = keyIn(root, words)
      if (key === undefined) continue
      if (key !== field)
        this.issues.push(
          planIssues.issue('other_name', { found: key, meant: field }, { span: value.spanAt([key], true) }),
        )
      if (field === 'toolCalls') this.readCallsAt(value, key)
      else this.readField(field as TextField | 'thoughts', value, key)
    }
    for (const part of ['Intent', 'Plan'] as const)
      if (!this.texts.has(textField(part))) this.issues.push(planIssues.issue('missing_part', { part }))
    if (!value.complete) this.complete = false
    return true
  }

  private isThought([start, end]: Span): boolean {
    return this.parts.all.some(
      (part) => part.kind === 'reasoning' && part.span[0] < end && part.span[1] > start,
    )
  }

  private readField(field: TextField | 'thoughts', value: FoundValue, key: string): void {
    const content = value.at([key])
    if (content === null || content === undefined) return
    const span = value.spanAt([key])
    if (typeof content !== 'string')
      this.issues.push(planIssues.issue('converted_field', { field }, { span, path: [key] }))
    const text = typeof content === 'string' ? content : textOf(content)
    if (field === 'thoughts') this.think(span[0], text)
    else this.texts.set(field, [text.trim()])
  }

  private readCallsAt(value: FoundValue, key: string): void {
    this.toolCalls = []
    if (value.at([key]) === null) return
    const last = Object.keys(value.at([]) as object).at(-1) === key
    const inner: FoundValue = {
      span: value.spanAt([key]),
      complete: value.complete || !last,
      cut: last ? value.cut : undefined,
      issues: [],
      at: (path) => value.at([key, ...path]),
      spanAt: (path, ofKey) => value.spanAt([key, ...path], ofKey),
      textAt: (path) => value.textAt([key, ...path]),
      duplicatesAt: (path) => value.duplicatesAt?.([key, ...path]) ?? [],
    }
    const found = { values: [inner], parted: false, issues: [] }
    // The list is as exact as the object around it.
    this.take(this.calls.read(found, 0, inner.span, value.issues.length === 0))
  }
}

function withoutThoughts(source: string, parts: Parts): string {
  let text = ''
  let at = 0
  for (const { kind, span } of parts.all) {
    if (kind !== 'reasoning') continue
    text += source.slice(at, span[0]) + ' '.repeat(span[1] - span[0])
    at = span[1]
  }
  return text + source.slice(at)
}

/** The fields of a plan, and how else they are written, folded. */
const objectKeys: Record<string, readonly string[]> = {
  title: ['title'],
  intent: ['intent', 'intention'],
  plan: ['plan', 'steps'],
  toolCalls: ['toolcalls', 'toolcall', 'calls'],
  thoughts: ['thoughts', 'thought', 'thinking', 'reasoning'],
}

function isPlanObject(value: unknown): boolean {
  if (!isRecord(value)) return false
  return ['intent', 'plan', 'toolCalls'].some((field) => keyIn(value, objectKeys[field] ?? []) !== undefined)
}

/** A list of steps, one per line; anything else as JSON. */
function textOf(value: unknown): string {
  if (Array.isArray(value) && value.every((item) => typeof item === 'string')) return value.join('\n')
  return JSON.stringify(value) ?? ''
}

/** A line that begins like a part which plans may lack, or which this one has under another label: a step, most likely. */
function isStep(issue: Issue, parts: Parts): boolean {
  if (issue.code !== 'text.near_section') return false
  const { name } = issue.params as { name: string }
  if (name === 'Title') return true
  if (name === 'Intent' || name === 'Plan') return false
  return ['Tool Calls', ...otherLabels].some((label) => parts.sections(label).length > 0)
}

const isNoFailure = ({ code }: Issue) => code !== 'section.invalid_json'

const byPlace = (a: Issue, b: Issue) => (a.span?.[0] ?? 0) - (b.span?.[0] ?? 0)

const isError = ({ severity }: Issue) => severity === 'error'

/** The issues in the order of the text. Of too many, errors are the last to be left out. */
function listed(issues: Issue[], most: number): Issue[] {
  if (issues.length <= most) return issues.sort(byPlace)
  const kept = [...issues.filter(isError), ...issues.filter((issue) => !isError(issue))].slice(0, most)
  return [...kept.sort(byPlace), planIssues.issue('more_issues', { count: issues.length - most })]
}
