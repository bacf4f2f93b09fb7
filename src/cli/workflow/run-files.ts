import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { type RunRecord, readRunFile } from '../../durable/run-file.ts'
import { UsageError } from '../usage-error.ts'

/** Where the runs of a folder are kept. */
const runsFolder = (root: string): string => join(root, '.legible', 'runs')

export const runFile = (root: string, id: string): string => join(runsFolder(root), `${id}.jsonl`)

/** The ids of all runs, in no order. */
async function listRuns(root: string): Promise<string[]> {
  try {
    const names = await readdir(runsFolder(root))
    return names.filter((name) => /^[\da-f]{8}\.jsonl$/.test(name)).map((name) => name.slice(0, 8))
  } catch (error) {
    if (/^(ENOENT|ENOTDIR)$/.test((error as NodeJS.ErrnoException).code ?? '')) return []
    throw error
  }
}

/** The run that a beginning of its id means; the last one when none is given. Throws a UsageError. */
export async function findRun(root: string, given: string | undefined): Promise<string> {
  const ids = await listRuns(root)
  if (given === undefined) {
    const [last] = await recentRuns(root)
    if (last) return last.header.id
    throw new UsageError('cli.unknown_run', 'there are no runs in this folder')
  }
  const found = /^[\da-f]+$/.test(given) ? ids.filter((id) => id.startsWith(given)) : []
  if (found.length === 1) return found[0] as string
  const problem = found.length === 0 ? 'there is no run' : `${found.length} runs begin with`
  throw new UsageError('cli.unknown_run', `${problem} ${JSON.stringify(given)}; legible runs lists them`)
}

/** All runs that can be read, the last one first. */
export async function recentRuns(root: string): Promise<RunRecord[]> {
  const ids = await listRuns(root)
  const records = await Promise.all(ids.map((id) => readRunFile(runFile(root, id)).catch(() => undefined)))
  return (
    records
      // A file that calls itself otherwise leads elsewhere.
      .filter((record, i) => record !== undefined && record.header.id === ids[i])
      .filter((record) => record !== undefined)
      .sort((one, other) => other.header.started.localeCompare(one.header.started))
  )
}
