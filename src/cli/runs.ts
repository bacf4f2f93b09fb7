import type { Command } from 'commander'
import { addEngineOptions, type EngineChoice } from './engine-options.ts'

export function addRunsCommands(program: Command): void {
  const runs = program
    .command('runs')
    .summary('list the runs of this folder, or of an engine')
    .description('Lists the runs of this folder, or those of an engine, the last one first.')
    .option('--json', 'as data')
    .action(async (options: EngineChoice & { json?: true }) => {
      const { listRuns } = await import('./workflow/runs-commands.ts')
      await listRuns(options)
    })
  const show = program
    .command('show')
    .summary('what happened in a run: prompts, replies, issues, tokens, time')
    .description('Prints what happened in a run.')
    .argument('[run]', 'its id, or the beginning of it; the last run unless given')
    .option('--json', 'as data')
    .action(async (run: string | undefined, options: EngineChoice & { json?: true }) => {
      const { showCommand } = await import('./workflow/runs-commands.ts')
      await showCommand(run, options)
    })
  const replay = program
    .command('replay')
    .summary('go through a run once more, against the replies that it got')
    .description(
      'Carries out a run against the replies that were recorded, without asking any model, and reports what differs: questions that are asked differently, steps that are new or missing, other results.',
    )
    .argument('[run]', 'its id, or the beginning of it; the last run unless given')
    .option('--file <file>', 'the Agentfile as it is now, instead of the one that the run was started with')
    .option('--json', 'as data')
    .addHelpText(
      'after',
      '\nExit codes:\n    0  nothing differs\n    1  something differs\n    2  it cannot be carried out',
    )
    .action(async (run: string | undefined, options: EngineChoice & { file?: string; json?: true }) => {
      const { replayCommand } = await import('./workflow/runs-commands.ts')
      await replayCommand(run, options)
    })
  const approve = program
    .command('approve')
    .summary('say yes to what a run waits for')
    .description(
      'Says yes to what a run waits for: goals that a person judges, calls that need permission. legible resume goes on, at an engine the run does so itself.',
    )
    .argument('[run]', 'its id, or the beginning of it; the last run that waits unless given')
    .argument('[id...]', 'which of the requests, by its id or the beginning of it; all unless given')
    .option('--again <correction>', 'have a goal done again, with what to do differently')
    .action(
      async (
        run: string | undefined,
        ids: string[],
        { again, ...choice }: EngineChoice & { again?: string },
      ) => {
        const { answerCommand } = await import('./workflow/runs-commands.ts')
        const judgement = again === undefined ? { kind: 'continue' } : { kind: 'reorient', correction: again }
        await answerCommand(run, ids, judgement, 'allow', choice)
      },
    )
  const reject = program
    .command('reject')
    .summary('say no to what a run waits for')
    .description(
      'Says no to what a run waits for: a goal ends the run, a call does not run. legible resume goes on, at an engine the run does so itself.',
    )
    .argument('[run]', 'its id, or the beginning of it; the last run that waits unless given')
    .argument('[id...]', 'which of the requests; all unless given')
    .option('--reason <text>', 'why, for the record and the model')
    .action(
      async (
        run: string | undefined,
        ids: string[],
        { reason = '', ...choice }: EngineChoice & { reason?: string },
      ) => {
        const { answerCommand } = await import('./workflow/runs-commands.ts')
        await answerCommand(run, ids, { kind: 'pause', reason }, { decision: 'deny', reason }, choice)
      },
    )
  const cancel = program
    .command('cancel')
    .summary('end a run that goes on at an engine')
    .description(
      'Ends a run that goes on at an engine, with all its agents. A run of this machine is ended by Ctrl-C where it runs.',
    )
    .argument('[run]', 'its id, or the beginning of it; the last run unless given')
    .option('--kill', 'at once: for a run that does not come to its end; how far it came is not kept')
    .addHelpText(
      'after',
      `
What models and tools have said and done is kept: legible resume submits the run anew with it, under another id.

Exit codes:
    0  it ends
    2  there is no such run, or it has ended; the engine is not there`,
    )
    .action(async (run: string | undefined, options: EngineChoice & { kill?: true }) => {
      const { cancelCommand } = await import('./workflow/runs-commands.ts')
      await cancelCommand(run, options)
    })
  for (const command of [runs, show, replay, approve, reject, cancel]) addEngineOptions(command)
}
