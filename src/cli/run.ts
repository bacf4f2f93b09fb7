import { type Command, InvalidArgumentError, Option } from 'commander'
import { addEngineOptions } from './engine-options.ts'
import { collect, inputPair } from './input-options.ts'
import { wholeNumber } from './whole-number.ts'
import type { ResumeOptions, RunOptions } from './workflow/run-file-command.ts'

const exitCodes = `
Exit codes:
    0  completed
    1  a goal failed: legible resume does it again
    2  it cannot be carried out: wrong usage, a file with errors, a model that is not there
    3  the provider failed: legible resume goes on
    4  all goals were carried out, but not all converged
    5  a limit was reached: legible resume with a higher one goes on
    6  it waits for a person: legible approve, legible reject
  130  interrupted: legible resume goes on`

const help = `
What a run does is kept in .legible/runs, step by step: whatever ends it, legible resume goes on without asking a model
again for what it has said. The tree of what happens goes to standard error, the result to standard output: the outputs
of the last goal as JSON, or its text.

Models: --model, LEGIBLE_MODEL, model in legible.toml; without any of them a rehearsal model answers, offline, and the
result is no more than the form of one:
  --model ollama:qwen3                        a model of Ollama
  --model http://127.0.0.1:8080/v1#qwen3      any server with the API of OpenAI
  --model openai:gpt-5-mini                   with OPENAI_API_KEY
  --model anthropic:claude-sonnet-4-5         with ANTHROPIC_API_KEY
An agent that REQUIRES a profile gets the model of --profile NAME=MODEL, or of [profiles] in legible.toml.

Examples:
  legible run examples/research.agent --input topic="solid-state batteries"
  legible run review.agent --input diff=@change.diff --model ollama:qwen3      @: what stands in a file
  legible run triage.agent --input ticket=@- --json < ticket.txt               @-: what comes in
  legible run report.agent --out result.json && jq .variables result.json
${exitCodes}`

export function addRunCommand(program: Command): void {
  const run = program
    .command('run')
    .summary('run a workflow: an Agentfile')
    .description('Runs a workflow that is written in an Agentfile.')
    .argument('[file]', 'the Agentfile; a folder means the one in it', 'Agentfile')
    .addOption(
      new Option('-i, --input <name=value>', 'an input of the workflow')
        .argParser(inputPair)
        .default({}, 'those in the file'),
    )
  addEngineOptions(addSettingOptions(run))
    .option('--spawn', 'let models spawn agents')
    .option('--json', 'one event a line, the outcome last')
    .option('-o, --out <file>', 'write the result as JSON: all variables, the text of each goal')
    .showHelpAfterError('See legible run --help.')
    .addHelpText('after', help)
    .action(async (file: string, options: RunOptions) => {
      const { runFileCommand } = await import('./workflow/run-file-command.ts')
      await runFileCommand(file, options)
    })
  const resume = program
    .command('resume')
    .summary('go on with a run that has ended before its end')
    .description('Goes on with a run: what models and tools have said and done is not asked for again.')
    .argument('[run]', 'its id, or the beginning of it; the last run unless given')
  addEngineOptions(addSettingOptions(resume))
    .option('--spawn', 'let models spawn agents')
    .option('--json', 'one event a line, the outcome last')
    .option('-o, --out <file>', 'write the result as JSON')
    .option('--trust', 'go on also with a run that somebody else has begun')
    .showHelpAfterError('See legible resume --help.')
    .addHelpText(
      'after',
      `
A goal that failed is done again; after a limit say a higher one; what waits for a person is asked about on a terminal.
Models, tools and limits are those that the run was started with, unless other ones are named.
${exitCodes}`,
    )
    .action(async (run: string | undefined, options: ResumeOptions) => {
      const { resumeCommand } = await import('./workflow/run-file-command.ts')
      await resumeCommand(run, options)
    })
}

/** What a run is carried out with; also that of a worker. */
export function addSettingOptions(command: Command): Command {
  return command
    .option('-m, --model <name>', 'which model answers')
    .addOption(
      new Option('--profile <name=model>', 'the model of a profile that agents require')
        .argParser(inputPair)
        .default({}, 'those of legible.toml'),
    )
    .addOption(
      new Option('--tools <list>', 'tools of the goals: fs, mcp:…, a module (.js, .ts)')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('--max-turns <n>', 'questions to models', wholeNumber)
    .option('--max-tokens <n>', 'tokens in and out', wholeNumber)
    .option('--max-cost <amount>', 'in the currency of the prices in legible.toml', amount)
    .option('--max-time <seconds>', 'how long it may take', wholeNumber)
    .option('--concurrency <n>', 'agents at the same time (default: 8)', wholeNumber)
}

function amount(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) <= 0)
    throw new InvalidArgumentError('It must be a number above 0.')
  return Number(text)
}
