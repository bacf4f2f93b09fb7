import { closestName } from '../core/closest-name.ts'
import { columns } from '../core/columns.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { AuditEntry } from '../durable/audit/audit-entry.ts'
import { openAuditLog } from '../durable/audit/audit-log.ts'
import { openPermissionFile, type PermissionFile } from '../durable/permission-file.ts'
import type { PermissionRule } from '../tool/permission/permission.ts'
import { folderOf } from './folder-of.ts'
import { FolderPermissions } from './permission/folder-permissions.ts'
import { formatScope, parseScope } from './permission/parse-scope.ts'
import { auditFile, permissionsFile } from './state-folder.ts'
import { UsageError } from './usage-error.ts'

export interface PermissionsOptions {
  readonly root?: string
  readonly for?: number
  readonly json?: true
}

export function listRules(options: PermissionsOptions): void {
  const { rules } = openKept(folderOf(options.root))
  if (options.json) process.stdout.write(`${JSON.stringify({ rules })}\n`)
  else if (rules.length === 0) process.stdout.write('There are no rules: every call is asked about.\n')
  else for (const rule of rules) process.stdout.write(`${ruleLine(rule)}\n`)
}

export async function addRule(
  effect: 'grant' | 'deny',
  scope: string,
  options: PermissionsOptions,
): Promise<void> {
  const root = folderOf(options.root)
  const expires = options.for === undefined ? undefined : new Date(Date.now() + options.for)
  const permissions = openChanging(root)
  const given = parseScope(scope)
  checkName(given.capability)
  const rule = await usable(() => permissions[effect]({ ...given, expires }))
  process.stdout.write(`${options.json ? JSON.stringify(rule) : ruleLine(rule)}\n`)
}

export async function revokeRule(id: string, options: PermissionsOptions): Promise<void> {
  const root = folderOf(options.root)
  const rule = await usable(() => openChanging(root).revoke(id))
  if (!rule) process.exitCode = 1
  if (options.json) process.stdout.write(`${JSON.stringify({ revoked: rule ?? null })}\n`)
  else if (rule) process.stdout.write(`revoked: ${ruleLine(rule)}\n`)
  else process.stderr.write(`legible: there is no rule ${columns(id).text}\n`)
}

const ruleLine = ({ id, effect, expires, ...scope }: PermissionRule): string =>
  columns(`${id.padEnd(4)} ${effect.padEnd(5)} ${formatScope(scope)}${expires ? `  until ${expires}` : ''}`)
    .text

const openKept = (root: string): PermissionFile => {
  try {
    return openPermissionFile(permissionsFile(root))
  } catch (error) {
    throw asUsage(error)
  }
}

async function usable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw asUsage(error)
  }
}

const asUsage = (error: unknown): unknown =>
  error instanceof LegibleError
    ? new UsageError('cli.invalid_permissions', error.message, { cause: error })
    : error

/** The same rules, with a record of each change. */
const openChanging = (root: string): FolderPermissions => {
  const record = async (entry: AuditEntry) => {
    const log = await openAuditLog(auditFile(root))
    await log.record(entry)
    await log.close()
  }
  try {
    return new FolderPermissions({ file: permissionsFile(root), allow: [], deny: [], record })
  } catch (error) {
    throw asUsage(error)
  }
}

/** Which tools there will be is not known here; what is nearly a name of ours is a slip. */
function checkName(capability: string): void {
  const own = ['fs.read', 'fs.write']
  if (own.includes(capability)) return
  const meant = closestName(capability.toLowerCase(), own)
  if (meant === undefined && !/^fs\b/i.test(capability)) return
  throw new UsageError(
    'cli.usage',
    `there is no capability ${JSON.stringify(capability)}; did you mean ${meant ?? own.join(' or ')}?`,
  )
}
