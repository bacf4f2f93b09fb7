import { createHash } from 'node:crypto'
import { isRecord } from '../../core/is-record.ts'
import type { AuditEntry, MendedEntry } from './audit-entry.ts'
import { redact } from './redact.ts'

/** Where a chain has come to: its last line, by number and by hash. */
export interface ChainPlace {
  readonly seq: number
  readonly hash: string
}

/** Before the first line. */
export const CHAIN_START: ChainPlace = { seq: 0, hash: '0'.repeat(64) }

/** An entry as it stands in the log. */
export interface AuditRecord extends ChainPlace {
  readonly time: string
  readonly prev: string
  readonly type: string
  readonly [member: string]: unknown
}

/** A line, and where the chain is with it. */
export interface AuditLine {
  readonly line: string
  readonly place: ChainPlace
}

/** `{…,"hash":"…"}` */
const hashMember = (hash: string) => `,"hash":"${hash}"}`
const HASH_LENGTH = hashMember(CHAIN_START.hash).length
const hashForm = /^,"hash":"([0-9a-f]{64})"\}$/
const sumForm = /^[0-9a-f]{64}$/

/**
 * The next line of a chain. The hash is that of the bytes of the line itself, up to the hash: whatever is changed in a line,
 * spaces and spellings as well, it no longer fits.
 */
export function formatAuditLine(after: ChainPlace, time: Date, entry: AuditEntry | MendedEntry): AuditLine {
  const seq = after.seq + 1
  // Each member for itself: arguments without end must not push out what a call needs.
  const members = Object.entries(entry).map(([name, value]) => [name, redact(value)])
  const text = JSON.stringify({
    seq,
    time: time.toISOString(),
    ...Object.fromEntries(members),
    prev: after.hash,
  })
  const open = text.slice(0, -1)
  const hash = sum(open)
  return { line: `${open}${hashMember(hash)}`, place: { seq, hash } }
}

/** A line that was read: `intact` if its hash is that of its bytes. Undefined if it is no line of an audit log. */
export function readAuditLine(bytes: Uint8Array): { record: AuditRecord; intact: boolean } | undefined {
  // Declared as what browsers know, too: the types of this entry need none of Node's.
  const line = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const end = line.length - HASH_LENGTH
  if (end <= 0) return undefined
  const [, hash] = hashForm.exec(line.toString('latin1', end)) ?? []
  if (hash === undefined) return undefined
  let record: unknown
  try {
    record = JSON.parse(line.toString())
  } catch {
    return undefined
  }
  if (!isAuditRecord(record)) return undefined
  return { record: { ...record, hash }, intact: sum(line.subarray(0, end)) === hash }
}

function isAuditRecord(value: unknown): value is AuditRecord {
  if (!isRecord(value)) return false
  const { time, type } = value
  return (
    isChainPlace({ seq: value.seq, hash: value.prev }) && typeof time === 'string' && typeof type === 'string'
  )
}

export function isChainPlace(value: unknown): value is ChainPlace {
  if (!isRecord(value)) return false
  const { seq, hash } = value
  return Number.isSafeInteger(seq) && (seq as number) >= 0 && typeof hash === 'string' && sumForm.test(hash)
}

/** Of a line as it would be without its hash. */
const sum = (open: string | Buffer): string => createHash('sha256').update(open).update('}').digest('hex')
