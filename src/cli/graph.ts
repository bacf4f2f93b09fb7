import { realpathSync, writeFileSync } from 'node:fs'
import { extname } from 'node:path'
import { type Command, Option } from 'commander'
import { formatMermaid } from '../agentfile/graph/format-mermaid.ts'
import { formatSvg } from '../agentfile/graph/format-svg.ts'
import { graphOf } from '../agentfile/graph/graph-of.ts'
import { openAgentfile, readWithFiles } from './agentfile-files.ts'
import { formatIssues, wantsColor } from './print-issues.ts'
import { UsageError } from './usage-error.ts'

const formats = { mermaid: formatMermaid, svg: formatSvg }

interface GraphOptions {
  readonly format?: keyof typeof formats
  readonly out?: string
}

const help = `
What runs after what, who works at the same time, what is repeated and how often, who decides, and which values go where.

Formats:
  mermaid  text, which many pages of documentation draw: put it in a block \`\`\`mermaid
  svg      a picture in one file, without scripts; it follows light and dark

Examples:
  legible graph research.agent                    Mermaid, on standard output
  legible graph research.agent --out research.svg
  legible graph --format svg research.agent > research.svg

Exit codes:
    0  drawn; there may be warnings, which legible check shows
    1  the file has errors: they are shown, and nothing is drawn
    2  it cannot be carried out: wrong usage, no such file, a place that cannot be written to
  130  interrupted`

export function addGraphCommand(program: Command): void {
  program
    .command('graph')
    .summary('draw the workflow of an Agentfile')
    .description('Draws the workflow of an Agentfile, as Mermaid or as a picture.')
    .argument('<file>', 'an Agentfile; - is standard input')
    .addOption(
      new Option(
        '-f, --format <name>',
        'how; without it, what the ending of --out says, else mermaid',
      ).choices(Object.keys(formats)),
    )
    .option('-o, --out <file>', 'where to; without it, standard output')
    .showHelpAfterError('See legible graph --help.')
    .addHelpText('after', help)
    .action(runGraph)
}

async function runGraph(file: string, { format, out }: GraphOptions): Promise<void> {
  const input = await openAgentfile(file)
  const { read, files } = readWithFiles(file, input)
  if (!read.ok) {
    const { stderr, env } = process
    const errors = read.issues.filter(({ severity }) => severity === 'error')
    stderr.write(formatIssues(input.text, input.name, errors, wantsColor(stderr.isTTY, env)))
    process.exitCode = 1
    return
  }
  const chosen = format ?? (extname(out ?? '').toLowerCase() === '.svg' ? 'svg' : 'mermaid')
  const drawn = formats[chosen](graphOf(read.value, files))
  if (out === undefined || out === '-') process.stdout.write(drawn)
  else write(out, drawn, file)
}

function write(out: string, text: string, source: string): void {
  try {
    if (source !== '-' && isSame(out, source))
      throw new UsageError('cli.usage', `${out}: this is the Agentfile itself; write the picture elsewhere`)
    writeFileSync(out, text)
  } catch (error) {
    if (error instanceof UsageError) throw error
    const { message } = error as Error
    throw new UsageError('cli.unreadable_file', `${out}: it cannot be written: ${message}`, { cause: error })
  }
}

function isSame(a: string, b: string): boolean {
  try {
    return realpathSync(a) === realpathSync(b)
  } catch {
    return false
  }
}
