import type { Command } from 'commander'
import type { FmtOptions } from './run-fmt.ts'

const help = `
Files are replaced whole or not at all; their permissions and line ends stay. The names of files that were changed (with
--check: that are not as they should be) go to standard output, one a line, and all else to standard error.

What stays as it is:
  - a file with errors: they are shown, and nothing of it is written. Files beside it are formatted.
  - a file with older spellings, such as WORKFLOW, LOOP or {{name}}: they are shown, and --fix rewrites them. The file then
    means the same, but programs that know only the older language may not read it.
  - files that FROM names

Examples:
  legible fmt research.agent
  legible fmt .                                   all Agentfiles here and below
  legible fmt --check .                           for a pipeline: is all as it should be?
  legible fmt --fix old.agent                     older spellings become the modern ones
  legible fmt --fix --stdout old.agent | diff old.agent -
  legible fmt - < research.agent                  for an editor

Exit codes:
    0  all files are in their form now; with --check: they were already
    1  a file is not: it has errors, or older spellings and there is no --fix; with --check: or it would change
    2  it cannot be carried out: wrong usage, no such file, a file that is no text or cannot be written
  130  interrupted`

export function addFmtCommand(program: Command): void {
  program
    .command('fmt')
    .summary('write Agentfiles in the one way they should look')
    .description('Writes Agentfiles in the one way they should look.')
    .argument('<file...>', 'Agentfiles, or folders of them; - is standard input, and goes to standard output')
    .option('--check', 'write nothing; exit code 1 if a file would change')
    .option('--fix', 'rewrite older spellings too')
    .option('--stdout', 'print the file instead of writing it')
    .showHelpAfterError('See legible fmt --help.')
    .addHelpText('after', help)
    .action(async (files: readonly string[], options: FmtOptions, command: Command) => {
      const { runFmt } = await import('./run-fmt.ts')
      await runFmt(files, options, command)
    })
}
