import { type Command, InvalidArgumentError } from 'commander'
import { readDuration } from '../schema/duration.ts'
import type { PermissionsOptions } from './run-permissions.ts'

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
    .action(async (options: PermissionsOptions) => (await actions()).listRules(options))
  for (const effect of ['grant', 'deny'] as const)
    command
      .command(`${effect} <scope>`)
      .description(effect === 'grant' ? 'permit something' : 'forbid something, whatever else permits it')
      .option('--root <dir>', 'the folder (default: the current one)')
      .option('--for <duration>', 'as in 30m, 2h, 7d; for good unless given', duration)
      .option('--json', 'as data')
      .action(async (scope: string, options: PermissionsOptions) =>
        (await actions()).addRule(effect, scope, options),
      )
  command
    .command('revoke <id>')
    .description('take a rule back')
    .option('--root <dir>', 'the folder (default: the current one)')
    .option('--json', 'as data')
    .action(async (id: string, options: PermissionsOptions) => (await actions()).revokeRule(id, options))
}

const actions = () => import('./run-permissions.ts')

function duration(text: string): number {
  // A bare number would be milliseconds, which nobody means here.
  const milliseconds = /[a-z]/i.test(text) ? readDuration(text) : undefined
  if (milliseconds === undefined || milliseconds < 1000)
    throw new InvalidArgumentError('It must be a duration, as in 30m, 2h or 7d.')
  return milliseconds
}
