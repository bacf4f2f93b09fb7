import { callId } from '../core/call-id.ts'
import { checkText } from '../core/check-text.ts'
import { isRecord } from '../core/is-record.ts'
import type { Issue } from '../core/issue.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { Limits } from '../core/limits.ts'
import { limitsOf } from '../json/read-json.ts'
import { checkName } from '../section/check-name.ts'
import type { FoundValues } from '../section/found-value.ts'
import type { Section } from '../section/section.ts'
import { shiftIssues } from '../section/shift-issues.ts'
import type { FormattedSection, SectionPart, TextFormat } from '../text/format.ts'
import { acceptCall, isAccepted } from './accepted-calls.ts'
import { MAX_CALLS } from './ask-calls.ts'
import { type CallOutcome, type CheckedCall, errorOf, type ToolCallError } from './call-outcome.ts'
import { createToolRegistry, type ToolRegistry } from './create-tool-registry.ts'
import { type CallNotation, describeTools, exampleCall } from './describe-tools.ts'
import { toolIssues, toolRunIssues } from './issues.ts'
import { type CallEntry, type ReadCalls, readCalls } from './read-calls.ts'
import { runCalls } from './run-calls.ts'
import type { RunOptions } from './run-options.ts'
import type { Media, RequestedCall, Tool, ToolCall } from './tool.ts'

export interface ToolChainOptions {
  readonly tools?: readonly Tool[]
  /** What the section is called; `action` unless said otherwise. */
  readonly name?: string
  /** Goes before the description of the format and the tools. */
  readonly prompt?: string
  /** What to bound when calls are read; the rest is as in `defaultLimits`. */
  readonly limits?: Partial<Limits>
}

/** A section in which the model calls tools, and all that is needed to answer it. */
export interface ToolChain extends Section<ToolCall[]> {
  readonly tools: readonly Tool[]
  readonly registry: ToolRegistry
  /** Adds a tool. Throws a LegibleError when it is broken, or its name is taken. */
  register(tool: Tool): this
  read(content: string, offset?: number): ReadCalls
  /**
   * Reads the calls of one section, or of several, and runs them. Rejects only when the options are wrong. Of a
   * section as it was read (`parts.sections(name)`) it is known whether it is whole: one that was cut off does not
   * run. A string is taken to be whole.
   */
  execute<C = unknown>(
    content: string | SectionPart | readonly (string | SectionPart)[],
    options: ExecuteOptions<C>,
  ): Promise<ToolChainResult>
  /**
   * Runs calls that were read already: the call of a reply, the calls of a plan. Each is checked against its tool,
   * unless it was read with that tool; all else is as with `execute`.
   */
  run<C = unknown>(
    calls: RequestedCall | readonly RequestedCall[],
    options: ExecuteOptions<C>,
  ): Promise<ToolChainResult>
}

export interface ExecuteOptions<C = unknown> extends RunOptions<C> {
  /** How the observation is written: the same as that of the reply. */
  readonly format: TextFormat
  /** What the observation is called; `observation` unless said otherwise. */
  readonly wrapper?: string
}

/** A part of a message to a model. */
export type ContentPart = { readonly type: 'text'; readonly text: string } | Media

export interface ToolCallResult {
  readonly id: string
  readonly name: string
  /** What the tool gave, as it gave it. */
  readonly output: unknown
}

export interface ToolChainResult {
  /** The whole observation, wrapper included; empty when nothing was asked for. */
  readonly text: string
  /** In the order of the calls. */
  readonly media: readonly Media[]
  /**
   * For the program. The three lists go together: each call has its result or its error at its own index, and both
   * if the tool ran and its result could not be shown. A text that could not be read as calls at all is one error
   * without a call.
   */
  readonly raw: {
    readonly calls: readonly RequestedCall[]
    readonly results: readonly (ToolCallResult | undefined)[]
    readonly errors: readonly (ToolCallError | undefined)[]
  }
  /**
   * All that reading the calls brought up, repairs and warnings too. Spans point into the reply where sections were
   * given, and into its string otherwise.
   */
  readonly issues: readonly Issue[]
  /** The observation as the content of a message: its text, then its media. Empty when there is nothing to say. */
  toContentParts(): ContentPart[]
}

/** What differs between chains: how calls are written, found and answered. */
export interface ChainNotation extends CallNotation {
  find(content: string, section: string, limits: Limits): FoundValues
  /** The output of a tool as text. Throws when there is no way to write it. */
  format(output: unknown): string
}

