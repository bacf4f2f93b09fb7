import { readFileSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Command, InvalidArgumentError, Option } from 'commander'
import type { Json } from '../agent/durable.ts'
import type { Program, Value } from '../agentfile/run/program.ts'
import { readInputs } from '../agentfile/run/read-inputs.ts'
import type { WorkflowOutcome } from '../agentfile/run/workflow-outcome.ts'
import { LegibleError } from '../core/legible-error.ts'
import { makePrivateFolder } from '../durable/private-file.ts'
import { beginRun, type OpenRun, resumeRun } from '../durable/run-file.ts'
import { formatValue } from './format-value.ts'
import { wantsColor } from './print-issues.ts'
import { createRunView } from './run-view/create-run-view.ts'
import { fileError, UsageError } from './usage-error.ts'
import { wholeNumber } from './whole-number.ts'
import { carryOut, exitCodeOf } from './workflow/carry-out.ts'
import { loadProgram } from './workflow/load-program.ts'
import { makeSettings, type SettingOptions } from './workflow/make-settings.ts'
import { personAtTerminal } from './workflow/person.ts'
import type { RunShow } from './workflow/run-show.ts'
import { findRun, newRunId, runFile } from './workflow/run-store.ts'
import { type Settings, settingsFromJson, settingsToJson } from './workflow/settings.ts'

interface RunOptions extends SettingOptions {
  readonly input: Readonly<Record<string, string>>
  readonly json?: true
  readonly out?: string
}

/** What was printed looks like a result. */
const rehearsalNote = `
A rehearsal model answered: no language model was asked. With a real one, add one of
  --model ollama:qwen3                     a model of Ollama, on this machine
  --model http://127.0.0.1:8080/v1#qwen3   any server with the API of OpenAI
  --model openai:gpt-5-mini                with OPENAI_API_KEY
  --model anthropic:claude-sonnet-4-5      with ANTHROPIC_API_KEY
`

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
    .argument('<file>', 'the Agentfile')
    .addOption(
      new Option('-i, --input <name=value>', 'an input of the workflow')
        .argParser(pair)
        .default({}, 'those in the file'),
    )
  addSettingOptions(run)
    .option('--json', 'one event a line, the outcome last')
    .option('-o, --out <file>', 'write the result as JSON: all variables, the text of each goal')
    .showHelpAfterError('See legible run --help.')
    .addHelpText('after', help)
    .action(runFileCommand)
  const resume = program
    .command('resume')
    .summary('go on with a run that has ended before its end')
    .description('Goes on with a run: what models and tools have said and done is not asked for again.')
    .argument('[run]', 'its id, or the beginning of it; the last run unless given')
  addSettingOptions(resume)
    .option('--json', 'one event a line, the outcome last')
    .option('-o, --out <file>', 'write the result as JSON')
    .showHelpAfterError('See legible resume --help.')
    .addHelpText(
      'after',
      `
A goal that failed is done again; after a limit say a higher one; what waits for a person is asked about on a terminal.
Models, tools and limits are those that the run was started with, unless other ones are named.
${exitCodes}`,
    )
    .action(resumeCommand)
}

function addSettingOptions(command: Command): Command {
  return command
    .option('-m, --model <name>', 'which model answers')
    .addOption(
      new Option('--profile <name=model>', 'the model of a profile that agents require')
        .argParser(pair)
        .default({}, 'those of legible.toml'),
    )
    .addOption(
      new Option('--tools <list>', 'tools of the goals: fs, mcp:…, a module (.js, .ts)')
        .argParser(collect)
        .default([], 'none'),
    )
    .option('--spawn', 'let models spawn agents')
    .option('--max-turns <n>', 'questions to models', wholeNumber)
    .option('--max-tokens <n>', 'tokens in and out', wholeNumber)
    .option('--max-cost <amount>', 'in the currency of the prices in legible.toml', amount)
    .option('--max-time <seconds>', 'how long it may take', wholeNumber)
    .option('--concurrency <n>', 'agents at the same time (default: 8)', wholeNumber)
}

const collect = (value: string, before: readonly string[]): string[] => [...before, value]

function pair(text: string, before: Readonly<Record<string, string>>): Record<string, string> {
  const at = text.indexOf('=')
  if (at < 1) throw new InvalidArgumentError('It must be written as name=value.')
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) }
}

function amount(text: string): number {
  if (!/^\d+(\.\d+)?$/.test(text) || Number(text) <= 0)
    throw new InvalidArgumentError('It must be a number above 0.')
  return Number(text)
}

async function runFileCommand(file: string, options: RunOptions): Promise<void> {
  const program = await loadProgram(file, options.json)
  const settings = makeSettings(options)
  const inputs = inputsOf(program, options.input)
  const id = newRunId()
  const header = {
    id,
    started: new Date().toISOString(),
    file,
    program,
    inputs,
    settings: settingsToJson(settings),
  }
  const place = runFile(process.cwd(), id)
  const outcome = await usable(async () => {
    // Both folders: a link in the place of either would lead the run elsewhere.
    await makePrivateFolder(dirname(dirname(place)))
    return beginRun(place, header, (run) => show(run, settings, options))
  })
  await finish(outcome)
}

