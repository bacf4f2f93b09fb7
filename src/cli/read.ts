import { type Command, Option } from 'commander'
import { LegibleError } from '../core/legible-error.ts'
import { defaultLimits } from '../core/limits.ts'
import { explain } from './explain.ts'
import { formatValue } from './format-value.ts'
import { loadSchema } from './load-schema.ts'
import { loadTools } from './load-tools.ts'
import { formatIssues, summarize, wantsColor } from './print-issues.ts'
import { type Format, formats, type Reading, readAs } from './read-as.ts'
import { type Input, readInput } from './read-input.ts'
import { UsageError } from './usage-error.ts'
import { wholeNumber } from './whole-number.ts'

interface ReadOptions {
  readonly format: Format
  readonly schema?: string
  readonly section?: readonly string[]
  readonly tools?: string
  readonly json?: true
  readonly explain?: true
  readonly complete?: true
  readonly maxLength: number
  readonly maxDepth: number
}

const help = `
What was read goes to standard output as JSON, what was wrong with the text to standard error.

Formats:
  json      the value in the text, alone, in prose or in a fence, clean or damaged; --schema
  xml       sections between tags, <answer>…</answer>; --section, once for each
  markdown  sections behind headers, # Answer; --section
  labels    sections behind labels, Answer: …; --section
  reply     text, one tool call {"type": "action", …}, or an error of the model; --tools
  plan      the parts Title, Intent, Plan and Tool Calls; --tools to check the calls

Examples:
  legible read reply.txt                                  the JSON value in a reply
  legible read reply.txt --schema invoice.json            fitted to a JSON Schema, and validated
  legible read reply.txt --schema invoice.ts              with zod: export default z.object(…)
  some-model "Three ports, as JSON" | legible read | jq '.[0]'
  legible read -f xml --section thinking --section answer reply.txt | jq -r '.sections.answer[0]'
  legible read -f markdown --section Action --section Answer reply.txt
  legible read -f labels --section Question --section Answer reply.txt
  legible read -f reply --tools tools.json reply.txt      is it a call, and may it run?
  legible read -f plan plan.txt | jq '.toolCalls'
  legible read reply.txt --explain                        what is what in the text
  legible read reply.txt --json | jq -r '.issues[].code'

Exit codes:
    0  it was read; there may be repairs and warnings
    1  an issue is an error: nothing was found, the value does not fit the schema, the call may not
       run. What was found is printed all the same; do not take it for valid.
       Also, with --complete: the text was cut off
    2  it cannot be carried out: wrong usage, an unreadable file, a broken schema, a text that is none.
       With --json: { "ok": false, "error": { "code", "message" } }
  130  interrupted`

export function addReadCommand(program: Command): void {
  program
    .command('read')
    .summary('read JSON, sections, a tool call or a plan in the text of a model')
    .description('Reads what is in the text of a model: JSON unless another format is asked for.')
    .argument('[file]', 'the text, in UTF-8; - or nothing: standard input')
    .addOption(new Option('-f, --format <name>', 'what to read').choices(formats).default('json'))
    .option('-s, --schema <file>', 'json: fit the value to this schema: .json, .yaml, or a module (.js, .ts)')
    .option('--section <name>', 'xml, markdown, labels: a section to expect; may be repeated', collect)
    .option('--tools <file>', 'reply, plan: the tools there are: a list of { name, description, parameters }')
    .option('--json', 'print { ok, value, complete, issues } and nothing on standard error')
    .option('--explain', 'print the text with its parts and issues marked, instead of the value')
    .option('--complete', 'a text that was cut off is a failure: exit code 1')
    .option('--max-length <n>', 'characters that are read', wholeNumber, defaultLimits.maxLength)
    .option('--max-depth <n>', 'lists and objects within each other', wholeNumber, defaultLimits.maxDepth)
    .showHelpAfterError('See legible read --help.')
    .addHelpText('after', help)
    .action(runRead)
}

const collect = (name: string, before: readonly string[] = []) => [...before, name]

async function runRead(file = '-', options: ReadOptions, command: Command): Promise<void> {
  checkOptions(options, (problem) => command.error(`error: ${problem}`))
  const { maxLength, maxDepth } = options
  const schema = options.schema === undefined ? undefined : loadSchema(options.schema)
  const tools = options.tools === undefined ? undefined : loadTools(options.tools)
  const source = await readInput(file, maxLength)
  const reading = usable(options, () =>
    readAs(options.format, source.text, {
      schema,
      tools,
      sections: options.section ?? [],
      limits: { maxLength, maxDepth },
    }),
  )
  const input = { ...source, warnings: [...source.warnings, ...(reading.warnings ?? [])] }
  const { ok, complete } = reading.read
  process.exitCode = ok && (complete || !options.complete) ? 0 : 1
  if (options.json) printReading(reading, input)
  else if (options.explain) printExplanation(reading, input)
  else printValue(reading, input)
  if (!options.json && ok && !complete && options.complete)
    process.stderr.write('legible: the text was cut off (--complete)\n')
}

function checkOptions(options: ReadOptions, fail: (problem: string) => never): void {
  const { format, section, schema, tools, json, explain } = options
  const hasSections = ['xml', 'markdown', 'labels'].includes(format)
  if (hasSections && !section) fail(`--format ${format} needs --section <name>, once for each section`)
  if (!hasSections && section) fail(`--section is for xml, markdown and labels, not for ${format}`)
  if (schema !== undefined && format !== 'json') fail(`--schema is for json, not for ${format}`)
  if (tools !== undefined && format !== 'reply' && format !== 'plan')
    fail(`--tools is for reply and plan, not for ${format}`)
  if (json && explain) fail('--json is for programs, --explain for people: take one of them')
}

function printReading({ read }: Reading, { warnings }: Input): void {
  const { ok, value, complete, issues } = read
  const reading = { ok, value, complete, issues, ...(warnings.length > 0 && { warnings }) }
  process.stdout.write(`${formatValue(reading).text}\n`)
}

function printExplanation({ read, marks }: Reading, { text, name, warnings }: Input): void {
  const { stdout, stderr, env } = process
  for (const warning of warnings) stderr.write(`legible: warning: ${warning}\n`)
  const color = wantsColor(stdout.isTTY, env)
  stdout.write(explain(text, marks(), read.issues, color))
  if (read.issues.length > 0) stdout.write(`\n${formatIssues(text, name, read.issues, color)}`)
  stdout.write(`\n${summarize(read)}\n`)
}

function printValue({ read }: Reading, { text, name, warnings }: Input): void {
  const { stdout, stderr, env } = process
  const { value, issues } = read
  for (const warning of warnings) stderr.write(`legible: warning: ${warning}\n`)
  // Issues first: where both go to a terminal, they must not stand in the middle of the value.
  if (issues.length > 0) stderr.write(formatIssues(text, name, issues, wantsColor(stderr.isTTY, env)))
  if (value !== undefined) {
    const { text: json, lost } = formatValue(value)
    if (lost.length > 0) stderr.write(`legible: warning: ${lost.join(', ')}: not in JSON, printed as null\n`)
    stdout.write(`${json}\n`)
  }
  if (stderr.isTTY) stderr.write(`${summarize(read)}\n`)
}

/** Some schemas, and names of sections, show only when they are used that they cannot be. */
function usable<T>({ schema, tools, format }: ReadOptions, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    const code = schema ? 'cli.invalid_schema' : tools ? 'cli.invalid_tools' : 'cli.usage'
    throw new UsageError(code, `${schema ?? tools ?? `--format ${format}`}: ${error.message}`, {
      cause: error,
    })
  }
}
