import type { ApprovalRequest } from '../../agent/approval.ts'
import type { Json } from '../../agent/durable.ts'
import { checkAnswer } from '../../agentfile/run/judge-goal.ts'
import type { JudgementRequest } from '../../agentfile/run/workflow-outcome.ts'
import { columns } from '../../core/columns.ts'
import { isRecord } from '../../core/is-record.ts'
import { callLine } from '../describe-call.ts'
import type { EngineChoice } from '../engine-options.ts'
import { asUsage, UsageError } from '../usage-error.ts'
import { loadProgram } from './load-program.ts'
import { openStore } from './open-store.ts'
import { replayRun } from './replay-run.ts'
import { showRun } from './show-run.ts'

interface AboutRuns extends EngineChoice {
  readonly json?: true
}

export async function listRuns({ json, ...choice }: AboutRuns): Promise<void> {
  const store = await openStore(choice)
  const rows = await store.list()
  if (json) process.stdout.write(`${JSON.stringify({ runs: rows }, null, 2)}\n`)
  else if (rows.length === 0) process.stdout.write(`There are no runs ${store.place}.\n`)
  else
    for (const { run, started, workflow, outcome, turns, tokens, problem } of rows) {
      const text = `${run}  ${started.slice(0, 19).replace('T', ' ')}  ${outcome.padEnd(13)} ${workflow}${turns === undefined ? '' : `  ${turns} ${turns === 1 ? 'turn' : 'turns'}, ${tokens} tokens`}`
      process.stdout.write(`${columns(text).text}\n`)
      if (problem !== undefined) process.stdout.write(`  ${columns(problem).text}\n`)
    }
}

export async function showCommand(given: string | undefined, { json, ...choice }: AboutRuns): Promise<void> {
  const store = await openStore(choice)
  const { record, openTools } = await store.read(given)
  const { tools, close } = await openTools()
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
  { file, json, ...choice }: AboutRuns & { file?: string },
): Promise<void> {
  const store = await openStore(choice)
  const { record, openTools } = await store.read(given)
  const program = file === undefined ? record.header.program : await loadProgram(file, true)
  const { tools, close } = await openTools()
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
    else if (differences.length === 0)
      process.stdout.write(`${columns(`run ${record.header.id}: nothing differs`).text}\n`)
    else for (const line of differences) process.stdout.write(`${columns(line).text}\n`)
    if (differences.length > 0) process.exitCode = 1
  } finally {
    await close()
  }
}

/** The answer to all that a run waits for, or to some of it. */
export async function answerCommand(
  given: string | undefined,
  ids: readonly string[],
  judgement: Json,
  verdict: Json,
  choice: EngineChoice,
): Promise<void> {
  const store = await openStore(choice)
  const { record } = given === undefined ? await store.readWaiting() : await store.read(given)
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
  const next = await store.answer(record, answers)
  for (const request of meant) {
    const about = 'call' in request ? callLine(request.call) : request.goal
    process.stdout.write(`${columns(`${request.id}: ${about}`).text}\n`)
  }
  process.stdout.write(`${next}\n`)
}

export async function cancelCommand(
  given: string | undefined,
  { kill = false, ...choice }: EngineChoice & { kill?: boolean },
): Promise<void> {
  const store = await openStore(choice)
  const id = await store.cancel(given, kill)
  process.stdout.write(`${columns(`run ${id} ends`).text}\n`)
}
