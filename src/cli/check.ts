import type { Command } from 'commander'
import type { CheckOptions } from './run-check.ts'

const help = `
Everything that is wrong is shown in one go, with its place, on standard error. Nothing is run, no model is asked.

A folder means the Agentfiles in it and below: Agentfile and *.agent. Hidden folders and node_modules are passed over.
The files that FROM names are read too. They must be in the folder of the Agentfile, be text, and have at most 1 MiB. For
standard input they are those of the current folder.

Examples:
  legible check research.agent
  legible check .                                 all Agentfiles here and below
  legible check --strict agents/                  for a pipeline: warnings are failures too
  some-model "An Agentfile that …" | legible check -
  legible check --json . | jq -r '.files[] | select(.ok | not) | .file'
  legible check --json a.agent | jq -r '.files[].issues[] | "\\(.line):\\(.column) \\(.message)"'

With --json, standard output is one object, and standard error is empty:
  { "ok", "files": [{ "file", "ok", "issues": [{ "code", "severity", "message", "span", "line", "column" }] }],
    "errors", "warnings" }

Exit codes:
    0  no errors; there may be warnings
    1  a file has errors; with --strict: errors or warnings
    2  it cannot be carried out: wrong usage, no such file, a file that is no text.
       With --json: { "ok": false, "error": { "code", "message" } }
  130  interrupted`

export function addCheckCommand(program: Command): void {
  program
    .command('check')
    .summary('say what is wrong with Agentfiles')
    .description('Says what is wrong with Agentfiles, without running them.')
    .argument('<file...>', 'Agentfiles, or folders of them; - is standard input')
    .option('--strict', 'warnings are failures too')
    .option('--json', 'print { ok, files, errors, warnings } and nothing on standard error')
    .showHelpAfterError('See legible check --help.')
    .addHelpText('after', help)
    .action(async (files: readonly string[], options: CheckOptions) => {
      const { runCheck } = await import('./run-check.ts')
      await runCheck(files, options)
    })
}
