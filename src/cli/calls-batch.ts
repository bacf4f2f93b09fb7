import { once } from 'node:events'
import { createReadStream, fstatSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { addAbortSignal, type Readable } from 'node:stream'
import { columns } from '../core/columns.ts'
import { inOrder } from './calls-in-order.ts'
import { type Block, splitLines } from './calls-lines.ts'
import { CallsPool } from './calls-pool.ts'
import { type Progress, showProgress } from './calls-progress.ts'
import { brokenRow } from './calls-row.ts'
import { type BlockResult, type CallsWorkerData, MOST_PROBLEMS, type Problem } from './calls-worker.ts'
import { fileError } from './usage-error.ts'

export interface BatchOptions {
  /** Threads; as many as there are cores unless it is said. */
  readonly jobs: number | undefined
  /** Bytes of a line that are read. */
  readonly maxLine: number
  readonly worker: CallsWorkerData
}

/** What is held at a time, however long the input is: enough that no thread waits for the next block. */
const BLOCKS_PER_THREAD = 3
/** More only for a line that is longer. */
const BYTES_IN_FLIGHT = 8 * 1024 * 1024

/**
 * Reads rows, `{"raw": …}` as lines of JSON, and writes a line for each, in their order. Gives the exit code: 1 if a
 * line was no row, 130 if it was interrupted.
 */
export async function runBatch(file: string, { jobs, maxLine, worker }: BatchOptions): Promise<number> {
  const name = file === '-' ? 'stdin' : file
  const { stdin, stdout, stderr, env } = process
  if (file === '-' && stdin.isTTY)
    stderr.write('Waiting for rows on standard input, {"raw": "…"} on each line.\n')
  const abort = new AbortController()
  const size = jobs ?? availableParallelism()
  const pool = new CallsPool(size, worker)
  // Where the rows go to the same terminal, they show well enough that something happens.
  const progress = showProgress(stderr, stderr.isTTY && !stdout.isTTY && env.TERM !== 'dumb', sizeOf(file))
  const report = reporter(progress, name)
  let interrupted = false
  const interrupt = () => {
    if (interrupted) process.exit(130)
    interrupted = true
    abort.abort()
    if (stderr.isTTY) progress.say('legible: finishing the lines at hand; interrupt again to stop at once')
  }
  process.on('SIGINT', interrupt)
  const total = { bytes: 0, rows: 0, broken: 0 }
  try {
    const blocks = splitLines(open(file, abort.signal), maxLine, abort.signal)
    const start = (block: Block) =>
      block.bytes ? pool.read(block) : Promise.resolve(tooLong(block, maxLine))
    const room = (block: Block, running: readonly Block[]) =>
      running.length < size * BLOCKS_PER_THREAD && held([block, ...running]) <= BYTES_IN_FLIGHT
    for await (const { item, result } of inOrder(blocks, start, room)) {
      total.bytes += item.size
      total.rows += result.rows
      total.broken += result.broken
      for (const problem of result.problems) report(problem)
      progress.update(total.bytes, total.rows, total.broken)
      if (result.output.length > 0 && !stdout.write(result.output)) await once(stdout, 'drain')
    }
  } finally {
    process.off('SIGINT', interrupt)
    // An input that nobody reads any more would keep the process from ending.
    abort.abort()
    progress.clear()
    await pool.close()
  }
  progress.sum()
  if (total.broken > MOST_PROBLEMS)
    progress.say(
      `legible: ${name}: ${total.broken} lines could not be read; the output has an error for each`,
    )
  if (interrupted) return 130
  return total.broken > 0 ? 1 : 0
}

const held = (blocks: readonly Block[]) => blocks.reduce((sum, { bytes }) => sum + (bytes?.length ?? 0), 0)

function reporter(progress: Progress, name: string): (problem: Problem) => void {
  let told = 0
  return ({ line, message }) => {
    if (told++ < MOST_PROBLEMS)
      progress.say(`legible: ${name}:${line}: ${columns(message.slice(0, 500)).text}`)
  }
}

function tooLong({ first: line }: Block, maxLine: number): BlockResult {
  const message = `this line is longer than ${maxLine} bytes, and was not read (--max-line sets the limit)`
  const { json } = brokenRow(line, 'cli.line_too_long', message)
  return { output: Buffer.from(`${json}\n`), rows: 0, broken: 1, problems: [{ line, message }] }
}

/** How much there is to read, where that can be known. */
function sizeOf(file: string): number | undefined {
  try {
    const stat = file === '-' ? fstatSync(0) : statSync(file)
    return stat.isFile() ? stat.size : undefined
  } catch {
    return undefined
  }
}

/** The bytes of a file or of standard input, until the signal says that it is enough. */
async function* open(file: string, signal: AbortSignal): AsyncGenerator<Uint8Array> {
  const stream: Readable = file === '-' ? process.stdin : createReadStream(file)
  addAbortSignal(signal, stream)
  try {
    yield* stream as AsyncIterable<Uint8Array>
  } catch (error) {
    if (!signal.aborted) throw fileError(file === '-' ? 'standard input' : file, error)
  }
}
