import { type Durable, type Json, resultsOf, Suspension } from '../../agent/durable.ts'
import { scopeJournal } from '../../agent/memory-journal.ts'
import { createRun, type EventedRun } from '../../agent/run.ts'
import type { JournalSource } from '../../agentfile/run/create-workflow.ts'
import type { Program } from '../../agentfile/run/program.ts'
import { silentWorkflow } from '../../agentfile/run/silent-workflow.ts'
import type { WorkflowEvent } from '../../agentfile/run/workflow-event.ts'
import type { WorkflowOptions } from '../../agentfile/run/workflow-options.ts'
import { LegibleError } from '../../core/legible-error.ts'
import { wait } from '../../model/wait.ts'
import type { Engine, EngineWait } from './create-engine.ts'
import { stateNames } from './names.ts'
import type { RunAbout, RunOutcome } from './run-request.ts'
import { toolsElsewhere } from './tools-elsewhere.ts'

export interface FollowOptions {
  readonly signal?: AbortSignal | undefined
  /** Is told that the engine cannot be reached; it is asked again. */
  readonly onProblem?: ((message: string) => void) | undefined
}

/** What is known of a run from its beginning on. */
export interface BegunRun {
  readonly about: RunAbout
  readonly program: Program
}

/** A run that goes on elsewhere, seen from here. */
export interface FollowedRun {
  /** When a worker has begun it. `undefined`: it has ended without that. */
  begun(): Promise<BegunRun | undefined>
  /** When it has ended. */
  ended(): Promise<RunOutcome>
  /**
   * Tells what happens there, as if it were carried out here, and comes to the same; or to `suspended`, where it waits for people.
   * Who is here can say what people are asked there.
   */
  watch(people?: Pick<WorkflowOptions, 'approve' | 'judge'>): EventedRun<WorkflowEvent, RunOutcome>
  /** Looks no more. */
  stop(): void
}

/** Thrown where the run has ended before the step that is waited for. */
class RunEnded extends Error {
  override readonly name = 'RunEnded'
}

const stepPrefix = stateNames.step('')
const SOONEST = 50
const LATEST = 1000
/** Milliseconds that an engine may be away. */
const PATIENCE = 120_000

