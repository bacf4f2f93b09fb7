import { type Command, InvalidArgumentError } from 'commander'
import type { AuditOptions } from './run-audit.ts'
import { wholeNumber } from './whole-number.ts'

const help = `
A log has a line for each session, each call of a tool and each change of permissions. Secrets are taken out before a
line is written: by their names (password, apiKey, Authorization), and by what they look like (keys of providers,
tokens, private keys, passwords in URLs). Of what a tool gave, there is the length and the SHA-256.

Only the owner can read the files. Each line has the hash of the one before it, so that no line can be changed,
removed or moved unseen: legible audit verify finds it.

Examples:
  legible audit --last 20                      what happened last
  legible audit --root ../project              of another folder
  legible audit --json | jq 'select(.type == "call-refused")'
  legible audit verify                         whether the log is as it was written

Exit codes:
    0  shown
    2  it cannot be carried out: wrong usage, no log, an unreadable file`

const verifyHelp = `
It finds lines that were changed, removed, moved, repeated or added, an end that was cut off, and files that others
may read. The file audit.jsonl.head beside the log says where it ends.

Whoever can write both files can also write both of them anew. Keep the hash that is printed somewhere else; later,
--head says whether the log still goes on from there.

Examples:
  legible audit verify
  legible audit verify --json | jq -r .last.hash > /media/stick/head
  legible audit verify --head "$(cat /media/stick/head)"

Exit codes:
    0  the log is as it was written
    1  it is not: the problems are listed
    2  it cannot be carried out: wrong usage, no log, an unreadable file`

export function addAuditCommand(program: Command): void {
  const audit = program
    .command('audit')
    .summary('show what sessions have done, and whether the log is whole')
    .description('Shows what sessions have done, a line for each thing, as the log of a folder has it.')
    .option('--last <n>', 'only the last entries', wholeNumber)
    .addHelpText('after', help)
    .action(async (options: AuditOptions) => (await actions()).showAudit(options))
  const verify = audit
    .command('verify')
    .summary('find any edit, deletion or reorder')
    .description('Finds any edit, deletion or reorder in the log.')
    .option('--head <hash>', 'a hash that was kept elsewhere: the log must have it', hashOf)
    .addHelpText('after', verifyHelp)
    .action(async (_, command: Command) => (await actions()).verifyLog(command.optsWithGlobals()))
  for (const command of [audit, verify])
    command
      .option('--root <dir>', 'the folder whose log it is (default: this one)')
      .option('--file <file>', 'a log that stands elsewhere (default: .legible/audit.jsonl in the root)')
      .option('--json', 'for programs')
      .showHelpAfterError(`See legible audit ${command === verify ? 'verify ' : ''}--help.`)
}

const actions = () => import('./run-audit.ts')

function hashOf(text: string): string {
  const hash = text.trim().toLowerCase()
  if (!/^[0-9a-f]{64}$/.test(hash)) throw new InvalidArgumentError('It must be 64 digits, 0 to 9 and a to f.')
  return hash
}
