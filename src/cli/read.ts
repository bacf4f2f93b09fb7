import { createReadStream } from 'node:fs'
import { type Command, InvalidArgumentError } from 'commander'
import { LegibleError } from '../core/legible-error.ts'
import { defaultLimits } from '../core/limits.ts'
import { createJsonReader } from '../json/create-json-reader.ts'
import { formatValue } from './format-value.ts'
import { loadSchema } from './load-schema.ts'
import { formatIssues, summarize, wantsColor } from './print-issues.ts'
import { fileError, UsageError } from './usage-error.ts'

interface ReadOptions {
  readonly schema?: string
  readonly json?: true
  readonly maxLength: number
  readonly maxDepth: number
}

const help = `
The value goes to standard output, what was wrong with the text to standard error.

Examples:
  legible read reply.txt                        the JSON value in a reply
  legible read reply.txt --schema invoice.json  fitted to a JSON Schema, and validated
  legible read reply.txt --schema invoice.ts    with zod: export default z.object(…)
  some-model "Three ports, as JSON" | legible read | jq '.[0]'
  legible read reply.txt --json | jq -r '.issues[].code'

Exit codes:
    0  a value was read; there may be repairs and warnings
    1  an issue is an error: nothing found, or the value does not fit the schema
    2  it cannot be carried out: wrong usage, an unreadable file, a broken schema
  130  interrupted`

export function addReadCommand(program: Command): void {
  program
    .command('read')
    .summary('read the JSON value in the text of a model')
    .description(
      'Reads the JSON value in the text of a model: alone, in prose or in a fence, clean, damaged or cut off.',
    )
    .argument('[file]', 'the text; - or nothing: standard input')
    .option('-s, --schema <file>', 'fit the value to this schema: .json, .yaml, or a module (.js, .ts)')
    .option('--json', 'print { ok, value, complete, issues } and nothing on standard error')
    .option('--max-length <n>', 'characters that are read', count, defaultLimits.maxLength)
    .option('--max-depth <n>', 'lists and objects within each other', count, defaultLimits.maxDepth)
    .addHelpText('after', help)
    .action(runRead)
}

function count(text: string): number {
  if (!/^[1-9]\d*$/.test(text)) throw new InvalidArgumentError('It must be a whole number above 0.')
  return Number(text)
}

async function runRead(file = '-', options: ReadOptions): Promise<void> {
  const { maxLength, maxDepth } = options
  const schema = options.schema === undefined ? undefined : loadSchema(options.schema)
  const reader = createJsonReader(schema, { limits: { maxLength, maxDepth } })
  const chunks: string[] = []
  for await (const chunk of open(file)) {
    reader.push(chunk)
    chunks.push(chunk)
  }
  const read = finish(options.schema, () => reader.end())
  const { ok, value, complete, issues } = read
  process.exitCode = ok ? 0 : 1

  if (options.json) {
    process.stdout.write(`${formatValue({ ok, value, complete, issues }).text}\n`)
    return
  }
  // Issues first: where both go to a terminal, they must not stand in the middle of the value.
  const { stderr, env } = process
  const name = file === '-' ? 'stdin' : file
  const color = wantsColor(stderr.isTTY, env)
  if (issues.length > 0) stderr.write(formatIssues(chunks.join(''), name, issues, color))
  if (value !== undefined) {
    const { text, lost } = formatValue(value)
    if (lost.length > 0) stderr.write(`${lost.join(', ')}: not in JSON, printed as null\n`)
    process.stdout.write(`${text}\n`)
  }
  if (stderr.isTTY) stderr.write(`${summarize(read)}\n`)
}

/** The text, piece by piece. */
async function* open(file: string): AsyncGenerator<string> {
  const { stdin, stderr } = process
  if (file === '-' && stdin.isTTY)
    stderr.write(
      `Waiting for text on standard input. End it with ${process.platform === 'win32' ? 'Ctrl-Z and Enter' : 'Ctrl-D'}.\n`,
    )
  const stream = file === '-' ? stdin.setEncoding('utf8') : createReadStream(file, 'utf8')
  try {
    yield* stream as AsyncIterable<string>
  } catch (error) {
    throw fileError(file === '-' ? 'standard input' : file, error)
  }
}

/** Some schemas show only when they are used that they cannot be. */
function finish<T>(schema: string | undefined, end: () => T): T {
  try {
    return end()
  } catch (error) {
    if (error instanceof LegibleError) throw new UsageError(`${schema}: ${error.message}`, { cause: error })
    throw error
  }
}