export function createToolChain(notation: ChainNotation, options: ToolChainOptions): ToolChain {
  const { name = 'action', prompt } = options
  checkName(name)
  const registry = createToolRegistry(options.tools)
  const limits = limitsOf(options.limits)
  const readAt = (content: string, offset: number, ids?: Set<string>): ReadCalls => {
    const found = saysNone(content) ?? notation.find(content, name, limits)
    return placeCalls(readCalls(found, registry, ids?.size, ids, limits.maxIssues), registry, offset)
  }
  const runAll = async <C>(asked: Asked, options: ExecuteOptions<C>): Promise<ToolChainResult> => {
    const outcomes = await runCalls(asked.entries, registry, options)
    return observe(outcomes, asked, { notation, registry, name }, options)
  }
  const chain: ToolChain = {
    name,
    get prompt() {
      return describeChain(registry.tools, notation, prompt)
    },
    get tools() {
      return registry.tools
    },
    registry,
    register(tool) {
      registry.register(tool)
      return chain
    },
    read: (content, offset = 0) => readAt(content, offset),
    async execute(content, options) {
      checkOptions(options, registry, 'execute')
      const contents: readonly (string | SectionPart)[] = Array.isArray(content) ? content : [content]
      for (const one of contents) checkText(isRecord(one) ? one.content : one, 'execute')
      return runAll(readAll(contents, readAt), options)
    },
    async run(calls, options) {
      checkOptions(options, registry, 'run')
      return runAll(checkAll(Array.isArray(calls) ? calls : [calls], registry), options)
    },
  }
  return chain
}

/** What is found in a section that is empty, or says in a word that there is nothing in it. */
function saysNone(content: string): FoundValues | undefined {
  const text = content.trim()
  if (text !== '' && !/^none\.?$/i.test(text)) return undefined
  const start = content.length - content.trimStart().length
  const span = [start, start + text.length] as const
  const none = { span, complete: true, issues: [], at: () => null, spanAt: () => span, textAt: () => text }
  return { values: text === '' ? [] : [none], parted: false, issues: [] }
}

/** The calls and their issues as they stand in the reply, of which the section is a part. */
function placeCalls(read: ReadCalls, registry: ToolRegistry, offset: number): ReadCalls {
  // An issue of an entry is also one of the whole, and must be the same in both places.
  const all = [...new Set([...read.issues, ...read.entries.flatMap((entry) => entry.issues)])]
  const shifted = new Map(shiftIssues(all, offset).map((issue, i) => [all[i], issue]))
  const shift = (issues: readonly Issue[]) => issues.map((issue) => shifted.get(issue) ?? issue)
  const entries = read.entries.map((entry): CallEntry => {
    const span = [entry.span[0] + offset, entry.span[1] + offset] as const
    const issues = shift(entry.issues)
    if (!entry.ok) return { ...entry, call: { ...entry.call, span }, span, issues }
    const call = acceptCall({ ...entry.call, span }, registry.get(entry.call.name))
    return { ...entry, call, span, issues }
  })
  const value = entries.flatMap((entry) => (entry.ok ? [entry.call] : []))
  return { ...read, value, issues: shift(read.issues), entries }
}

function checkOptions<C>(
  options: ExecuteOptions<C> | undefined,
  registry: ToolRegistry,
  where: 'execute' | 'run',
): void {
  const { format, concurrency, timeout, wrapper } = options ?? {}
  if (typeof format?.formatSections !== 'function')
    throw new LegibleError('tool.no_format', `${where} needs a format to write the observation with.`)
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0))
    throw new LegibleError(
      'tool.invalid_option',
      `concurrency is a whole number above 0, not ${concurrency}.`,
    )
  if (timeout !== undefined && !(typeof timeout === 'number' && timeout > 0 && timeout <= 2 ** 31 - 1))
    throw new LegibleError(
      'tool.invalid_option',
      `timeout is a number of milliseconds, not ${typeof timeout === 'number' ? timeout : `a ${typeof timeout}`}.`,
    )
  // A name that the format cannot write must be found before a tool has run, not after.
  const children = [...registry.names(), 'error', 'instructions'].map((name) => ({ name }))
  format.formatSections([{ name: wrapper ?? 'observation', children }])
}

/** What several sections ask for. */
interface Asked {
  readonly entries: readonly CheckedCall[]
  /** Sections that could not be read as calls; `before`: how many calls stand before it. */
  readonly unread: readonly { readonly before: number; readonly error: ToolCallError }[]
  readonly issues: readonly Issue[]
}

function readAll(
  contents: readonly (string | SectionPart)[],
  readAt: (content: string, offset: number, ids: Set<string>) => ReadCalls,
): Asked {
  const entries: CallEntry[] = []
  const unread: { before: number; error: ToolCallError }[] = []
  const issues: Issue[] = []
  const ids = new Set<string>()
  const refuse = (errors: readonly Issue[]) => unread.push({ before: entries.length, error: errorOf(errors) })
  for (const one of contents) {
    const { content, inner, complete } = typeof one === 'string' ? whole(one) : one
    if (!complete) {
      // Half of a call can be a whole one that was not meant.
      const issue = toolIssues.issue('cut_off', { name: '' }, { span: inner })
      issues.push(issue)
      refuse([issue])
      continue
    }
    if (entries.length >= MAX_CALLS && content.trim() !== '') {
      const issue = toolIssues.issue('too_many_calls', { limit: MAX_CALLS }, { span: inner })
      issues.push(issue)
      refuse([issue])
      break
    }
    const read = readAt(content, inner[0], ids)
    entries.push(...read.entries)
    issues.push(...read.issues)
    const rejected = new Set(read.entries.flatMap((entry) => entry.issues))
    const errors = read.issues.filter((issue) => issue.severity === 'error' && !rejected.has(issue))
    if (errors.length > 0) refuse(errors)
  }
  return { entries, unread, issues }
}

