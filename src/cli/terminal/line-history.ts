import { randomUUID } from 'node:crypto'
import {
  appendFileSync,
  chmodSync,
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { withBriefLock } from './brief-lock.ts'
import { cleanInput } from './clean-input.ts'

/** What was written in this and in earlier runs, oldest first. */
export interface LineHistory {
  readonly lines: readonly string[]
  /** Keeps a message, unless it begins with a space, is blank, or repeats the last. */
  add(text: string): void
}

export interface HistoryOptions {
  /** Is told once that the history cannot be kept. */
  readonly warn?: (message: string) => void
}

const MOST_LINES = 1000
/** What is longer is not looked for in a history, and would fill it. */
const LONGEST_LINE = 50_000
/** So large a file is not one of ours. */
const LARGEST_FILE = 64_000_000

/**
 * A history that is kept in a file: a line of JSON for each message. Messages are appended, so that several chats can share
 * it; who opens it when it has become far too long writes the last of it anew. A history is never a reason to fail.
 */
export function openHistory(file: string, { warn = () => {} }: HistoryOptions = {}): LineHistory {
  let lines: string[] = []
  let isKept = true
  let isTold = false

  const attempt = (what: () => void) => {
    try {
      what()
    } catch (error) {
      if (!isTold) warn(`The history is not kept: ${(error as Error).message}`)
      isTold = true
    }
  }

  attempt(() => {
    const found = statSync(file, { throwIfNoEntry: false })
    if (found === undefined) return
    // A pipe or a device would be waited for, and a folder cannot be replaced.
    isKept = isUsable(found)
    if (!isKept) throw new Error(`${file} is no file of a usual size`)
    if ((found.mode & 0o077) !== 0) chmodSync(file, 0o600)
    const all = readLines(file)
    lines = all.slice(-MOST_LINES)
    if (all.length > 2 * MOST_LINES) withBriefLock(`${file}.lock`, (isLocked) => isLocked && compact(file))
  })

  let isFirst = true
  return {
    get lines() {
      return lines
    },
    add(text) {
      const line = cleanInput(text)
      const isUnwanted = line.startsWith(' ') || line.trim() === '' || line.length > LONGEST_LINE
      if (isUnwanted || line === lines.at(-1)) return
      lines = [...lines, line].slice(-MOST_LINES)
      if (!isKept) return
      attempt(() => {
        if (isFirst) mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
        // The last line of a chat that was killed may lack its end.
        const written = `${isFirst ? '\n' : ''}${JSON.stringify(line)}\n`
        withBriefLock(`${file}.lock`, () => appendFileSync(file, written, { mode: 0o600 }))
        isFirst = false
      })
    },
  }
}

const isUsable = (found: Stats) => found.isFile() && found.size <= LARGEST_FILE

/** The messages in a file. What is none is left out. */
function readLines(file: string): string[] {
  const lines: string[] = []
  for (const json of readFileSync(file, 'utf8').split('\n')) {
    const line = messageIn(json)
    if (line !== undefined && line !== lines.at(-1)) lines.push(line)
  }
  return lines
}

function messageIn(json: string): string | undefined {
  try {
    const value: unknown = JSON.parse(json)
    const line = typeof value === 'string' ? cleanInput(value) : ''
    return line.trim() === '' ? undefined : line
  } catch {
    return undefined
  }
}

/** Writes the last messages beside the file, and puts that in its place. Read again: others wrote before it was locked. */
function compact(file: string): void {
  const real = realpathSync(file)
  const beside = `${real}.${randomUUID()}.tmp`
  const kept = readLines(real).slice(-MOST_LINES)
  try {
    closeSync(openSync(beside, 'wx', 0o600))
    writeFileSync(beside, kept.map((line) => `${JSON.stringify(line)}\n`).join(''))
    renameSync(beside, real)
  } catch (error) {
    rmSync(beside, { force: true })
    throw error
  }
}
