import type { Command } from 'commander'
import { LegibleError } from '../core/legible-error.ts'
import { readToolCalls } from '../tool/read-tool-calls.ts'
import type { ToolCallPart, ToolCallsRead } from '../tool/tool-calls.ts'
import { runBatch } from './calls-batch.ts'
import { MAX_LINE } from './calls-lines.ts'
import { explain } from './explain.ts'
import { formatValue } from './format-value.ts'
import { loadDeclaredTools } from './load-tools.ts'
import { formatIssues, summarize, wantsColor } from './print-issues.ts'
import type { Mark } from './read-as.ts'
import { type Input, readInput } from './read-input.ts'
import { UsageError } from './usage-error.ts'

export interface CallsOptions {
  readonly tools?: string
  readonly dialect: string
  readonly expect?: 'calls'
  readonly reasoning: 'auto' | 'open' | 'none'
  readonly json?: true
  readonly explain?: true
  readonly complete?: true
  readonly batch?: true
  readonly jobs?: number
  readonly maxLine?: number
  readonly maxLength: number
  readonly maxDepth: number
}

export async function runCalls(file = '-', options: CallsOptions, command: Command): Promise<void> {
  checkOptions(options, (problem) => command.error(`error: ${problem}`))
  const { dialect, expect, reasoning, maxLength, maxDepth } = options
  const limits = { maxLength, maxDepth }
  const tools = options.tools === undefined ? undefined : loadDeclaredTools(options.tools)
  if (options.batch) {
    const worker = { legible: 'calls', tools: options.tools, dialect, expect, reasoning, limits } as const
    const { jobs, maxLine = MAX_LINE } = options
    process.exitCode = await runBatch(file, { jobs, maxLine, worker })
    return
  }
  const input = await readInput(file, maxLength)
  const read = usable(options, () => readToolCalls(input.text, { tools, dialect, expect, reasoning, limits }))
  const { ok, complete } = read
  process.exitCode = ok && (complete || !options.complete) ? 0 : 1
  if (options.json) printReading(read, input)
  else if (options.explain) printExplanation(read, input)
  else printCalls(read, input)
  if (!options.json && ok && !complete && options.complete)
    process.stderr.write('legible: the text was cut off (--complete)\n')
}

function checkOptions(options: CallsOptions, fail: (problem: string) => never): void {
  const { json, explain, batch, complete, expect, tools, jobs, maxLine } = options
  if (json && explain) fail('--json is for programs, --explain for people: take one of them')
  if (batch && explain) fail('--explain is for one text, not for --batch')
  if (batch && json) fail('--batch writes JSON in any case: leave out --json')
  if (batch && complete)
    fail('--complete is for one text; with --batch each line says whether it is complete')
  if (!batch && jobs !== undefined) fail('--jobs is for --batch')
  if (!batch && maxLine !== undefined) fail('--max-line is for --batch; for one text there is --max-length')
  if (!batch && expect && tools === undefined)
    fail('--expect calls needs --tools <file>: what is meant as a call can be told by the tools only')
}

function printReading({ ok, value, complete, issues }: ToolCallsRead, { warnings }: Input): void {
  const reading = { ok, value, complete, issues, ...(warnings.length > 0 && { warnings }) }
  process.stdout.write(`${formatValue(reading).text}\n`)
}

function printExplanation(read: ToolCallsRead, { text, name, warnings }: Input): void {
  const { stdout, stderr, env } = process
  for (const warning of warnings) stderr.write(`legible: warning: ${warning}\n`)
  const color = wantsColor(stdout.isTTY, env)
  stdout.write(explain(text, read.value.parts.flatMap(markOf), read.issues, color))
  if (read.issues.length > 0) stdout.write(`\n${formatIssues(text, name, read.issues, color)}`)
  stdout.write(`\n${summarize(read)}\n`)
}

/** Marks of the dialect are left out: they stand around everything, and would be all that is seen. */
function markOf(part: ToolCallPart): Mark[] {
  if (part.type === 'call') return [{ kind: 'section', label: part.call.name, span: part.span }]
  return part.type === 'reasoning' ? [{ kind: 'reasoning', label: 'reasoning', span: part.span }] : []
}

function printCalls(read: ToolCallsRead, { text, name, warnings }: Input): void {
  const { stdout, stderr, env } = process
  const { calls, content, reasoning } = read.value
  for (const warning of warnings) stderr.write(`legible: warning: ${warning}\n`)
  // Issues first: where both go to a terminal, they must not stand in the middle of the calls.
  if (read.issues.length > 0)
    stderr.write(formatIssues(text, name, read.issues, wantsColor(stderr.isTTY, env)))
  const { text: json, lost } = formatValue({ calls, content, reasoning })
  if (lost.length > 0) stderr.write(`legible: warning: ${lost.join(', ')}: not in JSON, printed as null\n`)
  stdout.write(`${json}\n`)
  if (stderr.isTTY) stderr.write(`${summarize(read)}\n`)
}

/** Some schemas show only when they are used that they cannot be. */
function usable<T>({ tools }: CallsOptions, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError('cli.invalid_tools', `${tools ?? 'tools'}: ${error.message}`, { cause: error })
  }
}