/** Checks calls that others have read, as those of a section are checked. */
function checkAll(calls: readonly RequestedCall[], registry: ToolRegistry): Asked {
  const ids = new Set<string>()
  const entries = calls.slice(0, MAX_CALLS).map((asked, i): CheckedCall => {
    if (typeof asked?.id !== 'string' || typeof asked.name !== 'string')
      throw new LegibleError(
        'tool.invalid_call',
        'run takes calls: each has an id and a name, which are text.',
      )
    // Results must find their calls.
    const isFree = asked.id !== '' && !ids.has(asked.id)
    const id = isFree ? asked.id : callId(i, asked.name, asked.arguments, ids)
    ids.add(id)
    if (isAccepted(asked, registry.get(asked.name))) return { ok: true, call: { ...asked, id }, issues: [] }
    const call = { ...asked, id }
    if (asked.complete === false) {
      const cut = toolIssues.issue('cut_off', { name: asked.name }, { span: asked.span })
      return { ok: false, call, issues: [cut] }
    }
    const checked = registry.check(call)
    const { issues } = checked
    return checked.ok ? { ok: true, call: checked.value, issues } : { ok: false, call, issues }
  })
  const issues = entries.flatMap((entry) => entry.issues)
  if (calls.length <= MAX_CALLS) return { entries, unread: [], issues }
  const issue = toolIssues.issue('too_many_calls', { limit: MAX_CALLS })
  return { entries, unread: [{ before: MAX_CALLS, error: errorOf([issue]) }], issues: [...issues, issue] }
}

const whole = (content: string) => ({ content, inner: [0, content.length] as const, complete: true })

interface ChainParts {
  readonly notation: ChainNotation
  readonly registry: ToolRegistry
  readonly name: string
}

function observe<C>(
  outcomes: readonly CallOutcome[],
  { unread, issues }: Asked,
  { notation, registry, name }: ChainParts,
  { format, wrapper = 'observation' }: ExecuteOptions<C>,
): ToolChainResult {
  const written = outcomes.map((outcome) => write(outcome, notation, registry))
  // The model reads the answers in the order of its sections.
  const children: FormattedSection[] = []
  for (let i = 0; i <= written.length; i++) {
    for (const { before, error } of unread) if (before === i) children.push(errorSection('error', error))
    const made = written[i]
    if (made) children.push(made.section)
  }
  const media = written.flatMap((made) => made.media ?? [])
  // No output may pass for that of another tool, also of one that was not called, nor for a call.
  const reserved = [...registry.names(), name]
  const text = children.length > 0 ? format.formatSections([{ name: wrapper, children, reserved }]) : ''
  return {
    text,
    media,
    raw: {
      calls: outcomes.map((outcome) => outcome.call),
      results: written.map((made) => made.result),
      errors: [...written.map((made) => made.error), ...unread.map(({ error }) => error)],
    },
    issues,
    toContentParts: () => [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...media],
  }
}

interface Written {
  readonly section: FormattedSection
  readonly media?: readonly Media[]
  readonly result?: ToolCallResult
  readonly error?: ToolCallError
}

function write(outcome: CallOutcome, notation: ChainNotation, registry: ToolRegistry): Written {
  const { call } = outcome
  // A name that the model made up never becomes the name of a section.
  const name = registry.has(call.name) ? call.name : 'error'
  const { id } = call
  if (!outcome.ok) {
    const { error, result } = outcome
    return {
      section: errorSection(name, error),
      error,
      ...(result && { result: { id, name, output: result.text } }),
    }
  }
  const { text: output, media, instructions } = outcome.result
  const result: ToolCallResult = { id, name, output }
  let content: string
  try {
    content = output === undefined ? '' : typeof output === 'string' ? output : notation.format(output)
  } catch (cause) {
    const error = errorOf([toolRunIssues.issue('unwritable_output', { name })], call, cause)
    return { section: errorSection(name, error), error, result }
  }
  const children = instructions ? [{ name: 'instructions', content: instructions }] : undefined
  return {
    section: { name, content, ...(children && { children }) },
    media,
    result,
  }
}

const errorSection = (name: string, error: ToolCallError): FormattedSection => ({
  name,
  content: `Error: ${error.hint}`,
})

function describeChain(tools: readonly Tool[], notation: CallNotation, prompt: string | undefined): string {
  const parts = [prompt ?? 'Call tools here. You get what they give in the next message.']
  const [first, second = first] = tools
  if (!first || !second) return [...parts, 'There are no tools yet.'].join('\n')
  const one = exampleCall(first)
  parts.push(
    `One call, in ${notation.name}:\n${notation.write(one)}`,
    `Several calls at once, as a list; they run at the same time:\n${notation.write([one, exampleCall(second)])}`,
    `Write nothing but the ${notation.name}. The tools:`,
    describeTools(tools, notation),
  )
  return parts.join('\n\n')
}
