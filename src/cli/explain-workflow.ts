import type { Command } from 'commander'
import type { ExplainOptions } from './run-explain.ts'

export function addExplainCommand(program: Command): void {
  program
    .command('explain')
    .summary('what a workflow would send to models, without asking any')
    .description(
      'Prints what would be sent to a model for each step of a workflow, without asking any. What models would give, and inputs that are not given, are shown as ‹name›.',
    )
    .argument('<file>', 'the Agentfile')
    .option('-i, --input <name=value>', 'an input of the workflow', pair, {})
    .option(
      '--tools <list>',
      'tools of the goals',
      (value: string, before: string[]) => [...before, value],
      [],
    )
    .option('--spawn', 'as if models could spawn agents')
    .option('--json', 'as data')
    .showHelpAfterError('See legible explain --help.')
    .action(async (file: string, options: ExplainOptions) => {
      const { runExplain } = await import('./run-explain.ts')
      await runExplain(file, options)
    })
}

const pair = (text: string, before: Readonly<Record<string, string>>): Record<string, string> => {
  const at = text.indexOf('=')
  return at < 1 ? { ...before } : { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}
