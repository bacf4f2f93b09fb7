import { createHash } from 'node:crypto'
import type { Json } from '../../agent/durable.ts'
import type { JournalEntry } from '../../agent/memory-journal.ts'
import type { Spent, Used } from '../../agentfile/run/budget.ts'
import type { Halt } from '../../agentfile/run/halt.ts'
import { isProgram, type Program } from '../../agentfile/run/program.ts'
import type { Task, Work } from '../../agentfile/run/task.ts'
import { isTurn } from '../../agentfile/run/to-resume.ts'
import type { KeptOutcome } from '../../agentfile/run/workflow-outcome.ts'
import { isRecord } from '../../core/is-record.ts'
import type { Allowance, AskedAllowance } from './allowance.ts'

/** A run as it is submitted: the program goes with it, so that every worker carries out the same one. */
export interface RunRequest extends AskedAllowance {
  readonly id: string
  /** ISO 8601. */
  readonly started: string
  /** What the file is called. */
  readonly file: string
  readonly program: Program
  /** Of the program, by `hashProgram`. */
  readonly hash: string
  readonly inputs: Readonly<Record<string, Json>>
  /** What is kept of an earlier try, and what it used of which nothing is kept. */
  readonly entries?: readonly JournalEntry[]
  readonly spent?: Spent
}

/** What a run says of itself, for those who look on. */
export interface RunAbout extends Pick<RunRequest, 'id' | 'started' | 'file' | 'hash' | 'inputs' | 'spent'> {
  /** The name of the program. */
  readonly workflow: string
  /** Of the worker that began it. */
  readonly model: string
  readonly profiles: Readonly<Record<string, string>>
  readonly tools: readonly ToolSignature[]
  readonly allowance: Allowance
  /** When it began to run: milliseconds since 1970. */
  readonly began: number
}

/** What a model is told of a tool, and whether there are rules on its calls. */
export type ToolSignature = {
  readonly name: string
  readonly description: string
  readonly input?: Json
  readonly isRuled?: boolean
}

/** A branch of a run, as another worker gets it. */
export interface BranchRequest {
  readonly runId: string
  /** Where in the run: also what its steps are called by. */
  readonly path: string
  readonly task: Task
  readonly allowance: Allowance
  /** The names of the tools that the run was begun with. */
  readonly tools: readonly string[]
  readonly security?: NonNullable<Program['security']>
  /** When the time of the run is up: milliseconds since 1970. */
  readonly deadline?: number
  readonly entries?: readonly JournalEntry[]
}

/** What a branch came to. `broken`: a mistake in the program or its set-up. */
export type BranchReply = { readonly used: Used } & (
  | { readonly work: Work }
  | { readonly halt: Halt['why'] }
  | { readonly broken: string }
)

export type RunOutcome = KeptOutcome

/** How a run ended, and when. */
export interface RunEnd {
  /** ISO 8601. */
  readonly at: string
  readonly outcome: RunOutcome
}

/** By which a worker knows that the program arrived as it was sent. */
export const hashProgram = (program: Program): string =>
  createHash('sha256').update(JSON.stringify(program)).digest('hex')

/** Deeper than any program, and far from what takes a stack to its end. */
const DEEPEST = 200

/** What is wrong with a request that somebody sent; nothing when it can be carried out. `key`: what it was sent to. */
export function problemWith(request: unknown, key: string): string | undefined {
  if (!isRecord(request)) return 'it is no object'
  if (isDeeper(request, DEEPEST)) return `it is nested more than ${DEEPEST} deep`
  const {
    id,
    started,
    file,
    program,
    hash,
    inputs,
    entries = [],
    limits = {},
    goalLimits = {},
    spent,
  } = request
  if (![id, started, file, hash].every((text) => typeof text === 'string'))
    return 'id, started, file and hash are texts'
  if (id !== key || !/^[\w-]{1,64}$/.test(key)) return 'its id is not the one that it was sent to'
  if (![inputs, limits, goalLimits].every(isRecord)) return 'it has inputs and limits'
  if (!isProgram(program)) return 'its program is none'
  if (hashProgram(program) !== hash) return 'its program is not the one that it was submitted with'
  if (!Array.isArray(entries) || !entries.every(isEntry)) return 'its entries are none'
  if (spent !== undefined && !(isRecord(spent) && typeof spent.turns === 'number' && isUsage(spent.usage)))
    return 'what it has spent is no usage'
  return undefined
}

const isDeeper = (value: unknown, most: number): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some((inner) => isDeeper(inner, most - 1)))

/** A step that asks a model says what that used. */
function isEntry(entry: unknown): boolean {
  if (!isRecord(entry) || typeof entry.key !== 'string' || entry.value === undefined) return false
  return !isTurn(entry.key) || (isRecord(entry.value) && isUsage(entry.value.usage))
}

const isUsage = (usage: unknown): boolean =>
  isRecord(usage) && typeof usage.input === 'number' && typeof usage.output === 'number'
