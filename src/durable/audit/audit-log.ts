import { lstat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LegibleError } from '../../core/legible-error.ts'
import { codeOf } from '../../tool/file/file-error.ts'
import { type AppendFile, openAppendFile, writeError } from '../append-file.ts'
import { withFileLock } from '../file-lock.ts'
import { makePrivateFolder } from '../private-file.ts'
import type { AuditEntry, MendedEntry } from './audit-entry.ts'
import { prepareHead, readHead, writeFirstHead } from './audit-head.ts'
import { type AuditLine, CHAIN_START, type ChainPlace, formatAuditLine, readAuditLine } from './audit-line.ts'

/** Numbers beyond this are not gone on from: they would end. */
const MOST_LINES = 2 ** 52

/** What was done, one line each, in a chain of hashes. */
export interface AuditLog {
  /** Adds an entry, without the secrets in it. It is on the disk when this resolves. */
  record(entry: AuditEntry): Promise<void>
  /** Waits for what is being recorded. */
  close(): Promise<void>
}

/**
 * A log that several processes may write to. Each entry takes the file as it then is: another process may have added to it, and
 * a person may have removed it. A chain that is broken is gone on from, and stays broken.
 */
export async function openAuditLog(file: string): Promise<AuditLog> {
  let latest: ChainPlace = CHAIN_START
  let last: Promise<unknown> = Promise.resolve()
  let closed = false
  const add = async (entry?: AuditEntry) => {
    try {
      await makePrivateFolder(dirname(file))
      latest = await withFileLock(file, () => addTo(file, latest, entry))
    } catch (error) {
      throw writeError(file, error)
    }
  }
  // What the last process has left torn is mended now, and a file that cannot be written to is noticed.
  await add()
  return {
    async record(entry) {
      if (closed) throw new LegibleError('durable.closed', `The audit log ${file} was closed.`)
      const done = last.then(() => add(entry))
      last = done.catch(() => {})
      await done
    },
    async close() {
      closed = true
      await last
    },
  }
}

/** Only while the lock is held. `latest`: where this process left the chain. Gives where it is now. */
async function addTo(file: string, latest: ChainPlace, entry: AuditEntry | undefined): Promise<ChainPlace> {
  const head = await readHead(file)
  const isNew = head === undefined && latest.seq === 0 && !(await exists(file))
  if (isNew) await writeFirstHead(file)
  const log = await openAppendFile(file)
  try {
    const entries: (AuditEntry | MendedEntry)[] = []
    if (log.torn) entries.push({ type: 'log-mended', found: 'torn', ...log.torn })
    if (!head && !isNew) entries.push({ type: 'log-mended', found: 'head_missing' })
    if (entry) entries.push(entry)
    return await addEntries(file, log, placeIn(log, head, latest), entries)
  } finally {
    await log.close()
  }
}

async function addEntries(
  file: string,
  log: AppendFile,
  from: ChainPlace,
  entries: readonly (AuditEntry | MendedEntry)[],
): Promise<ChainPlace> {
  if (entries.length === 0) return from
  const now = new Date()
  const lines: AuditLine[] = []
  let place = from
  for (const entry of entries) {
    const next = formatAuditLine(place, now, entry)
    lines.push(next)
    place = next.place
  }
  const putHead = await prepareHead(file, place)
  await log.append(...lines.map(({ line }) => line))
  await putHead()
  return place
}

/**
 * Where the chain goes on. The head, or what this process remembers, may be further than the log: then lines are gone, and the gap
 * must stay visible. The log is further than the head after a crash.
 */
function placeIn({ lastLine }: AppendFile, head: ChainPlace | undefined, latest: ChainPlace): ChainPlace {
  const known = head && head.seq >= latest.seq ? head : latest
  const read = lastLine && readAuditLine(lastLine)
  const isFurther = read?.intact && read.record.seq > known.seq && read.record.seq < MOST_LINES
  return isFurther ? { seq: read.record.seq, hash: read.record.hash } : known
}

async function exists(file: string): Promise<boolean> {
  try {
    await lstat(file)
    return true
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return false
    throw error
  }
}
