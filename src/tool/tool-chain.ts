import { LegibleError } from '../core/legible-error.ts'
import { checkName } from '../section/check-name.ts'
import type { FoundValues } from '../section/found-value.ts'
import type { Section } from '../section/section.ts'
import { shiftIssues } from '../section/shift-issues.ts'
import type { FormattedSection, TextFormat } from '../text/format.ts'
import { createToolRegistry, type ToolRegistry } from './create-tool-registry.ts'
import { type CallNotation, describeTools, exampleCall } from './describe-tools.ts'
import { toolRunIssues } from './issues.ts'
import { type CallEntry, type ReadCalls, readCalls } from './read-calls.ts'
import { errorOf, type Outcome, type RunOptions, runCalls, type ToolCallError } from './run-calls.ts'
import type { Media, RequestedCall, Tool, ToolCall } from './tool.ts'

export interface ToolChainOptions {
  readonly tools?: readonly Tool[]
  /** What the section is called; `action` unless said otherwise. */
  readonly name?: string
  /** Goes before the description of the format and the tools. */
  readonly prompt?: string
}

/** A section in which the model calls tools, and all that is needed to answer it. */
export interface ToolChain extends Section<ToolCall[]> {
  readonly tools: readonly Tool[]
  readonly registry: ToolRegistry
  /** Adds a tool. Throws a LegibleError when it is broken, or its name is taken. */
  register(tool: Tool): this
  read(content: string, offset?: number): ReadCalls
  /** Reads the calls of one section, or of several, and runs them. Rejects only when the options are wrong. */
  execute<C = unknown>(
    content: string | readonly string[],
    options: ExecuteOptions<C>,
  ): Promise<ToolChainResult>
}

export interface ExecuteOptions<C = unknown> extends RunOptions<C> {
  /** How the observation is written: the same as that of the reply. */
  readonly format: TextFormat
  /** What the observation is called; `observation` unless said otherwise. */
  readonly wrapper?: string
  /** Changes media on their way to the model: makes them smaller, or leaves them out by giving nothing. */
  readonly media?: (
    media: Media,
    call: ToolCall,
  ) => Media | readonly Media[] | undefined | Promise<Media | readonly Media[] | undefined>
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
   * For the program. The three lists go together: each call has its result or its error at its own index. A text
   * that could not be read as calls at all is one error without a call.
   */
  readonly raw: {
    readonly calls: readonly RequestedCall[]
    readonly results: readonly (ToolCallResult | undefined)[]
    readonly errors: readonly (ToolCallError | undefined)[]
  }
  /** The observation as the content of a message: its text, then its media. Empty when there is nothing to say. */
  toContentParts(): ContentPart[]
}

/** What differs between chains: how calls are written, found and answered. */
export interface ChainNotation extends CallNotation {
  find(content: string, section: string): FoundValues
  /** The output of a tool as text. Throws when there is no way to write it. */
  format(output: unknown): string
}

export function createToolChain(notation: ChainNotation, options: ToolChainOptions): ToolChain {
  const { name = 'action', prompt } = options
  checkName(name)
  const registry = createToolRegistry(options.tools)
  const readAt = (content: string, offset: number, first: number): ReadCalls => {
    const found = content.trim() === '' ? nothing : notation.find(content, name)
    const read = readCalls(found, registry, first)
    if (offset === 0) return read
    const entries = read.entries.map((entry): CallEntry => {
      const [start, end] = entry.span
      return { ...entry, span: [start + offset, end + offset], issues: shiftIssues(entry.issues, offset) }
    })
    return { ...read, issues: shiftIssues(read.issues, offset), entries }
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
    read: (content, offset = 0) => readAt(content, offset, 0),
    async execute(content, options) {
      checkOptions(options, registry)
      const contents = typeof content === 'string' ? [content] : content
      const entries: CallEntry[] = []
      const unread: ToolCallError[] = []
      for (const one of contents) {
        const read = readAt(one, 0, entries.length)
        entries.push(...read.entries)
        const rejected = new Set(read.entries.flatMap((entry) => entry.issues))
        const errors = read.issues.filter((issue) => issue.severity === 'error' && !rejected.has(issue))
        if (errors.length > 0) unread.push(errorOf(errors))
      }
      const outcomes = await runCalls(entries, registry, options)
      return observe(outcomes, unread, notation, registry, options)
    },
  }
  return chain
}

