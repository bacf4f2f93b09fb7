import { constants } from 'node:fs'
import { type FileHandle, lstat } from 'node:fs/promises'
import { LegibleError } from '../../core/legible-error.ts'
import { codeOf } from '../../tool/file/file-error.ts'
import { openPrivateFile } from '../private-file.ts'
import { headFile, readHead } from './audit-head.ts'
import { readLogLines } from './audit-lines.ts'
import type { AuditReport } from './audit-report.ts'
import { ChainCheck } from './chain-check.ts'

export interface VerifyAuditOptions {
  /** A hash that was kept elsewhere: some line must have it. */
  readonly head?: string
}

/**
 * Looks at every line of a log: whether one was changed, removed, moved or added. A log of any size takes the same memory.
 * Somebody who can write the files can also write a new log with a new head; only a hash that was kept elsewhere finds that.
 */
export async function verifyAudit(
  file: string,
  { head: kept }: VerifyAuditOptions = {},
): Promise<AuditReport> {
  if (kept !== undefined && !/^[0-9a-f]{64}$/.test(kept))
    throw new LegibleError(
      'audit.invalid_head',
      'The hash that was kept must be 64 digits, 0 to 9 and a to f.',
    )
  // Before the log: a line that is added in the meantime is then behind the head, which is in order.
  const head = await readHead(file)
  const check = new ChainCheck(head, kept)
  const log = await openLog(file)
  if (log) {
    try {
      for await (const lines of readLogLines(log, file)) for (const line of lines) check.look(line)
    } finally {
      await log.close()
    }
    if (!head) check.tell('head_missing', `${headFile(file)} is missing: the end may be cut off`)
    await checkMode(file, check)
  } else if (head?.seq !== 0) check.tell('file_missing', `${file} is missing`)
  if (head) await checkMode(headFile(file), check)
  // What was added while this was read is in the head by now. A crash leaves one line behind it, and no more.
  const latest = head && ((await readHead(file)) ?? head)
  const behindHead = latest ? Math.max(0, check.last.seq - latest.seq) : 0
  if (behindHead > 1)
    check.tell('not_in_head', `${behindHead} entries are behind the head: a crash leaves one at the most`)
  const problems = check.end()
  return {
    ok: check.count === 0,
    entries: check.entries,
    last: check.last,
    behindHead,
    problems,
    problemCount: check.count,
  }
}

async function openLog(file: string): Promise<FileHandle | undefined> {
  try {
    return await openPrivateFile(file, constants.O_RDONLY)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

async function checkMode(file: string, check: ChainCheck): Promise<void> {
  // Windows has no such bits.
  if (process.platform === 'win32') return
  const mode = (await lstat(file)).mode & 0o777
  if ((mode & 0o077) !== 0)
    check.tell('permissions', `${file} can be used by others (mode ${mode.toString(8)}, not 600)`)
}
