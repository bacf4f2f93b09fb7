import type { ApprovalRequest, Verdict } from '../../agent/approval.ts'
import type { Json } from '../../agent/durable.ts'
import type { Program } from '../../agentfile/run/program.ts'
import { entriesToResume, pathsToForget } from '../../agentfile/run/to-resume.ts'
import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'
import type { Engine } from '../../durable/restate/create-engine.ts'
import { type FollowedRun, followRun, RunEnded } from '../../durable/restate/follow-run.ts'
import {
  hashProgram,
  type RunAllowance,
  type RunOutcome,
  type RunRequest,
} from '../../durable/restate/run-request.ts'
import type { EngineChoice } from '../engine-options.ts'
import { asUsage, UsageError } from '../usage-error.ts'
import { typedFor } from './choose-engine.ts'
import { findOnEngine } from './engine-store.ts'
import { makeSettings, type SettingOptions } from './make-settings.ts'
import type { Person } from './person.ts'
import { presentRun } from './present-run.ts'
import { newRunId } from './run-id.ts'
import type { RunShow } from './run-show.ts'
import { silentWorkflow } from './silent-workflow.ts'
import { toolsFrom } from './tools-elsewhere.ts'

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
  await asUsage('cli.engine', () => submit(engine, request))
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
  const isWhole = !end || end.kind === 'completed' || end.kind === 'not-converged'
  if (isWhole || !about || !program) return follow(engine, id, options)
  const { file, inputs } = about
  const request = {
    ...requestOf({ file, program, inputs }, options, about),
    entries: entriesToResume(entries, end.kind === 'broken' ? [] : pathsToForget(end)).map(
      ({ key, value }) => ({ key, value }),
    ),
  }
  await asUsage('cli.engine', () => submit(engine, request))
  if (!options.json) process.stderr.write(`run ${request.id} goes on with what run ${id} has kept\n`)
  return follow(engine, request.id, options)
}

function requestOf(given: Given, options: EngineRunOptions, before?: RunAllowance): RunRequest {
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
  const { limits, goalLimits, spawn } = makeSettings(options)
  const { time, ...rest } = limits
  return {
    id: newRunId(),
    started: new Date().toISOString(),
    ...given,
    hash: hashProgram(given.program),
    limits: { ...before?.limits, ...rest, ...(time !== undefined && { time: Math.round(time * 1000) }) },
    goalLimits: { ...before?.goalLimits, ...goalLimits },
    spawn: spawn || (before?.spawn ?? false),
  }
}

async function submit(engine: Engine, request: RunRequest): Promise<void> {
  try {
    await engine.submit(request)
  } catch (error) {
    if (!/answered 404/.test((error as Error).message)) throw error
    throw new UsageError(
      'cli.engine',
      'no worker is registered at the engine: start one with legible worker',
      {
        cause: error,
      },
    )
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
    const about = await followed.begun()
    clearTimeout(slow)
    const { program } = await engine.read(id)
    if (!program) throw new UsageError('cli.engine', `run ${id} has no program at the engine`)
    const { inputs, model } = about
    return await presentRun(
      { id, typed, program, inputs, model, json: options.json ?? false, out: options.out },
      (shown, person) => play(followed, { ...about, program }, shown, person),
    )
  } catch (error) {
    if (leave.signal.aborted) {
      say(
        `run ${id} goes on at the engine: legible resume ${typed} follows it, legible cancel ${typed} ends it`,
      )
      process.exit(130)
    }
    return await asUsage('cli.engine', () => Promise.reject(error))
  } finally {
    clearTimeout(slow)
    followed.stop()
    process.off('SIGINT', onInterrupt)
    process.off('SIGTERM', onInterrupt)
  }
}

/** Goes through the same program with what comes from the engine: what happens there is told here. */
async function play(
  followed: FollowedRun,
  {
    program,
    inputs,
    model,
    profiles,
    tools,
    spawn = false,
    goalLimits = {},
  }: Awaited<ReturnType<FollowedRun['begun']>> & { program: Program },
  shown: RunShow,
  person: Person | undefined,
): Promise<WorkflowOutcome> {
  const settings = { model, profiles, spawn, goalLimits: goalLimits as object }
  const workflow = silentWorkflow(program, settings, toolsFrom(tools), {
    approve: (request: ApprovalRequest, signal): Promise<Verdict | 'later'> =>
      person ? person.approveOnce(request, signal) : Promise.resolve('later'),
    judge: person && ((request, signal) => person.judge(request, signal)),
  })
  const run = workflow.start(inputs, { journal: followed.journal })
  try {
    for await (const event of run) shown.show(event)
    const seen = await run.outcome
    if (seen.kind === 'suspended') return seen
  } catch (error) {
    if (!(error instanceof RunEnded)) throw error
  }
  return outcomeOf(await followed.ended())
}

function outcomeOf(end: RunOutcome): WorkflowOutcome {
  if (end.kind === 'broken') throw new UsageError('cli.invalid_workflow', end.reason)
  return end
}
