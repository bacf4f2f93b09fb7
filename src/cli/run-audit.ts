import { once } from 'node:events'
import { constants } from 'node:fs'
import { join, resolve } from 'node:path'
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

export interface AuditOptions {
  readonly root?: string
  readonly file?: string
  readonly json?: true
  readonly last?: number
  readonly head?: string
}

const logOf = ({ root = '.', file }: AuditOptions) => file ?? join(resolve(root), '.legible', 'audit.jsonl')

export async function showAudit(options: AuditOptions): Promise<void> {
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

export async function verifyLog(options: AuditOptions): Promise<void> {
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
