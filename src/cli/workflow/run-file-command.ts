import type { Json } from '../../agent/durable.ts'
import type { Program } from '../../agentfile/run/program.ts'
import { readInputs } from '../../agentfile/run/read-inputs.ts'
import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'
import { columns } from '../../core/columns.ts'
import { LegibleError } from '../../core/legible-error.ts'
import { beginRun, type OpenRun, type RunHeader, readRunFile, resumeRun } from '../../durable/run-file.ts'
import { endProcess } from '../end-process.ts'
import type { EngineChoice } from '../engine-options.ts'
import { inputTexts } from '../input-options.ts'
import { makeLegibleFolder } from '../state-folder.ts'
import { asUsage, UsageError } from '../usage-error.ts'
import { carryOut, exitCodeOf, type Prepared, prepare } from './carry-out.ts'
import { chooseEngine } from './choose-engine.ts'
import { loadProgram } from './load-program.ts'
import { makeSettings, type SettingOptions } from './make-settings.ts'
import { checkOut, isRehearsal, presentRun } from './present-run.ts'
import { findRun, runFile } from './run-files.ts'
import { newRunId } from './run-id.ts'
import { resumeOnEngine, runOnEngine } from './run-on-engine.ts'
import { isOurs, sealOf } from './run-seal.ts'
import { type Settings, settingsFromJson, settingsToJson } from './settings.ts'

export interface ResumeOptions extends SettingOptions, EngineChoice {
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
  const inputs = inputsOf(program, options.input)
  checkOut(options.out)
  const engine = chooseEngine(options)
  if (engine) return endProcess(exitCodeOf(await runOnEngine(engine, { file, program, inputs }, options)))
  const settings = makeSettings(options)
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
    return beginRun(runFile(root, id), sealed, (run) => present(run, prepared, options))
  })
  await prepared.close()
  await endProcess(exitCodeOf(outcome))
}

export async function resumeCommand(given: string | undefined, options: ResumeOptions): Promise<void> {
  const root = process.cwd()
  const engine = chooseEngine(options)
  checkOut(options.out)
  if (engine) return endProcess(exitCodeOf(await resumeOnEngine(engine, given, options)))
  const id = await findRun(root, given)
  const { header } = await asUsage('cli.invalid_workflow', () => readRunFile(runFile(root, id)))
  if (!options.trust && !isOurs(header))
    throw new UsageError(
      'cli.invalid_workflow',
      `run ${id} was not begun by you on this machine. What its file says would be started: ${columns(JSON.stringify(header.settings)).text}\nIf you trust it: legible resume ${id} --trust`,
    )
  const settings = makeSettings(options, settingsFromJson(header.settings))
  const prepared = await prepare(header.program, settings, root)
  const outcome = await asUsage('cli.invalid_workflow', () =>
    resumeRun(runFile(root, id), {}, (run) => present(run, prepared, options)),
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

/** What was printed looks like a result. */
const noteOn = ({ model, from }: Settings): { note?: string } =>
  isRehearsal(model) && from === 'default' ? { note: rehearsalNote } : {}

/** Carries it out in this process, and shows it. */
function present(run: OpenRun, prepared: Prepared, { json, out }: ResumeOptions): Promise<WorkflowOutcome> {
  const { id, program, inputs } = run.record.header
  const { settings } = prepared
  const { model } = settings
  return presentRun(
    { id, typed: id, program, inputs, model, json: json ?? false, out, ...noteOn(settings) },
    (shown, person) => carryOut(run, prepared, shown, person),
  )
}
