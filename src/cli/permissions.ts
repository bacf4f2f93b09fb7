import { type Command, InvalidArgumentError } from 'commander'
import { closestName } from '../core/closest-name.ts'
import { columns } from '../core/columns.ts'
import { LegibleError } from '../core/legible-error.ts'
import type { AuditEntry } from '../durable/audit/audit-entry.ts'
import { openAuditLog } from '../durable/audit/audit-log.ts'
import { openPermissionFile, type PermissionFile } from '../durable/permission-file.ts'
import { readDuration } from '../schema/duration.ts'
import type { PermissionRule } from '../tool/permission/permission.ts'
import { ChatPermissions } from './chat/chat-permissions.ts'
import { formatScope, parseScope } from './chat/parse-scope.ts'
import { folderOf } from './folder-of.ts'
import { auditFile, permissionsFile } from './state-folder.ts'
import { UsageError } from './usage-error.ts'

interface PermissionsOptions {
  readonly root?: string
  readonly for?: number
  readonly json?: true
}

const help = `
What no rule grants is not permitted, and a rule that denies counts more than any that grants. Reading is not writing.
Rules are kept per folder, in a folder of yours (LEGIBLE_STATE); what lies in a project permits nothing. A chat that runs
sees a change at once. Every change is written down: legible audit.

A scope is a capability, alone or with a place:
  fs.read, fs.write                   files of the folder; the tools say what they need: /tools in legible chat
  fs.write:docs                       what is below docs
  net@example.com, net@*.example.com  a host; those below it
  search                              a tool that says nothing of what it needs: its name

Examples:
  legible permissions                                  the rules for this folder
  legible permissions grant fs.write:docs --for 2h     for two hours
  legible permissions deny fs.read:private
  legible permissions revoke r3

Exit codes:
    0  done
    1  there is no such rule
    2  it cannot be carried out`

export function addPermissionsCommand(program: Command): void {
  const command = program
    .command('permissions')
    .summary('what tools may do in a folder: list, grant, deny, revoke')
    .description('Shows and changes what tools may do in a folder, in every chat from now on.')
    .showHelpAfterError('See legible permissions --help.')
    .addHelpText('after', help)
  command
    .command('list', { isDefault: true })
    .description('the rules that hold')
    .option('--root <dir>', 'the folder (default: the current one)')
    .option('--json', 'as data')
    .action(list)
  for (const effect of ['grant', 'deny'] as const)
    command
      .command(`${effect} <scope>`)
      .description(effect === 'grant' ? 'permit something' : 'forbid something, whatever else permits it')
      .option('--root <dir>', 'the folder (default: the current one)')
      .option('--for <duration>', 'as in 30m, 2h, 7d; for good unless given', duration)
      .option('--json', 'as data')
      .action((scope: string, options: PermissionsOptions) => add(effect, scope, options))
  command
    .command('revoke <id>')
    .description('take a rule back')
    .option('--root <dir>', 'the folder (default: the current one)')
    .option('--json', 'as data')
    .action(revoke)
}

function duration(text: string): number {
  // A bare number would be milliseconds, which nobody means here.
  const milliseconds = /[a-z]/i.test(text) ? readDuration(text) : undefined
  if (milliseconds === undefined || milliseconds < 1000)
    throw new InvalidArgumentError('It must be a duration, as in 30m, 2h or 7d.')
  return milliseconds
}

function list(options: PermissionsOptions): void {
  const { rules } = openKept(folderOf(options.root))
  if (options.json) process.stdout.write(`${JSON.stringify({ rules })}\n`)
  else if (rules.length === 0) process.stdout.write('There are no rules: every call is asked about.\n')
  else for (const rule of rules) process.stdout.write(`${ruleLine(rule)}\n`)
}

async function add(effect: 'grant' | 'deny', scope: string, options: PermissionsOptions): Promise<void> {
  const root = folderOf(options.root)
  const expires = options.for === undefined ? undefined : new Date(Date.now() + options.for)
  const permissions = openChanging(root)
  const given = parseScope(scope)
  checkName(given.capability)
  const rule = await usable(() => permissions[effect]({ ...given, expires }))
  process.stdout.write(`${options.json ? JSON.stringify(rule) : ruleLine(rule)}\n`)
}

async function revoke(id: string, options: PermissionsOptions): Promise<void> {
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
const openChanging = (root: string): ChatPermissions => {
  const record = async (entry: AuditEntry) => {
    const log = await openAuditLog(auditFile(root))
    await log.record(entry)
    await log.close()
  }
  try {
    return new ChatPermissions({ file: permissionsFile(root), allow: [], deny: [], record })
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
