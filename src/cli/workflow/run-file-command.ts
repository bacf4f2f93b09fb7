import { accessSync, constants, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Json } from '../../agent/durable.ts'
import type { Program, Value } from '../../agentfile/run/program.ts'
import { readInputs } from '../../agentfile/run/read-inputs.ts'
import type { WorkflowEvent } from '../../agentfile/run/workflow-event.ts'
import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'
import { columns } from '../../core/columns.ts'
import { LegibleError } from '../../core/legible-error.ts'
import { beginRun, type OpenRun, type RunHeader, readRunFile, resumeRun } from '../../durable/run-file.ts'
import { plain } from '../ask-output.ts'
import { callLine, judgedLines } from '../describe-call.ts'
import { endProcess } from '../end-process.ts'
import { formatValue } from '../format-value.ts'
import { inputTexts } from '../input-options.ts'
import { wantsColor } from '../print-issues.ts'
import { createRunView } from '../run-view/create-run-view.ts'
import { makeLegibleFolder } from '../state-folder.ts'
import { asUsage, UsageError } from '../usage-error.ts'
import { carryOut, exitCodeOf, type Prepared, prepare } from './carry-out.ts'
import { loadProgram } from './load-program.ts'
import { makeSettings, type SettingOptions } from './make-settings.ts'
import { personAtTerminal } from './person.ts'
import { isOurs, sealOf } from './run-seal.ts'
import type { RunShow } from './run-show.ts'
import { findRun, newRunId, runFile } from './run-store.ts'
import { settingsFromJson, settingsToJson } from './settings.ts'

export interface ResumeOptions extends SettingOptions {
  readonly json?: true
  readonly out?: string
  readonly trust?: true
}

export interface RunOptions extends ResumeOptions {
  readonly input: Readonly<Record<string, string>>
}

/** What was printed looks like a result. */
const rehearsalNote = `
A rehearsal model answered: no language model was asked. With a real one, add one of
  --model ollama:qwen3                     a model of Ollama, on this machine
  --model http://127.0.0.1:8080/v1#qwen3   any server with the API of OpenAI
  --model openai:gpt-5-mini                with OPENAI_API_KEY
  --model anthropic:claude-sonnet-4-5      with ANTHROPIC_API_KEY
`

export async function runFileCommand(file: string, options: RunOptions): Promise<void> {
  const root = process.cwd()
  const program = await loadProgram(file, options.json)
  const settings = makeSettings(options)
  const inputs = inputsOf(program, options.input)
  checkOut(options.out)
  const prepared = await prepare(program, settings, root)
  const id = newRunId()
  const header: RunHeader = {
    id,
    started: new Date().toISOString(),
    file,
    program,
    inputs,
    settings: settingsToJson(settings),
  }
  // Until it has ended: whoever stops reading ends it, too.
  process.exitCode = 130
  const outcome = await asUsage('cli.invalid_workflow', async () => {
    await makeLegibleFolder(root)
    const sealed = { ...header, seal: sealOf(header) }
    return beginRun(runFile(root, id), sealed, (run) => show(run, prepared, options))
  })
  await prepared.close()
  await endProcess(exitCodeOf(outcome))
}

export async function resumeCommand(given: string | undefined, options: ResumeOptions): Promise<void> {
  const root = process.cwd()
  const id = await findRun(root, given)
  const { header } = await asUsage('cli.invalid_workflow', () => readRunFile(runFile(root, id)))
  if (!options.trust && !isOurs(header))
    throw new UsageError(
      'cli.invalid_workflow',
      `run ${id} was not begun by you on this machine. What its file says would be started: ${columns(JSON.stringify(header.settings)).text}\nIf you trust it: legible resume ${id} --trust`,
    )
  checkOut(options.out)
  const settings = makeSettings(options, settingsFromJson(header.settings))
  const prepared = await prepare(header.program, settings, root)
  const outcome = await asUsage('cli.invalid_workflow', () =>
    resumeRun(runFile(root, id), {}, (run) => show(run, prepared, options)),
  )
  await prepared.close()
  await endProcess(exitCodeOf(outcome))
}

function inputsOf(program: Program, given: Readonly<Record<string, string>>): Record<string, Json> {
  try {
    return Object.fromEntries(readInputs(program, inputTexts(given))) as Record<string, Json>
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    throw new UsageError('cli.usage', `${error.message}\nInputs are given as --input name=value.`, {
      cause: error,
    })
  }
}

/** Before anything is paid for. */
function checkOut(file: string | undefined): void {
  if (file === undefined) return
  try {
    accessSync(dirname(file), constants.W_OK)
  } catch (error) {
    throw new UsageError('cli.unwritable_file', `${file}: nothing can be written there`, { cause: error })
  }
}

/** Shows the run while it is carried out. */
async function show(
  run: OpenRun,
  prepared: Prepared,
  { json, out }: ResumeOptions,
): Promise<WorkflowOutcome> {
  const { stdin, stderr } = process
  const { settings } = prepared
  const { id, program, inputs } = run.record.header
  const isRehearsal = /^rehearsal\b/.test(settings.model)
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
  const shown: RunShow = view ?? eventLines(id)
  const person = view && stdin.isTTY && stderr.isTTY ? personAtTerminal(view) : undefined
  try {
    const outcome = await carryOut(run, prepared, shown, person)
    shown.end(outcome)
    if (out !== undefined) writeResult(out, id, outcome)
    if (!json) printResult(program, outcome)
    if (!json && outcome.kind === 'suspended') printWaiting(outcome)
    if (view && isRehearsal && settings.from === 'default') stderr.write(rehearsalNote)
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
    show: (event) => write(withoutAsked(event)),
    end: ({ saved: _, ...outcome }) => write({ type: 'outcome', run: id, ...outcome }),
    close() {},
  }
}

/** What is asked was told message by message. */
function withoutAsked(event: WorkflowEvent): object {
  if (event.type !== 'worker-event' || event.event.type !== 'turn-start') return event
  const { asked: _, ...told } = event.event
  return { ...event, event: told }
}

function writeResult(file: string, run: string, outcome: WorkflowOutcome): void {
  const { saved: _, ...result } = outcome
  try {
    writeFileSync(file, `${JSON.stringify({ run, outcome: outcome.kind, ...result }, null, 2)}\n`)
  } catch (error) {
    const problem = (error as Error).message
    throw new UsageError('cli.unwritable_file', `${file}: ${problem}; legible show ${run} has the result`)
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
  process.stdout.write(`${process.stdout.isTTY ? safeLines(text) : text}\n`)
}

const safeLines = (text: string): string =>
  text
    .split('\n')
    .map((line) => columns(line).text)
    .join('\n')

/** What a person is asked to decide on. */
function printWaiting(outcome: Extract<WorkflowOutcome, { kind: 'suspended' }>): void {
  const lines = outcome.judgements.flatMap(({ goal, text, reason }) => [
    columns(`? ${goal}${reason ? ` (${reason})` : ''} came to this:`).text,
    ...judgedLines(text).map((line) => `  ${line}`),
  ])
  for (const { call } of outcome.approvals) lines.push(`? ${callLine(call)}`)
  process.stderr.write(`${lines.join('\n')}\n`)
}
