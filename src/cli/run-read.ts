import type { Command } from 'commander'
import { LegibleError } from '../core/legible-error.ts'
import { explain } from './explain.ts'
import { formatValue } from './format-value.ts'
import { formatIssues, summarize, wantsColor } from './print-issues.ts'
import { type Reading, readAs } from './read-as.ts'
import type { Format } from './read-formats.ts'
import { type Input, readInput } from './read-input.ts'
import { UsageError } from './usage-error.ts'

export interface ReadOptions {
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

export async function runRead(file = '-', options: ReadOptions, command: Command): Promise<void> {
  checkOptions(options, (problem) => command.error(`error: ${problem}`))
  const { maxLength, maxDepth } = options
  // These may be YAML, whose reader takes a while to load: most texts are read without them.
  const schema =
    options.schema === undefined ? undefined : (await import('./load-schema.ts')).loadSchema(options.schema)
  const tools =
    options.tools === undefined ? undefined : (await import('./load-tools.ts')).loadTools(options.tools)
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
