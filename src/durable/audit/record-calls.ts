import { createHash } from 'node:crypto'
import type { CallRecord } from '../../tool/run-options.ts'
import type { RequestedCall, ToolResult } from '../../tool/tool.ts'
import type { AuditEntry } from './audit-entry.ts'
import type { AuditLog } from './audit-log.ts'

/** What a loop or a chain takes as `record`: every call goes into the log. */
export function recordCalls(log: Pick<AuditLog, 'record'>): (record: CallRecord) => Promise<void> {
  return (record) => log.record(entryOf(record))
}

function entryOf(record: CallRecord): AuditEntry {
  switch (record.type) {
    case 'call-start': {
      const { type, call, needs, permittedBy } = record
      return { type, call: plain(call), needs, permittedBy }
    }
    case 'call-end': {
      const { outcome, milliseconds } = record
      const { id, name } = outcome.call
      return {
        type: 'call-end',
        call: { id, name },
        ok: outcome.ok,
        ...(!outcome.ok && { code: outcome.error.code }),
        milliseconds: Math.round(milliseconds),
        ...(outcome.result && { result: fingerprint(outcome.result) }),
      }
    }
    case 'call-refused': {
      const { type, call, error } = record
      return { type, call: plain(call), code: error.code, reason: error.message }
    }
  }
}

const plain = ({ id, name, arguments: args }: RequestedCall) => ({ id, name, arguments: args })

/** What it can be recognised by, and not what it was. */
function fingerprint({ text, media }: ToolResult): { bytes: number; sha256: string } {
  const hash = createHash('sha256')
  let bytes = 0
  const parts = [typeof text === 'string' ? text : writable(text), ...media.map(({ data }) => data)]
  for (const part of parts) {
    hash.update(part)
    bytes += typeof part === 'string' ? Buffer.byteLength(part) : part.length
  }
  return { bytes, sha256: hash.digest('hex') }
}

function writable(value: unknown): string {
  try {
    return JSON.stringify(value) ?? String(value)
  } catch {
    return String(value)
  }
}
