import type { Json } from '../../agent/durable.ts'
import type { RunRecord } from '../../durable/run-file.ts'
import type { OpenTools } from '../open-tools.ts'

/** One line about a run. */
export interface RunSummary {
  readonly run: string
  readonly workflow: string
  readonly file: string
  /** ISO 8601. */
  readonly started: string
  /** How it ended, or what it does now. */
  readonly outcome: string
  /** Absent: not known while it goes on. */
  readonly turns?: number
  readonly tokens?: number
  readonly resumes: number
  /** Why it does not get on. */
  readonly problem?: string
}

export interface StoredRun {
  /** What it waits for is among its ends. */
  readonly record: RunRecord
  /** The tools that it was carried out with. They are not run. */
  openTools(): Promise<OpenTools>
}

/** Where runs are kept: in files of this folder, or by an engine. Whatever it throws for people is a UsageError. */
export interface RunStore {
  /** For people who find none: `in this folder`. */
  readonly place: string
  /** The last one first. */
  list(): Promise<RunSummary[]>
  /** The run that a beginning of its id means; the last one when none is given. */
  read(given: string | undefined): Promise<StoredRun>
  /** The last run that waits for somebody, or the last one. */
  readWaiting(): Promise<StoredRun>
  /** Says what a run waits for, by the ids of the requests; gives what is to be done next. */
  answer(record: RunRecord, answers: Readonly<Record<string, Json>>): Promise<string>
  /** Ends a run that goes on. */
  cancel(given: string | undefined, kill: boolean): Promise<string>
}
