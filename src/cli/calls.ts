import { type Command, InvalidArgumentError, Option } from 'commander'
import { LegibleError } from '../core/legible-error.ts'
import { defaultLimits } from '../core/limits.ts'
import { dialects } from '../dialects/dialects.ts'
import { readToolCalls } from '../tool/read-tool-calls.ts'
import type { ToolCallPart, ToolCallsRead } from '../tool/tool-calls.ts'
import { runBatch } from './calls-batch.ts'
import { explain } from './explain.ts'
import { formatValue } from './format-value.ts'
import { loadDeclaredTools } from './load-tools.ts'
import { formatIssues, summarize, wantsColor } from './print-issues.ts'
import type { Mark } from './read-as.ts'
import { type Input, readInput } from './read-input.ts'
import { UsageError } from './usage-error.ts'
import { wholeNumber } from './whole-number.ts'

interface CallsOptions {
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

/** Bytes of a line of --batch: a text of the greatest length fits, if not all of it is escaped. */
const MAX_LINE = 64 * 1024 * 1024

const names = ['auto', ...dialects.map(({ name }) => name)]

const help = `
The calls, what the model says and what it thinks go to standard output as JSON, { calls, content, reasoning };
what was wrong with the text goes to standard error.

The tools say what the arguments mean, and which calls may run. They are a list in a file of JSON or YAML, of
{ name, description, parameters }, in OpenAI's form { type: "function", function: { … } } or in MCP's, { name,
inputSchema }, also within { tools: [ … ] }; or a module that exports one. Without tools every name is taken for one.

Dialects, of which auto knows all:
${wrapped(names.slice(1))}

Examples:
  legible calls --tools tools.json reply.txt              the calls in a reply, checked
  some-model "Weather in Oslo?" | legible calls --tools tools.json | jq '.calls'
  legible calls reply.txt | jq -r '.calls[].name'         without knowing the tools
  legible calls --tools tools.json --expect calls reply.txt
                                                          also those in fences, prose and other syntaxes
  legible calls --dialect qwen3-coder --reasoning open --tools tools.json reply.txt
                                                          the prompt ended in <think>
  legible calls --tools tools.json --explain reply.txt    what is what in the text
  legible calls --tools tools.json --json reply.txt | jq -r '.issues[].code'
  legible calls --batch --expect calls rows.jsonl > calls.jsonl
                                                          a file of {"raw": "…", "tools": [ … ]} a line

With --batch, each line of the input is {"raw": "…"}, and each line of the output
{ ok, complete, calls, content, reasoning, issues }, in the same order, with the id and the model of the row if it has
them. Tools of a row come before those of --tools. A line that is no row gives { error: { code, message }, line } and
does not stop the others.

Exit codes:
    0  it was read; there may be repairs and warnings, or no calls.
       With --batch: every line was a row, whatever is wrong with its text: each has its own ok
    1  an issue is an error: there is no such tool, the arguments do not fit, the text breaks off within a
       call. What was found is printed all the same; do not run it.
       Also, with --complete: the text was cut off; with --batch: a line was no row
    2  it cannot be carried out: wrong usage, an unreadable file, broken tools, a text that is none.
       With --json: { "ok": false, "error": { "code", "message" } }
  130  interrupted. With --batch the lines at hand are written first; a second interrupt stops at once`

export function addCallsCommand(program: Command): void {
  program
    .command('calls')
    .summary('read the tool calls in the text of a model, in whatever dialect it writes them')
    .description('Reads the tool calls in the text of a model, in whatever dialect it writes them.')
    .argument('[file]', 'the text, in UTF-8; - or nothing: standard input')
    .option('--tools <file>', 'the tools there are: .json, .yaml, or a module (.js, .ts)')
    .option('--dialect <name>', 'how the model writes calls; auto: the text tells', dialectName, 'auto')
    .addOption(new Option('--expect <what>', 'find calls however they are written').choices(['calls']))
    .addOption(
      new Option('--reasoning <mode>', 'open: the prompt has opened it; none: its marks are plain text')
        .choices(['auto', 'open', 'none'])
        .default('auto'),
    )
    .option('--json', 'print { ok, value, complete, issues } and nothing on standard error')
    .option('--explain', 'print the text with its parts and issues marked, instead of the calls')
    .option('--complete', 'a text that was cut off is a failure: exit code 1')
    .option('--batch', 'read a row {"raw": …} from each line, and write a line for each')
    .option('--jobs <n>', 'batch: threads (default: one for each core)', wholeNumber)
    .option('--max-line <n>', `batch: bytes of a line that are read (default: ${MAX_LINE})`, wholeNumber)
    .option('--max-length <n>', 'characters that are read', wholeNumber, defaultLimits.maxLength)
    .option('--max-depth <n>', 'lists and objects within each other', wholeNumber, defaultLimits.maxDepth)
    .showHelpAfterError('See legible calls --help.')
    .addHelpText('after', help)
    .action(runCalls)
}

function dialectName(text: string): string {
  if (!names.includes(text)) throw new InvalidArgumentError(`There are ${names.join(', ')}.`)
  return text
}

function wrapped(words: readonly string[]): string {
  const lines: string[] = []
  for (const word of words) {
    const longer = `${lines.at(-1)}, ${word}`
    if (lines.length > 0 && longer.length < 100) lines[lines.length - 1] = longer
    else lines.push(`  ${word}`)
  }
  return lines.join(',\n')
}

async function runCalls(file = '-', options: CallsOptions, command: Command): Promise<void> {
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
