import { Worker } from 'node:worker_threads'
import type { Block } from './calls-lines.ts'
import { brokenRow } from './calls-row.ts'
import {
  type BlockResult,
  type CallsWorkerData,
  type CallsWorkerMessage,
  callsWorkerUrl,
  linesOf,
  MOST_PROBLEMS,
} from './calls-worker.ts'
import { UsageError } from './usage-error.ts'

/** Reads blocks of rows on several threads. A thread is started when all others have something to do. */
export class CallsPool {
  private readonly size: number
  private readonly data: CallsWorkerData
  private readonly threads = new Set<Thread>()
  private closed = false

  constructor(size: number, data: CallsWorkerData) {
    this.size = size
    this.data = data
  }

  /** A row that a thread does not survive, because no memory is left or a tool's schema ends it, costs only itself. */
  async read(block: Block): Promise<BlockResult> {
    if (!block.bytes) throw new TypeError('there are no bytes to read')
    try {
      return await this.freest().read(block)
    } catch (error) {
      if (!(error instanceof LostThread) || this.closed) throw error
      if (!error.guilty) return this.read(block)
      if (block.lines === 1) return lost(block.first, error.message)
      const parts: BlockResult[] = []
      for (const [index, bytes] of linesOf(block.bytes).entries())
        parts.push(await this.read({ first: block.first + index, lines: 1, bytes, size: bytes.length }))
      return joined(parts)
    }
  }

  async close(): Promise<void> {
    this.closed = true
    await Promise.all([...this.threads].map((thread) => thread.close()))
  }

  private freest(): Thread {
    let best: Thread | undefined
    for (const thread of this.threads) if (!best || thread.waiting < best.waiting) best = thread
    if (best && (best.waiting === 0 || this.threads.size >= this.size)) return best
    const thread = new Thread(this.data, () => this.threads.delete(thread))
    this.threads.add(thread)
    return thread
  }
}

/** `guilty`: the thread was at work on this block when it ended. */
class LostThread extends Error {
  readonly guilty: boolean

  constructor(message: string, guilty: boolean) {
    super(message)
    this.guilty = guilty
  }
}

interface Waiting {
  resolve(result: BlockResult): void
  reject(error: Error): void
}

class Thread {
  private readonly worker: Worker
  /** Answers come in the order of the questions. */
  private readonly queue: Waiting[] = []
  private ready = false
  private failure: Error | undefined

  constructor(data: CallsWorkerData, onEnd: () => void) {
    // What a module with tools prints must not stand among the rows.
    this.worker = new Worker(callsWorkerUrl, { workerData: data, stdout: true })
    this.worker.stdout.resume()
    this.worker.on('message', (message: CallsWorkerMessage) => {
      if (message === 'ready') this.ready = true
      else this.queue.shift()?.resolve(message)
    })
    this.worker.on('error', (error: Error) => {
      this.failure = error
    })
    this.worker.on('exit', () => {
      onEnd()
      this.end()
    })
  }

  get waiting(): number {
    return this.queue.length
  }

  read(block: Block): Promise<BlockResult> {
    return new Promise((resolve, reject) => {
      this.queue.push({ resolve, reject })
      this.worker.postMessage(block)
    })
  }

  async close(): Promise<void> {
    await this.worker.terminate()
  }

  private end(): void {
    const { failure, ready } = this
    const message = failure?.message ?? 'the thread that read this line has ended'
    for (const [index, { reject }] of this.queue.splice(0).entries())
      reject(ready ? new LostThread(message, index === 0) : cannotStart(failure))
  }
}

/** A thread that cannot even begin would fail again. Most likely it is the module with the tools that does. */
function cannotStart(failure: Error | undefined): Error {
  const { code, message = 'a thread did not start' } = (failure ?? {}) as Partial<UsageError>
  return code === 'cli.invalid_tools' ? new UsageError(code, message) : new Error(message, { cause: failure })
}

function lost(line: number, message: string): BlockResult {
  const { json } = brokenRow(line, 'cli.lost_worker', message)
  return {
    output: new TextEncoder().encode(`${json}\n`),
    rows: 0,
    broken: 1,
    problems: [{ line, message }],
  }
}

function joined(parts: readonly BlockResult[]): BlockResult {
  const sum = (of: (part: BlockResult) => number) => parts.reduce((total, part) => total + of(part), 0)
  return {
    output: Buffer.concat(parts.map(({ output }) => output)),
    rows: sum(({ rows }) => rows),
    broken: sum(({ broken }) => broken),
    problems: parts.flatMap(({ problems }) => problems).slice(0, MOST_PROBLEMS),
  }
}