async function resumeCommand(given: string | undefined, options: Omit<RunOptions, 'input'>): Promise<void> {
  const root = process.cwd()
  const id = await findRun(root, given)
  const outcome = await usable(() =>
    resumeRun(runFile(root, id), {}, (run) =>
      show(run, makeSettings(options, settingsFromJson(run.record.header.settings)), options),
    ),
  )
  await finish(outcome)
}

/** Values that begin with @ stand in a file. */
function inputsOf(program: Program, given: Readonly<Record<string, string>>): Record<string, Json> {
  const texts = Object.fromEntries(Object.entries(given).map(([name, value]) => [name, textOf(value)]))
  try {
    return Object.fromEntries(readInputs(program, texts)) as Record<string, Json>
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError('cli.usage', `${error.message}\nInputs are given as --input name=value.`, {
      cause: error,
    })
  }
}

function textOf(value: string): string {
  if (!value.startsWith('@')) return value
  const file = value.slice(1)
  try {
    return readFileSync(file === '-' ? 0 : file, 'utf8')
  } catch (error) {
    throw fileError(file, error)
  }
}

/** Shows the run while it is carried out. */
async function show(
  run: OpenRun,
  settings: Settings,
  { json, out }: Pick<RunOptions, 'json' | 'out'>,
): Promise<WorkflowOutcome> {
  const { stdin, stderr } = process
  const { id, program, inputs } = run.record.header
  const isRehearsal = /^rehearsal\b/.test(settings.model)
  const isTerminal = stdin.isTTY && stderr.isTTY && !json
  const view = json
    ? undefined
    : createRunView({
        output: stderr,
        color: wantsColor(stderr.isTTY, process.env),
        live: stderr.isTTY && process.env.TERM !== 'dumb',
        program,
        inputs: inputs as Record<string, Value>,
        runId: id,
        model: settings.model,
        isRehearsal,
      })
  const shown: RunShow = view
    ? { event: (event) => view.show(event), end: (outcome) => view.end(outcome), close: () => view.close() }
    : eventLines(id)
  const person = isTerminal && view ? personAtTerminal(view) : undefined
  try {
    const outcome = await carryOut(run, { root: process.cwd(), settings, show: shown, person })
    shown.end(outcome)
    if (out !== undefined) writeResult(out, id, outcome)
    if (!json) printResult(program, outcome)
    if (view && isRehearsal) process.stderr.write(rehearsalNote)
    return outcome
  } finally {
    shown.close()
  }
}

/** For programs. */
function eventLines(id: string): RunShow {
  const write = (event: object) => process.stdout.write(`${JSON.stringify(event, plain)}\n`)
  write({ type: 'run-start', run: id })
  return {
    event: (event) => write(event),
    end: ({ saved: _, ...outcome }) => write({ type: 'outcome', run: id, ...outcome }),
    close() {},
  }
}

/** What is asked was told message by message; errors have no members that JSON sees. */
function plain(key: string, value: unknown): unknown {
  if (key === 'asked') return undefined
  return value instanceof Error ? { name: value.name, message: value.message } : value
}

function writeResult(file: string, run: string, outcome: WorkflowOutcome): void {
  const { kind, variables, goals, usage, cost, turns, calls } = outcome
  const result = { run, outcome: kind, variables, goals, usage, cost, turns, calls }
  try {
    writeFileSync(file, `${JSON.stringify(result, null, 2)}\n`)
  } catch (error) {
    throw new UsageError(
      'cli.unwritable_file',
      `${file}: ${(error as Error).message}; legible show ${run} has the result`,
    )
  }
}

/** What the last goal gave. */
function printResult(program: Program, { kind, variables, goals }: WorkflowOutcome): void {
  if (kind !== 'completed' && kind !== 'not-converged') return
  const last = program.runs.at(-1)?.using.at(-1)
  const goal = program.goals.find(({ name }) => name === last)
  if (!goal) return
  const text =
    goal.outputs.length > 0
      ? formatValue(Object.fromEntries(goal.outputs.map(({ name }) => [name, variables[name]]))).text
      : (goals[goal.name] ?? '')
  process.stdout.write(`${text}\n`)
}

async function usable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError('cli.invalid_workflow', error.message, { cause: error })
  }
}

async function finish(outcome: WorkflowOutcome): Promise<void> {
  process.exitCode = exitCodeOf(outcome)
  // A tool that hangs must not keep the command from ending.
  await Promise.all(
    [process.stdout, process.stderr].map(
      (stream) => new Promise<void>((done) => stream.write('', () => done())),
    ),
  )
  process.exit()
}
