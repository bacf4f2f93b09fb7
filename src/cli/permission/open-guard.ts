import { realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { isAbsolute, relative, sep } from 'node:path'
import { LegibleError } from '../../core/legible-error.ts'
import { recordCalls } from '../../durable/audit/record-calls.ts'
import type { RuleScope } from '../../tool/permission/permission.ts'
import type { CallRecord } from '../../tool/run-options.ts'
import { auditFile, permissionsFile } from '../state-folder.ts'
import { UsageError } from '../usage-error.ts'
import { FolderPermissions } from './folder-permissions.ts'
import { LazyAudit } from './lazy-audit.ts'

export interface GuardOptions {
  readonly root: string
  /** The user has named the folder. */
  readonly isNamed: boolean
  readonly command: string
  readonly model: () => string
  readonly allow?: readonly RuleScope[]
  readonly deny?: readonly RuleScope[]
}

/** What stands between models and tools, in every command that has both: the rules of the folder, and the log. */
export interface Guard {
  readonly permissions: FolderPermissions
  readonly record: (record: CallRecord) => Promise<void>
  close(reason: string): Promise<void>
}

/** Throws a UsageError when the rules cannot be read. */
export function openGuard({ root, isNamed, command, model, allow = [], deny = [] }: GuardOptions): Guard {
  const audit = new LazyAudit(auditFile(root), () => ({
    type: 'session-start',
    command,
    model: model(),
    root,
  }))
  // Whoever names no folder may not have thought of what lies in this one.
  const isWide = !isNamed && isWithin(realHome(), root)
  try {
    const permissions = new FolderPermissions({
      file: permissionsFile(root),
      allow: isWide ? allow : [{ capability: 'fs.read' }, ...allow],
      deny,
      record: (entry) => audit.record(entry),
    })
    return { permissions, record: recordCalls(audit), close: (reason) => audit.close(reason) }
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError('cli.invalid_permissions', error.message, { cause: error })
  }
}

/** Also if the way there is a link. */
function realHome(): string {
  try {
    return realpathSync(homedir())
  } catch {
    return homedir()
  }
}

function isWithin(path: string, folder: string): boolean {
  const way = relative(folder, path)
  return way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}
