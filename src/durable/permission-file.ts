import { readFileSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { isRecord } from '../core/is-record.ts'
import { LegibleError } from '../core/legible-error.ts'
import { codeOf } from '../tool/file/file-error.ts'
import { createPermissions, lastNumber } from '../tool/permission/create-permissions.ts'
import type { PermissionRule, Permissions, RuleScope } from '../tool/permission/permission.ts'
import { withFileLock } from './file-lock.ts'
import { makePrivateFolder } from './private-file.ts'
import { replacePrivateFile } from './replace-private-file.ts'

/** Permissions that outlast the process. */
export interface PermissionFile extends Pick<Permissions, 'rules' | 'check'> {
  grant(scope: RuleScope): Promise<PermissionRule>
  deny(scope: RuleScope): Promise<PermissionRule>
  revoke(id: string): Promise<PermissionRule | undefined>
}

/**
 * Permissions in a file. What another process changes counts from its next check on, so that a rule which is revoked there is
 * revoked here. The file belongs in a folder of the user's own: in a project it could come from anybody. Throws a LegibleError
 * when the file is none of permissions: what it denied would be forgotten otherwise.
 */
export function openPermissionFile(file: string): PermissionFile {
  let version = versionOf(file)
  let kept = readKept(file)
  let store = createPermissions(kept.rules)
  const fresh = (): Permissions => {
    const now = versionOf(file)
    if (now !== version) {
      kept = readKept(file)
      store = createPermissions(kept.rules)
      version = now
    }
    return store
  }
  const change = async <T>(work: (store: Permissions) => T): Promise<T> => {
    await makePrivateFolder(dirname(file))
    return withFileLock(file, async () => {
      // On a copy: what cannot be written down has not changed.
      const { rules } = fresh()
      const changed = createPermissions(rules, { last: kept.last })
      const result = work(changed)
      const last = lastNumber(changed.rules, kept.last)
      await replacePrivateFile(file, `${JSON.stringify({ rules: changed.rules, last }, null, 2)}\n`)
      return result
    })
  }
  return {
    get rules() {
      return fresh().rules
    },
    check: (needs) => fresh().check(needs),
    grant: (scope) => change((one) => one.grant(scope)),
    deny: (scope) => change((one) => one.deny(scope)),
    revoke: (id) => change((one) => one.revoke(id)),
  }
}

/** A file that is replaced has another number, whatever the clock says. */
function versionOf(file: string): string {
  const stats = statSync(file, { bigint: true, throwIfNoEntry: false })
  return stats ? `${stats.ino} ${stats.mtimeNs} ${stats.size}` : ''
}

interface Kept {
  readonly rules: readonly PermissionRule[]
  /** The number of the last rule there was. */
  readonly last: number
}

function readKept(file: string): Kept {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return { rules: [], last: 0 }
    throw error
  }
  try {
    const { rules, last = 0 } = JSON.parse(text)
    if (!Array.isArray(rules) || !rules.every(isRecord)) throw new Error('it holds no list of rules')
    // Read before those that have expired are gone.
    const given = rules as unknown as PermissionRule[]
    return { rules: createPermissions(given).rules, last: lastNumber(given, Number(last) || 0) }
  } catch (cause) {
    const problem = cause instanceof Error ? cause.message : String(cause)
    throw new LegibleError(
      'permission.invalid_file',
      `${file} cannot be read as permissions: ${problem} Mend it, or remove it to begin anew.`,
      { cause },
    )
  }
}
