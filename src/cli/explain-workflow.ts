import { type Command, Option } from 'commander'
import { collect, inputPair } from './input-options.ts'
import type { ExplainOptions } from './run-explain.ts'

export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .summary('what a workflow would send to models, without asking any')
    .description(
      'Prints what would be sent to a model for each step of a workflow, without asking any. What models would give, and inputs that are not given, are shown as ‹name›, those that have a type by an example of it.',
    )
    .argument('[file]', 'the Agentfile; a folder means the one in it', 'Agentfile')
    .addOption(
      new Option('-i, --input <name=value>', 'an input of the workflow')
        .argParser(inputPair)
        .default({}, 'those in the file'),
    )
    .addOption(
      new Option('--tools <list>', 'tools of the goals')
        .argParser(collect)
        .default([], 'those of legible.toml'),
    )
    .option('--spawn', 'as if models could spawn agents')
    .option('--json', 'as data')
    .showHelpAfterError('See legible explain --help.')
    .action(async (file: string, options: ExplainOptions) => {
      const { runExplain } = await import('./run-explain.ts')
      await runExplain(file, options)
    })
}
