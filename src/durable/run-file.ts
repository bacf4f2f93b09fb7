import { constants } from 'node:fs'
import { dirname } from 'node:path'
import type { Json } from '../agent/durable.ts'
import type { JournalEntry } from '../agent/memory-journal.ts'
import { type MemoryJournal, memoryJournal } from '../agent/memory-journal.ts'
import type { Spent } from '../agentfile/run/budget.ts'
import type { JournalSource } from '../agentfile/run/create-workflow.ts'
import { isProgram, type Program } from '../agentfile/run/program.ts'
import { addSpent, entriesToResume, entriesWithin, pathsToForget } from '../agentfile/run/to-resume.ts'
import type { KeptOutcome } from '../agentfile/run/workflow-outcome.ts'
import { isRecord } from '../core/is-record.ts'
import { LegibleError } from '../core/legible-error.ts'
import { noUsage } from '../model/usage.ts'
import { type AppendFile, openAppendFile } from './append-file.ts'
import { withFileLock } from './file-lock.ts'
import { makePrivateFolder, openPrivateFile } from './private-file.ts'

/** What a run was started with: all that is needed to go on, but for models and tools. */
export interface RunHeader {
  readonly id: string
  /** ISO 8601. */
  readonly started: string
  /** What the file is called. */
  readonly file: string
  readonly program: Program
  readonly inputs: Readonly<Record<string, Json>>
  /** The names of models and tools, limits: as the command was told. */
  readonly settings: Readonly<Record<string, Json>>
  /** By which whoever has begun it knows it again. */
  readonly seal?: string
}

/** A question that was asked again, as the provider had failed. */
interface RunRetry {
  readonly path: string
  readonly turn: number
  readonly reason: string
  readonly at: string
}

/** How far a run came, each time that it was carried out. */
interface RunEnd {
  readonly at: string
  readonly outcome: KeptOutcome
}

/** One line of the file of a run. */
type RunLine =
  | ({ readonly type: 'run' } & RunHeader)
  | ({ readonly type: 'step'; readonly ms: number } & JournalEntry)
  /** What a person said from outside. */
  | { readonly type: 'answer'; readonly id: string; readonly value: Json; readonly at: string }
  /** A part of the run that failed is done anew: what was kept of it does not count. */
  | { readonly type: 'forget'; readonly path: string }
  | { readonly type: 'resume'; readonly at: string }
  /** A provider failed, and was asked again. */
  | ({ readonly type: 'retry' } & RunRetry)
  | ({ readonly type: 'end' } & RunEnd)

/** A run as its file has it. */
export interface RunRecord {
  readonly header: RunHeader
  /** What is kept, in its order: steps, and what people said. */
  readonly entries: readonly (JournalEntry & { readonly ms?: number })[]
  readonly ends: readonly RunEnd[]
  /** How often it was taken up again. */
  readonly resumes: number
  readonly retries: readonly RunRetry[]
  /** By parts that failed and were done anew. */
  readonly spent: Spent
}

/** Reads the file of a run. A last line that is torn is left out: the step that it was about had not ended. */
export async function readRunFile(file: string): Promise<RunRecord> {
  const handle = await openPrivateFile(file, constants.O_RDONLY)
  const text = await handle.readFile('utf8').finally(() => handle.close())
  const lines = text.split('\n')
  // What stands behind the last line break is torn.
  lines.pop()
  let header: RunHeader | undefined
  let entries: (JournalEntry & { ms?: number })[] = []
  const ends: RunEnd[] = []
  let resumes = 0
  const retries: RunRetry[] = []
  let spent: Spent = { turns: 0, usage: noUsage }
  for (const [i, one] of lines.entries()) {
    const line = parse(one)
    if (!line) throw invalid(file, `line ${i + 1} is damaged`)
    switch (line.type) {
      case 'run':
        if (!isHeader(line)) throw invalid(file, `line ${i + 1} is no beginning of a run`)
        header ??= line
        break
      case 'step':
        if (typeof line.key !== 'string') throw invalid(file, `line ${i + 1} is damaged`)
        entries.push({ key: line.key, value: line.value, ms: line.ms })
        break
      case 'answer':
        entries.push({ key: `signal:${line.id}`, value: line.value })
        break
      case 'forget':
        spent = addSpent(spent, entriesWithin(entries, line.path))
        entries = entriesToResume(entries, [line.path])
        break
      case 'resume':
        resumes++
        break
      case 'retry':
        retries.push(line)
        break
      case 'end':
        ends.push(line)
        break
    }
  }
  if (!header) throw invalid(file, 'it does not say which program it ran')
  return { header, entries, ends, resumes, retries, spent }
}

