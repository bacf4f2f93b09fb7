import type { ApprovalRequest } from '../../agent/approval.ts'
import type { Json } from '../../agent/durable.ts'
import { checkAnswer } from '../../agentfile/run/judge-goal.ts'
import type { JudgementRequest } from '../../agentfile/run/workflow-outcome.ts'
import { columns } from '../../core/columns.ts'
import { isRecord } from '../../core/is-record.ts'
import { isHeld } from '../../durable/file-lock.ts'
import { answerRun, type RunRecord, readRunFile } from '../../durable/run-file.ts'
import { callLine } from '../describe-call.ts'
import { type OpenTools, openTools } from '../open-tools.ts'
import { asUsage, UsageError } from '../usage-error.ts'
import { loadProgram } from './load-program.ts'
import { replayRun } from './replay-run.ts'
import { isOurs } from './run-seal.ts'
import { findRun, recentRuns, runFile } from './run-store.ts'
import { settingsFromJson } from './settings.ts'
import { showRun } from './show-run.ts'

export async function listRuns({ json }: { json?: true }): Promise<void> {
  const records = await recentRuns(process.cwd())
  if (json) {
    const rows = records.map((record) => ({ ...summaryOf(record) }))
    process.stdout.write(`${JSON.stringify({ runs: rows }, null, 2)}\n`)
  } else if (records.length === 0) process.stdout.write('There are no runs in this folder.\n')
  else
    for (const record of records) {
      const { run, started, workflow, outcome, turns, tokens } = summaryOf(record)
      const text = `${run}  ${started.slice(0, 19).replace('T', ' ')}  ${outcome.padEnd(13)} ${workflow}  ${turns} ${turns === 1 ? 'turn' : 'turns'}, ${tokens} tokens`
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
    outcome: isHeld(runFile(process.cwd(), header.id)) ? 'running' : (last?.kind ?? 'killed'),
    turns: last && 'turns' in last ? last.turns : 0,
    tokens: usage.input + usage.output,
    resumes,
  }
}

async function open(given: string | undefined): Promise<RunRecord> {
  const root = process.cwd()
  return asUsage('cli.invalid_workflow', async () => readRunFile(runFile(root, await findRun(root, given))))
}

export async function showCommand(given: string | undefined, { json }: { json?: true }): Promise<void> {
  const record = await open(given)
  const { tools, close } = await toolsOf(record)
  try {
    await showRun(
      record,
      await asUsage('cli.invalid_workflow', () => replayRun(record, tools)),
      json ?? false,
    )
  } finally {
    await close()
  }
}

export async function replayCommand(
  given: string | undefined,
  { file, json }: { file?: string; json?: true },
): Promise<void> {
  const record = await open(given)
  const program = file === undefined ? record.header.program : await loadProgram(file, true)
  const { tools, close } = await toolsOf(record)
  try {
    const { events, outcome, unrecorded, unused } = await asUsage('cli.invalid_workflow', () =>
      replayRun(record, tools, program),
    )
    const differing = events.flatMap((event) =>
      event.type === 'worker-event' && event.event.type === 'turn-differs'
        ? [`${event.path}/turn:${event.event.turn}`]
        : [],
    )
    const end = record.ends.at(-1)?.outcome
    const isWhole = end?.kind === 'completed' || end?.kind === 'not-converged'
    const results =
      end && 'variables' in end && end.kind === outcome?.kind
        ? Object.keys({ ...end.variables, ...outcome.variables }).filter(
            (name) => JSON.stringify(end.variables[name]) !== JSON.stringify(outcome.variables[name]),
          )
        : []
    const differences = [
      ...differing.map((step) => `${step}: another question is asked`),
      // A run that ended before its end would have gone on.
      ...(isWhole ? unrecorded : []).map((step) => `${step}: this step was not taken then`),
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

/** The last run that waits for somebody. */
async function waitingRun(): Promise<RunRecord> {
  const records = await recentRuns(process.cwd())
  const found = records.find(({ ends }) => ends.at(-1)?.outcome.kind === 'suspended') ?? records[0]
  if (found) return found
  throw new UsageError('cli.unknown_run', 'there are no runs in this folder')
}

/** The answer to all that a run waits for, or to some of it. */
export async function answerCommand(
  given: string | undefined,
  ids: readonly string[],
  judgement: Json,
  verdict: Json,
): Promise<void> {
  const record = given === undefined ? await waitingRun() : await open(given)
  const last = record.ends.at(-1)?.outcome
  if (last?.kind !== 'suspended')
    throw new UsageError(
      'cli.usage',
      `run ${record.header.id} waits for nobody: ${last?.kind ?? 'it has not ended'}`,
    )
  const waiting: (JudgementRequest | ApprovalRequest)[] = [...last.judgements, ...last.approvals]
  const isMeant = (id: string) => ids.some((one) => id === one || id.startsWith(`${one.replace(/\/$/, '')}/`))
  const meant = ids.length === 0 ? waiting : waiting.filter(({ id }) => isMeant(id))
  if (meant.length === 0)
    throw new UsageError(
      'cli.usage',
      `nothing of that waits; there are: ${waiting.map(({ id }) => id).join(', ')}`,
    )
  if (isRecord(judgement) && judgement.kind === 'reorient' && meant.some((one) => 'call' in one))
    throw new UsageError('cli.usage', '--again is for goals; a call is approved or rejected as it is')
  const answers = await asUsage('cli.invalid_workflow', async () =>
    Object.fromEntries(
      meant.map(({ id }) => [id, checkAnswer(id, id.endsWith('/judgement') ? judgement : verdict)]),
    ),
  )
  await asUsage('cli.invalid_workflow', () => answerRun(runFile(process.cwd(), record.header.id), answers))
  for (const request of meant) {
    const about = 'call' in request ? callLine(request.call) : request.goal
    process.stdout.write(`${columns(`${request.id}: ${about}`).text}\n`)
  }
  process.stdout.write(`legible resume ${record.header.id} goes on with it\n`)
}

/** Whoever else has begun a run could have it start anything: then it is looked at without tools. */
async function toolsOf({ header }: RunRecord): Promise<OpenTools> {
  if (isOurs(header)) return openTools(settingsFromJson(header.settings).tools, process.cwd())
  process.stderr.write('legible: this run was not begun by you on this machine; its tools are not opened\n')
  return openTools([], process.cwd())
}
