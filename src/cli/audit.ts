import { once } from 'node:events'
import { constants } from 'node:fs'
import { join, resolve } from 'node:path'
import { type Command, InvalidArgumentError } from 'commander'
import { columns } from '../core/columns.ts'
import { LegibleError } from '../core/legible-error.ts'
import { readAuditLine } from '../durable/audit/audit-line.ts'
import { type LogLine, readLogLines } from '../durable/audit/audit-lines.ts'
import type { AuditReport } from '../durable/audit/audit-report.ts'
import { verifyAudit } from '../durable/audit/verify-audit.ts'
import { openPrivateFile } from '../durable/private-file.ts'
import { formatAuditEntry } from './audit-output.ts'
import { type Paint, paintOf } from './paint.ts'
import { wantsColor } from './print-issues.ts'
import { fileError, UsageError } from './usage-error.ts'
import { wholeNumber } from './whole-number.ts'

interface AuditOptions {
  readonly root?: string
  readonly file?: string
  readonly json?: true
  readonly last?: number
  readonly head?: string
}

const help = `
A log has a line for each session, each call of a tool and each change of permissions. Secrets are taken out before a
line is written: by their names (password, apiKey, Authorization), and by what they look like (keys of providers,
tokens, private keys, passwords in URLs). Of what a tool gave, there is the length and the SHA-256.

Only the owner can read the files. Each line has the hash of the one before it, so that no line can be changed,
removed or moved unseen: legible audit verify finds it.

Examples:
  legible audit --last 20                      what happened last
  legible audit --root ../project              of another folder
  legible audit --json | jq 'select(.type == "call-refused")'
  legible audit verify                         whether the log is as it was written

Exit codes:
    0  shown
    2  it cannot be carried out: wrong usage, no log, an unreadable file`

const verifyHelp = `
It finds lines that were changed, removed, moved, repeated or added, an end that was cut off, and files that others
may read. The file audit.jsonl.head beside the log says where it ends.

Whoever can write both files can also write both of them anew. Keep the hash that is printed somewhere else; later,
--head says whether the log still goes on from there.

Examples:
  legible audit verify
  legible audit verify --json | jq -r .last.hash > /media/stick/head
  legible audit verify --head "$(cat /media/stick/head)"

Exit codes:
    0  the log is as it was written
    1  it is not: the problems are listed
    2  it cannot be carried out: wrong usage, no log, an unreadable file`

export function addAuditCommand(program: Command): void {
  const audit = program
    .command('audit')
    .summary('show what sessions have done, and whether the log is whole')
    .description('Shows what sessions have done, a line for each thing, as the log of a folder has it.')
    .option('--last <n>', 'only the last entries', wholeNumber)
    .addHelpText('after', help)
    .action(runShow)
  const verify = audit
    .command('verify')
    .summary('find any edit, deletion or reorder')
    .description('Finds any edit, deletion or reorder in the log.')
    .option('--head <hash>', 'a hash that was kept elsewhere: the log must have it', hashOf)
    .addHelpText('after', verifyHelp)
    .action((_, command: Command) => runVerify(command.optsWithGlobals()))
  for (const command of [audit, verify])
    command
      .option('--root <dir>', 'the folder whose log it is (default: this one)')
      .option('--file <file>', 'a log that stands elsewhere (default: .legible/audit.jsonl in the root)')
      .option('--json', 'for programs')
      .showHelpAfterError(`See legible audit ${command === verify ? 'verify ' : ''}--help.`)
}

const logOf = ({ root = '.', file }: AuditOptions) => file ?? join(resolve(root), '.legible', 'audit.jsonl')

function hashOf(text: string): string {
  const hash = text.trim().toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new InvalidArgumentError('It must be 64 digits, 0 to 9 and a to f.')
  return hash
}

async function runShow(options: AuditOptions): Promise<void> {
  const file = logOf(options)
  const { stdout, env } = process
  const paint = paintOf(wantsColor(stdout.isTTY, env))
  const format = (line: LogLine) => (options.json ? jsonLine(line) : entryLine(line, paint))
  const kept: LogLine[] = []
  for await (const lines of linesOf(file)) {
    if (options.last === undefined) await write(lines.map(format).join(''))
    else {
      for (const line of lines) kept.push(line)
      kept.splice(0, kept.length - options.last)
    }
  }
  for (const line of kept) await write(format(line))
}

async function* linesOf(file: string): AsyncGenerator<readonly LogLine[]> {
  const handle = await openPrivateFile(file, constants.O_RDONLY).catch((error: unknown) => {
    throw readable(file, error)
  })
  try {
    yield* readLogLines(handle, file)
  } finally {
    await handle.close()
  }
}

/** A line of a log as it stands there. What is none says so: nothing is left out. */
function jsonLine({ number, bytes }: LogLine): string {
  const text =
    bytes && readAuditLine(bytes) ? bytes.toString() : JSON.stringify({ line: number, unreadable: true })
  return `${process.stdout.isTTY ? columns(text).text : text}\n`
}

function entryLine({ number, bytes }: LogLine, paint: Paint): string {
  const read = bytes && readAuditLine(bytes)
  if (!read) return `${paint.red(`line ${number} is no line of an audit log`)}\n`
  const note = read.intact ? '' : paint.red(' (not as it was written)')
  return `${formatAuditEntry(read.record, paint)}${note}\n`
}

async function runVerify(options: AuditOptions): Promise<void> {
  const file = logOf(options)
  const { head } = options
  const report = await verifyAudit(file, head === undefined ? {} : { head }).catch((error: unknown) => {
    throw readable(file, error)
  })
  const [only] = report.problems
  if (report.problemCount === 1 && only?.kind === 'file_missing') throw noLog(file)
  await write(options.json ? `${JSON.stringify(report, null, 2)}\n` : reportText(report))
  if (!report.ok) process.exitCode = 1
}

function reportText({ ok, entries, last, behindHead, problems, problemCount }: AuditReport): string {
  const paint = paintOf(wantsColor(process.stdout.isTTY, process.env))
  const count = (n: number, one: string, many: string) => `${n} ${n === 1 ? one : many}`
  const lines = problems.map(({ kind, line, message }) => {
    const where = line === undefined ? '' : `line ${line}: `
    return columns(`${where}${kind}: ${message}`).text
  })
  if (problemCount > problems.length) lines.push(`… and ${problemCount - problems.length} more`)
  const size = count(entries, 'entry', 'entries')
  lines.push(
    ok
      ? paint.green(`✓ ${size}, as they were written`)
      : paint.red(`✗ ${count(problemCount, 'problem', 'problems')} in ${size}`),
  )
  if (behindHead > 0) {
    const words = count(behindHead, 'entry is', 'entries are')
    lines.push(`${words} behind the head, in a chain that is right: a session ended in the middle of a write`)
  }
  lines.push(paint.dim(`head: ${last.hash}`))
  return lines.map((line) => `${line}\n`).join('')
}

/** What the person can do about a file. */
function readable(file: string, error: unknown): unknown {
  if (error instanceof LegibleError)
    return new UsageError('cli.unreadable_file', error.message, { cause: error })
  const { code } = error as NodeJS.ErrnoException
  if (code === 'ENOENT') return noLog(file)
  return code === undefined ? error : fileError(file, error)
}

const noLog = (file: string) =>
  new UsageError('cli.unreadable_file', `${file}: there is no audit log; sessions in this folder write one`)

/** A log may be larger than what a pipe takes at once. */
async function write(text: string): Promise<void> {
  if (!process.stdout.write(text)) await once(process.stdout, 'drain')
}
