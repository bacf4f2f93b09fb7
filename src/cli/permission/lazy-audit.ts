import { dirname } from 'node:path'
import type { AuditEntry } from '../../durable/audit/audit-entry.ts'
import { type AuditLog, openAuditLog } from '../../durable/audit/audit-log.ts'
import { makeLegibleFolder } from '../state-folder.ts'

/** The log is opened by the first thing that is worth recording: without calls nothing is left in the folder. */
export class LazyAudit {
  private readonly file: string
  private readonly first: () => AuditEntry
  private log: Promise<AuditLog> | undefined

  constructor(file: string, first: () => AuditEntry) {
    this.file = file
    this.first = first
  }

  async record(entry: AuditEntry): Promise<void> {
    this.log ??= this.open()
    try {
      await (await this.log).record(entry)
    } catch (error) {
      // The disk may have room again the next time.
      this.log = undefined
      throw error
    }
  }

  async close(reason: string): Promise<void> {
    try {
      const log = await this.log
      await log?.record({ type: 'session-end', reason })
      await log?.close()
    } catch {
      // It was told when a call could not be recorded.
    }
  }

  private async open(): Promise<AuditLog> {
    // The log stands in `.legible` of the root.
    await makeLegibleFolder(dirname(dirname(this.file)))
    const log = await openAuditLog(this.file)
    await log.record(this.first())
    return log
  }
}