const nothing: FoundValues = { values: [], parted: false, issues: [] }

function checkOptions<C>(options: ExecuteOptions<C> | undefined, registry: ToolRegistry): void {
  const { format, concurrency, timeout, wrapper } = options ?? {}
  if (typeof format?.formatSections !== 'function')
    throw new LegibleError('tool.no_format', 'execute needs a format to write the observation with.')
  if (concurrency !== undefined && !(Number.isInteger(concurrency) && concurrency > 0))
    throw new LegibleError(
      'tool.invalid_option',
      `concurrency is a whole number above 0, not ${concurrency}.`,
    )
  if (timeout !== undefined && !(timeout > 0 && timeout <= 2 ** 31 - 1))
    throw new LegibleError('tool.invalid_option', `timeout is a number of milliseconds, not ${timeout}.`)
  // A name that the format cannot write must be found before a tool has run, not after.
  const children = [...registry.names(), 'error', 'instructions'].map((name) => ({ name }))
  format.formatSections([{ name: wrapper ?? 'observation', children }])
}

async function observe<C>(
  outcomes: readonly Outcome[],
  unread: readonly ToolCallError[],
  notation: ChainNotation,
  registry: ToolRegistry,
  { format, wrapper = 'observation', media: transform }: ExecuteOptions<C>,
): Promise<ToolChainResult> {
  const children: FormattedSection[] = []
  const media: Media[] = []
  const results: (ToolCallResult | undefined)[] = []
  const errors: (ToolCallError | undefined)[] = []
  for (const outcome of outcomes) {
    const made = await write(outcome, notation, registry, transform)
    children.push(made.section)
    media.push(...(made.media ?? []))
    results.push(made.result)
    errors.push(made.error)
  }
  for (const error of unread) {
    children.push(errorSection('error', error))
    errors.push(error)
  }
  // No output may pass for that of another tool, also of one that was not called.
  const reserved = registry.names()
  const text = children.length > 0 ? format.formatSections([{ name: wrapper, children, reserved }]) : ''
  return {
    text,
    media,
    raw: { calls: outcomes.map((outcome) => outcome.call), results, errors },
    toContentParts: () => [...(text === '' ? [] : [{ type: 'text' as const, text }]), ...media],
  }
}

interface Written {
  readonly section: FormattedSection
  readonly media?: readonly Media[]
  readonly result?: ToolCallResult
  readonly error?: ToolCallError
}

async function write(
  outcome: Outcome,
  notation: ChainNotation,
  registry: ToolRegistry,
  transform: ExecuteOptions['media'],
): Promise<Written> {
  const { call } = outcome
  // A name that the model made up never becomes the name of a section.
  const name = registry.has(call.name) ? call.name : 'error'
  if (!outcome.ok) return { section: errorSection(name, outcome.error), error: outcome.error }
  const { text: output, media, instructions } = outcome.result
  let content: string
  try {
    content = output === undefined ? '' : typeof output === 'string' ? output : notation.format(output)
  } catch (cause) {
    const error = errorOf([toolRunIssues.issue('unwritable_output', { name })], call, cause)
    return { section: errorSection(name, error), error }
  }
  let passed: Media[]
  try {
    const changed = transform ? await Promise.all(media.map((one) => transform(one, outcome.call))) : media
    passed = changed.flatMap((one) => one ?? [])
  } catch (cause) {
    const problem = 'the media of the result could not be prepared'
    const error = errorOf([toolRunIssues.issue('failed', { name, problem })], call, cause)
    return { section: errorSection(name, error), error }
  }
  const children = instructions ? [{ name: 'instructions', content: instructions }] : undefined
  return {
    section: { name, content, ...(children && { children }) },
    media: passed,
    result: { id: call.id, name, output },
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
