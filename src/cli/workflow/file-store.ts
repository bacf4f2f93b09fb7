import { isHeld } from '../../durable/file-lock.ts'
import { answerRun, type RunRecord, readRunFile } from '../../durable/run-file.ts'
import { type OpenTools, openTools } from '../open-tools.ts'
import { asUsage, UsageError } from '../usage-error.ts'
import { findRun, recentRuns, runFile } from './run-files.ts'
import { isOurs } from './run-seal.ts'
import type { RunStore, RunSummary, StoredRun } from './run-store.ts'
import { settingsFromJson } from './settings.ts'

/** The runs of a folder, each in a file of its own. */
export function fileStore(root: string): RunStore {
  const stored = (record: RunRecord): StoredRun => ({ record, openTools: () => toolsOf(record, root) })
  return {
    place: 'in this folder',
    list: async () => (await recentRuns(root)).map((record) => summaryOf(record, root)),
    read: (given) =>
      asUsage('cli.invalid_workflow', async () =>
        stored(await readRunFile(runFile(root, await findRun(root, given)))),
      ),
    async readWaiting() {
      const records = await recentRuns(root)
      const found = records.find(({ ends }) => ends.at(-1)?.outcome.kind === 'suspended') ?? records[0]
      if (found) return stored(found)
      throw new UsageError('cli.unknown_run', 'there are no runs in this folder')
    },
    async answer({ header }, answers) {
      await asUsage('cli.invalid_workflow', () => answerRun(runFile(root, header.id), answers))
      return `legible resume ${header.id} goes on with it`
    },
    async cancel(given) {
      const id = await findRun(root, given)
      throw new UsageError(
        'cli.usage',
        isHeld(runFile(root, id))
          ? `run ${id} is carried out by another process: Ctrl-C there ends it`
          : `run ${id} is not being carried out`,
      )
    },
  }
}

/** Whoever else has begun a run could have it start anything: then it is looked at without tools. */
async function toolsOf({ header }: RunRecord, root: string): Promise<OpenTools> {
  if (isOurs(header)) return openTools(settingsFromJson(header.settings).tools, root)
  process.stderr.write('legible: this run was not begun by you on this machine; its tools are not opened\n')
  return openTools([], root)
}

function summaryOf({ header, ends, resumes }: RunRecord, root: string): RunSummary {
  const last = ends.at(-1)?.outcome
  const usage = last && 'usage' in last ? last.usage : { input: 0, output: 0 }
  return {
    run: header.id,
    workflow: header.program.name,
    file: header.file,
    started: header.started,
    outcome: isHeld(runFile(root, header.id)) ? 'running' : (last?.kind ?? 'killed'),
    turns: last && 'turns' in last ? last.turns : 0,
    tokens: usage.input + usage.output,
    resumes,
  }
}
