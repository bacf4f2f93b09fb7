import type { Command } from 'commander'
import type { ApprovalRequest } from '../agent/approval.ts'
import type { Json } from '../agent/durable.ts'
import { checkAnswer } from '../agentfile/run/judge-goal.ts'
import type { JudgementRequest } from '../agentfile/run/workflow-outcome.ts'
import { columns } from '../core/columns.ts'
import { LegibleError } from '../core/legible-error.ts'
import { answerRun, type RunRecord, readRunFile } from '../durable/run-file.ts'
import { callLine } from './chat/describe-call.ts'
import { openTools } from './open-tools.ts'
import { UsageError } from './usage-error.ts'
import { loadProgram } from './workflow/load-program.ts'
import { replayRun } from './workflow/replay-run.ts'
import { findRun, recentRuns, runFile } from './workflow/run-store.ts'
import { settingsFromJson } from './workflow/settings.ts'
import { showRun } from './workflow/show-run.ts'

export function addRunsCommands(program: Command): void {
  program
    .command('runs')
    .summary('list the runs of this folder')
    .description('Lists the runs of this folder, the last one first.')
    .option('--json', 'as data')
    .action(list)
  program
    .command('show')
    .summary('what happened in a run: prompts, replies, issues, tokens, time')
    .description('Prints what happened in a run.')
    .argument('[run]', 'its id, or the beginning of it; the last run unless given')
    .option('--json', 'as data')
    .action(show)
  program
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
    .action(replay)
  program
    .command('approve')
    .summary('say yes to what a run waits for')
    .description(
      'Says yes to what a run waits for: goals that a person judges, calls that need permission. legible resume goes on.',
    )
    .argument('[run]', 'its id, or the beginning of it; the last run unless given')
    .argument('[id...]', 'which of the requests, by its id or the beginning of it; all unless given')
    .option('--again <correction>', 'have a goal done again, with what to do differently')
    .action((run, ids, options: { again?: string }) =>
      answer(
        run,
        ids,
        options.again === undefined ? { kind: 'continue' } : { kind: 'reorient', correction: options.again },
        'allow',
      ),
    )
  program
    .command('reject')
    .summary('say no to what a run waits for')
    .description(
      'Says no to what a run waits for: a goal ends the run, a call does not run. legible resume goes on.',
    )
    .argument('[run]', 'its id, or the beginning of it; the last run unless given')
    .argument('[id...]', 'which of the requests; all unless given')
    .option('--reason <text>', 'why, for the record and the model')
    .action((run, ids, { reason = '' }: { reason?: string }) =>
      answer(run, ids, { kind: 'pause', reason }, { decision: 'deny', reason }),
    )
}

async function list({ json }: { json?: true }): Promise<void> {
  const records = await recentRuns(process.cwd())
  if (json) {
    const rows = records.map((record) => ({ ...summaryOf(record) }))
    process.stdout.write(`${JSON.stringify({ runs: rows }, null, 2)}\n`)
  } else if (records.length === 0) process.stdout.write('There are no runs in this folder.\n')
  else
    for (const record of records) {
      const { run, started, workflow, outcome, turns, tokens } = summaryOf(record)
      const text = `${run}  ${started.slice(0, 19).replace('T', ' ')}  ${outcome.padEnd(13)} ${workflow}  ${turns} turns, ${tokens} tokens`
      process.stdout.write(`${columns(text).text}\n`)
    }
}

function summaryOf({ header, ends, resumes }: RunRecord) {
  const last = ends.at(-1)?.outcome
  const usage = last && 'usage' in last ? last.usage : { input: 0, output: 0 }
  return {
    run: header.id,
    workflow: header.program.name,
    file: header.file,
    started: header.started,
    // Killed, or still at it.
    outcome: last?.kind ?? 'not ended',
    turns: last && 'turns' in last ? last.turns : 0,
    tokens: usage.input + usage.output,
    resumes,
  }
}

async function open(given: string | undefined): Promise<RunRecord> {
  const root = process.cwd()
  return usable(async () => readRunFile(runFile(root, await findRun(root, given))))
}

async function show(given: string | undefined, { json }: { json?: true }): Promise<void> {
  const record = await open(given)
  const { tools, close } = await openTools(settingsFromJson(record.header.settings).tools, process.cwd())
  try {
    await showRun(record, await usable(() => replayRun(record, tools)), json ?? false)
  } finally {
    await close()
  }
}

async function replay(
  given: string | undefined,
  { file, json }: { file?: string; json?: true },
): Promise<void> {
  const record = await open(given)
  const program = file === undefined ? record.header.program : await loadProgram(file, true)
  const { tools, close } = await openTools(settingsFromJson(record.header.settings).tools, process.cwd())
  try {
    const { events, outcome, unrecorded, unused } = await usable(() => replayRun(record, tools, program))
    const differing = events.flatMap((event) =>
      event.type === 'worker-event' && event.event.type === 'turn-differs'
        ? [`${event.path}/turn:${event.event.turn}`]
        : [],
    )
    const end = record.ends.at(-1)?.outcome
    const results =
      end && 'variables' in end && end.kind === outcome.kind
        ? Object.keys({ ...end.variables, ...outcome.variables }).filter(
            (name) => JSON.stringify(end.variables[name]) !== JSON.stringify(outcome.variables[name]),
          )
        : []
    const differences = [
      ...differing.map((step) => `${step}: another question is asked`),
      ...unrecorded.map((step) => `${step}: this step was not taken then`),
      ...unused.map((step) => `${step}: this step is not taken now`),
      ...results.map((name) => `$${name}: another value`),
    ]
    if (json) process.stdout.write(`${JSON.stringify({ run: record.header.id, differences }, null, 2)}\n`)
    else if (differences.length === 0) process.stdout.write(`run ${record.header.id}: nothing differs\n`)
    else for (const line of differences) process.stdout.write(`${columns(line).text}\n`)
    if (differences.length > 0) process.exitCode = 1
  } finally {
    await close()
  }
}

/** The answer to all that a run waits for, or to some of it. */
async function answer(
  given: string | undefined,
  ids: readonly string[],
  judgement: Json,
  verdict: Json,
): Promise<void> {
  const record = await open(given)
  const last = record.ends.at(-1)?.outcome
  if (last?.kind !== 'suspended')
    throw new UsageError(
      'cli.usage',
      `run ${record.header.id} waits for nobody: ${last?.kind ?? 'it has not ended'}`,
    )
  const waiting: (JudgementRequest | ApprovalRequest)[] = [...last.judgements, ...last.approvals]
  const meant = ids.length === 0 ? waiting : waiting.filter(({ id }) => ids.some((one) => id.startsWith(one)))
  if (meant.length === 0)
    throw new UsageError(
      'cli.usage',
      `nothing of that waits; there are: ${waiting.map(({ id }) => id).join(', ')}`,
    )
  const answers = Object.fromEntries(
    meant.map(({ id }) => [id, checkAnswer(id, id.endsWith('/judgement') ? judgement : verdict)]),
  )
  await usable(() => answerRun(runFile(process.cwd(), record.header.id), answers))
  for (const request of meant) {
    const about = 'call' in request ? callLine(request.call) : request.goal
    process.stdout.write(`${columns(`${request.id}: ${about}`).text}\n`)
  }
  process.stdout.write(`legible resume ${record.header.id} goes on with it\n`)
}

async function usable<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError('cli.invalid_workflow', error.message, { cause: error })
  }
}
