import type { Durable, Json } from '../../agent/durable.ts'
import { memoryJournal } from '../../agent/memory-journal.ts'
import type { Program } from '../../agentfile/run/program.ts'
import { silentWorkflow } from '../../agentfile/run/silent-workflow.ts'
import type { WorkflowEvent } from '../../agentfile/run/workflow-event.ts'
import type { WorkflowOutcome } from '../../agentfile/run/workflow-outcome.ts'
import type { RunRecord } from '../../durable/run-file.ts'
import type { Tool } from '../../tool/tool.ts'
import { settingsFromJson } from './settings.ts'

/** What came of going through a run once more, without asking any model. */
export interface Replay {
  readonly events: readonly WorkflowEvent[]
  /** Absent: it came to a step that was not taken then. */
  readonly outcome: WorkflowOutcome | undefined
  /** Steps that the run did not take when it was recorded. */
  readonly unrecorded: readonly string[]
  /** Steps that were recorded, and are not taken now. */
  readonly unused: readonly string[]
}

/** Carries out a program against what a run has kept. `program`: another one than the run was started with. */
export async function replayRun(
  record: RunRecord,
  tools: readonly Tool[],
  program: Program = record.header.program,
): Promise<Replay> {
  const unrecorded: string[] = []
  const used = new Set<string>()
  const events: WorkflowEvent[] = []
  const refused = tools.map((tool) => ({ ...tool, run: () => Promise.reject(new Unrecorded(tool.name)) }))
  const { model, profiles, spawn, goalLimits } = settingsFromJson(record.header.settings)
  const settings = { model, profiles, spawn, goalLimits, approval: 'ask' } as const
  const workflow = silentWorkflow(program, { ...settings, tools: refused })
  const run = workflow.start(record.header.inputs, {
    journal: (runBranch) => {
      const journal = memoryJournal({
        runId: record.header.id,
        // What is asked follows from the program, which may be another one.
        entries: record.entries.filter(({ key }) => !/(^|\/)task$/.test(key)),
        runBranch,
        // Nothing is asked and nothing is called: what is not kept ends it.
        onStart: (key) => {
          if (!/(^|\/)(turn|call):/.test(key)) return
          unrecorded.push(key)
          throw new Unrecorded(key)
        },
      })
      return watched(journal, used)
    },
  })
  let outcome: WorkflowOutcome | undefined
  try {
    for await (const event of run) events.push(event)
    outcome = await run.outcome
  } catch (error) {
    if (!(error instanceof Unrecorded)) throw error
  }
  const unused = record.entries
    .map(({ key }) => key)
    .filter((key) => !used.has(key) && /(^|\/)(turn|call):/.test(key))
  return { events, outcome, unrecorded, unused }
}

class Unrecorded extends Error {}

/** Tells which of the steps were asked for, also by parts of the run. */
function watched(journal: Durable, used: Set<string>): Durable {
  const { step } = journal
  return Object.assign(journal, {
    step: <T extends Json>(key: string, run: Parameters<Durable['step']>[1]) => {
      used.add(key)
      return step(key, run as never) as Promise<T>
    },
  })
}