/** What the commands rely on. */
function isHeader({ id, started, file, program, inputs, settings }: RunHeader): boolean {
  return (
    [id, started, file].every((text) => typeof text === 'string') &&
    [inputs, settings].every(isRecord) &&
    isProgram(program)
  )
}

function parse(line: string): RunLine | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isRecord(value) && typeof value.type === 'string' ? (value as unknown as RunLine) : undefined
  } catch {
    return undefined
  }
}

const invalid = (file: string, problem: string) =>
  new LegibleError('durable.invalid_run', `${file} is not the file of a run: ${problem}.`)

/** A run while it is carried out: every step is on the disk before the next one starts. */
export interface OpenRun {
  readonly record: RunRecord
  /** For the workflow. */
  readonly journal: JournalSource
  retry(retry: RunRetry): Promise<void>
  end(outcome: RunEnd['outcome']): Promise<void>
}

/** Begins the file of a run, and holds it while `work` runs: nobody else can carry it out at the same time. */
export async function beginRun<T>(
  file: string,
  header: RunHeader,
  work: (run: OpenRun) => Promise<T>,
): Promise<T> {
  await makePrivateFolder(dirname(file))
  return hold(file, async (lines) => {
    if (!lines.wasEmpty) throw invalid(file, 'there is one already')
    await write(lines, { type: 'run', ...header })
    return work(
      openRun(lines, {
        header,
        entries: [],
        ends: [],
        resumes: 0,
        retries: [],
        spent: { turns: 0, usage: noUsage },
      }),
    )
  })
}

/**
 * Takes a run up again. `answers`: what people have said meanwhile. What failed by itself (a reply that could not be used) is done
 * anew; all else goes on from where it was.
 */
export function resumeRun<T>(
  file: string,
  answers: Readonly<Record<string, Json>>,
  work: (run: OpenRun) => Promise<T>,
): Promise<T> {
  return hold(file, async (lines) => {
    const before = await readRunFile(file)
    const last = before.ends.at(-1)?.outcome
    const at = new Date().toISOString()
    await write(lines, { type: 'resume', at })
    for (const path of last && last.kind !== 'broken' ? pathsToForget(last) : [])
      await write(lines, { type: 'forget', path })
    for (const [id, value] of Object.entries(answers)) await write(lines, { type: 'answer', id, value, at })
    return work(openRun(lines, await readRunFile(file)))
  })
}

/** Adds what a person said to a run that nobody carries out. */
export async function answerRun(file: string, answers: Readonly<Record<string, Json>>): Promise<void> {
  await hold(file, async (lines) => {
    const at = new Date().toISOString()
    for (const [id, value] of Object.entries(answers)) await write(lines, { type: 'answer', id, value, at })
  })
}

/** Milliseconds: enough to see that the one who held it is dead. A run that goes on takes longer than anybody waits. */
const PATIENCE = 3000

async function hold<T>(file: string, work: (lines: AppendFile) => Promise<T>): Promise<T> {
  const held = async () => {
    const lines = await openAppendFile(file)
    try {
      return await work(lines)
    } finally {
      await lines.close()
    }
  }
  try {
    return await withFileLock(file, held, PATIENCE)
  } catch (error) {
    if (!(error instanceof LegibleError) || error.code !== 'durable.locked') throw error
    throw new LegibleError('durable.run_in_use', `${file} is being carried out by another process.`, {
      cause: error,
    })
  }
}

const write = (lines: AppendFile, line: RunLine): Promise<void> => lines.append(JSON.stringify(line))

function openRun(lines: AppendFile, record: RunRecord): OpenRun {
  return {
    record,
    journal: (runBranch): MemoryJournal => {
      const starts = new Map<string, number>()
      return memoryJournal({
        runId: record.header.id,
        entries: entriesToResume(record.entries, []),
        runBranch,
        onStart: (key) => starts.set(key, performance.now()),
        onKeep: ({ key, value }) => {
          const ms = Math.round(performance.now() - (starts.get(key) ?? performance.now()))
          starts.delete(key)
          return write(lines, { type: 'step', key, value, ms })
        },
      })
    },
    retry: (retry) => write(lines, { type: 'retry', ...retry }),
    end: (outcome) => write(lines, { type: 'end', at: new Date().toISOString(), outcome }),
  }
}