/** Looks at a run again and again, and asks only for what is new. */
export function followRun(engine: Engine, id: string, options: FollowOptions = {}): FollowedRun {
  const { signal = new AbortController().signal, onProblem } = options
  const known = new Map<string, Json>()
  const waits = new Map<string, EngineWait>()
  const stopped = new AbortController()
  const over = AbortSignal.any([signal, stopped.signal])
  let about: RunAbout | undefined
  let program: Program | undefined
  let end: RunOutcome | undefined
  let failure: unknown
  /** Those who wait for something new. */
  let waiting: (() => void)[] = []
  let isLooking = false

  const tell = () => {
    const woken = waiting
    waiting = []
    for (const wake of woken) wake()
  }
  const look = async (): Promise<boolean> => {
    const isKnown = (name: string) =>
      (name === stateNames.about && about !== undefined) ||
      (name === stateNames.program && program !== undefined) ||
      (name.startsWith(stepPrefix) && known.has(name.slice(stepPrefix.length)))
    const found = await engine.read(id, isKnown)
    const isNew =
      found.entries.length > 0 ||
      (!about && found.about) ||
      found.end ||
      found.waits.some((one) => !waits.has(one.id))
    about ??= found.about
    program ??= found.program
    for (const { key, value } of found.entries) known.set(key, value)
    waits.clear()
    for (const one of found.waits) waits.set(one.id, one)
    if (found.end) {
      // Parts of a run are kept in several places: what came before the end may have been overlooked.
      for (const { key, value } of (await engine.read(id, isKnown)).entries) known.set(key, value)
    }
    end = found.end?.outcome
    return Boolean(isNew)
  }
  const isGone = async (): Promise<boolean> => {
    const state = await engine.state(id)
    return !state || (state.status === 'completed' && !state.end)
  }
  const lookOn = async () => {
    let pause = SOONEST
    let quiet = 0
    let away = 0
    while (!over.aborted && !end) {
      try {
        if (await look()) {
          pause = SOONEST
          tell()
        } else pause = Math.min(LATEST, pause * 1.3)
        // It may have ended in a way that leaves nothing: killed at the engine, or lost with it.
        if (pause === LATEST && ++quiet % 3 === 0 && (await isGone())) {
          end = { kind: 'broken', reason: 'The run has ended at the engine, and left no outcome.' }
          tell()
        }
        away = 0
      } catch (error) {
        if (!(error instanceof LegibleError) || error.code !== 'durable.unreachable') throw error
        if (away === 0) onProblem?.(error.message)
        away ||= Date.now()
        if (Date.now() - away > PATIENCE) throw error
        pause = LATEST
      }
      if (!end) await wait(pause, over)
    }
  }
  const begin = () => {
    if (isLooking) return
    isLooking = true
    lookOn().catch((error) => {
      failure = error
      tell()
    })
  }
  /** Until there is something. */
  const until = async <T>(find: () => T | undefined): Promise<T> => {
    begin()
    for (;;) {
      const found = find()
      if (found !== undefined) return found
      signal.throwIfAborted()
      if (failure !== undefined) throw failure
      await new Promise<void>((resolve) => waiting.push(resolve))
    }
  }
  signal.addEventListener('abort', tell)

  const journal: JournalSource = (runBranch) => {
    const followed: Durable = {
      runId: id,
      async step(key, run, { isGiven = false } = {}) {
        const about = { idempotencyKey: `${id}:${key}`, signal: over }
        if (isGiven) return run(about)
        const found = await until((): { value: Json } | { wait: EngineWait } | 'ended' | undefined => {
          const word = [key, `signal:${key}`].find((name) => known.has(name))
          if (word !== undefined) return { value: known.get(word) as Json }
          const asked = waits.get(key)
          return asked ? { wait: asked } : end && 'ended'
        })
        if (found === 'ended') throw new RunEnded(`The run has ended before ${key}.`)
        if ('value' in found) return found.value as never
        // Somebody is asked there. Whoever is here can say it, too.
        const said = await run(about)
        try {
          await engine.answer(found.wait, said)
          return said
        } catch (error) {
          // Somebody else was quicker: then that counts.
          if (!(error instanceof LegibleError) || error.code !== 'durable.engine_refused') throw error
          const word = await until(() => known.get(`signal:${key}`) ?? (end && RunEnded))
          if (word === RunEnded) throw new RunEnded(`The run has ended before ${key}.`)
          return word as never
        }
      },
      async parallel(branches) {
        const ended = await Promise.allSettled(
          branches.map(async (branch) => runBranch(branch, scopeJournal(followed, branch.key))),
        )
        return resultsOf(branches, ended)
      },
      async signal(name, { timeoutMs } = {}) {
        const word = known.get(`signal:${name}`)
        if (word === undefined && timeoutMs === undefined) throw new Suspension(name)
        return (word ?? null) as never
      },
      async sleep() {},
    }
    return followed
  }

  const begun = async (): Promise<BegunRun | undefined> => {
    const found = await until(() => (about && program ? { about, program } : end && 'ended'))
    return found === 'ended' ? undefined : found
  }

  return {
    begun,
    ended: () => until(() => end),
    watch: ({ approve, judge } = {}) =>
      createRun(async (onEvent: (event: WorkflowEvent) => void, inner) => {
        const known = await begun()
        if (!known) return until(() => end)
        const { model, profiles, tools, allowance, inputs } = known.about
        const workflow = silentWorkflow(known.program, {
          ...{ model, profiles, spawn: allowance.spawn, goalLimits: allowance.goalLimits },
          tools: toolsElsewhere(tools),
          approve: approve ?? (() => 'later'),
          judge,
        })
        try {
          // The same program with what comes from there: it tells what it would tell there.
          const run = workflow.start(inputs, { journal, signal: inner })
          for await (const event of run) onEvent(event)
          const { saved: _, ...seen } = await run.outcome
          if (seen.kind === 'suspended' || seen.kind === 'cancelled') return seen
        } catch (error) {
          if (!(error instanceof RunEnded)) throw error
        }
        return until(() => end)
      }),
    stop: () => stopped.abort(),
  }
}
