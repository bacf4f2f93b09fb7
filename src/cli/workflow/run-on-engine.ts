import type { Json } from '../../agent/durable.ts'
import type { Program } from '../../agentfile/run/program.ts'
import { addSpent, entriesToResume, entriesWithin, pathsToForget } from '../../agentfile/run/to-resume.ts'
import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'
import { LegibleError } from '../../core/legible-error.ts'
import type { Engine } from '../../durable/restate/create-engine.ts'
import { type FollowedRun, followRun } from '../../durable/restate/follow-run.ts'
import {
  hashProgram,
  type RunAbout,
  type RunOutcome,
  type RunRequest,
} from '../../durable/restate/run-request.ts'
import { noUsage } from '../../model/usage.ts'
import { endProcess } from '../end-process.ts'
import type { EngineChoice } from '../engine-options.ts'
import { asUsage, UsageError } from '../usage-error.ts'
import { typedFor } from './choose-engine.ts'
import { findOnEngine } from './engine-store.ts'
import { makeSettings, type SettingOptions } from './make-settings.ts'
import type { Person } from './person.ts'
import { presentRun } from './present-run.ts'
import { newRunId } from './run-id.ts'
import type { RunShow } from './run-show.ts'
import { workflowLimits } from './settings.ts'

interface EngineRunOptions extends SettingOptions, EngineChoice {
  readonly json?: true
  readonly out?: string
}

/** What is carried out. */
interface Given {
  readonly file: string
  readonly program: Program
  readonly inputs: Readonly<Record<string, Json>>
}

/** Submits a run to an engine, and shows it as if it ran here. */
export async function runOnEngine(
  engine: Engine,
  given: Given,
  options: EngineRunOptions,
): Promise<WorkflowOutcome> {
  const request = requestOf(given, options)
  await submit(engine, request)
  return follow(engine, request.id, options)
}

/**
 * Follows a run that goes on at the engine. One that has ended before its end is submitted anew, with what is kept of it: what models
 * and tools have said and done is not asked for again.
 */
export async function resumeOnEngine(
  engine: Engine,
  given: string | undefined,
  options: EngineRunOptions,
): Promise<WorkflowOutcome> {
  const id = await asUsage('cli.engine', () => findOnEngine(engine, given))
  const { about, program, entries, end } = await asUsage('cli.engine', () => engine.read(id))
  const kind = end?.outcome.kind
  if (!about || !program || !end || kind === 'completed' || kind === 'not-converged')
    return follow(engine, id, options)
  const { file, inputs, spent = { turns: 0, usage: noUsage } } = about
  const forgotten = end.outcome.kind === 'broken' ? [] : pathsToForget(end.outcome)
  const request = {
    ...requestOf({ file, program, inputs }, options, about),
    entries: entriesToResume(entries, forgotten).map(({ key, value }) => ({ key, value })),
    spent: addSpent(
      spent,
      forgotten.flatMap((path) => entriesWithin(entries, path)),
    ),
  }
  await submit(engine, request)
  if (!options.json) process.stderr.write(`run ${request.id} goes on with what run ${id} has kept\n`)
  return follow(engine, request.id, options)
}

/** `before`: what the run says of itself that is taken up again. */
function requestOf(given: Given, options: EngineRunOptions, before?: RunAbout): RunRequest {
  const own = [
    options.model !== undefined && '--model',
    Object.keys(options.profile).length > 0 && '--profile',
    options.tools.length > 0 && '--tools',
  ].filter(Boolean)
  if (own.length > 0)
    throw new UsageError(
      'cli.usage',
      `${own.join(', ')}: models and tools are those of the workers; say it there: legible worker ${own.join(' … ')} …`,
    )
  const settings = makeSettings(options)
  const allowed = before?.allowance
  return {
    id: newRunId(),
    started: new Date().toISOString(),
    ...given,
    hash: hashProgram(given.program),
    limits: { ...allowed?.limits, ...workflowLimits(settings) },
    goalLimits: { ...allowed?.goalLimits, ...settings.goalLimits },
    spawn: settings.spawn || Boolean(allowed?.spawn),
  }
}

async function submit(engine: Engine, request: RunRequest): Promise<void> {
  try {
    await engine.submit(request)
  } catch (error) {
    if (!(error instanceof LegibleError)) throw error
    const advice = error.code === 'durable.no_worker' ? ' Start one with legible worker.' : ''
    throw new UsageError('cli.engine', `${error.message}${advice}`, { cause: error })
  }
}

/** Milliseconds until it is said that nobody has begun the run. */
const SLOW = 3000

async function follow(engine: Engine, id: string, options: EngineRunOptions): Promise<WorkflowOutcome> {
  const typed = typedFor(id, options)
  const leave = new AbortController()
  const say = (text: string) => process.stderr.write(`legible: ${text}\n`)
  const followed = followRun(engine, id, {
    signal: leave.signal,
    onProblem: (message) => say(`${message}; trying again`),
  })
  const onInterrupt = () => leave.abort('interrupted')
  process.on('SIGINT', onInterrupt)
  process.on('SIGTERM', onInterrupt)
  const slow = setTimeout(() => say(`run ${id} waits for a worker to begin it`), SLOW)
  try {
    const begun = await followed.begun()
    clearTimeout(slow)
    if (!begun) return outcomeOf(await followed.ended())
    const { program } = begun
    const { inputs, model } = begun.about
    return await presentRun(
      {
        ...{ id, typed, program, inputs, model, json: options.json ?? false, out: options.out },
        advice: 'see legible worker --model',
      },
      (shown, person) => play(followed, shown, person),
    )
  } catch (error) {
    if (leave.signal.aborted) {
      say(
        `run ${id} goes on at the engine: legible resume ${typed} follows it, legible cancel ${typed} ends it`,
      )
      return endProcess(130)
    }
    if (error instanceof LegibleError) throw new UsageError('cli.engine', error.message, { cause: error })
    throw error
  } finally {
    clearTimeout(slow)
    followed.stop()
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

/** What happens there is told here. */
async function play(
  followed: FollowedRun,
  shown: RunShow,
  person: Person | undefined,
): Promise<WorkflowOutcome> {
  const run = followed.watch(
    person && {
      approve: (request, signal) => person.approveOnce(request, signal),
      judge: (request, signal) => person.judge(request, signal),
    },
  )
  for await (const event of run) shown.show(event)
  return outcomeOf(await run.outcome)
}

function outcomeOf(end: RunOutcome): WorkflowOutcome {
  if (end.kind === 'broken') throw new UsageError('cli.invalid_workflow', end.reason)
  return end
}
