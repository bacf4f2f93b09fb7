import { parentPort, workerData } from 'node:worker_threads'
import { isRecord } from '../core/is-record.ts'
import type { Limits } from '../core/limits.ts'
import type { ToolCallOptions } from '../tool/create-tool-call-reader.ts'
import type { Block } from './calls-lines.ts'
import { readRow } from './calls-row.ts'
import { loadDeclaredTools } from './load-tools.ts'

/** What a worker is started with. Tools come as the name of their file: a schema library's cannot be sent. */
export interface CallsWorkerData {
  readonly legible: 'calls'
  readonly tools: string | undefined
  readonly dialect: string
  readonly expect: 'calls' | undefined
  readonly reasoning: 'auto' | 'open' | 'none'
  readonly limits: Partial<Limits>
}

/** What a worker says: first that it is there, then something about each block, in their order. */
export type CallsWorkerMessage = 'ready' | BlockResult

export interface BlockResult {
  /** The lines to write. */
  readonly output: Uint8Array
  readonly rows: number
  readonly broken: number
  /** The first of those that are broken. */
  readonly problems: readonly Problem[]
}

export interface Problem {
  readonly line: number
  readonly message: string
}

/** More are not worth a message: each has its line in the output. */
export const MOST_PROBLEMS = 50

/** This file, which is also what a worker runs: as it is called in the source, or where it was built. */
export const callsWorkerUrl = new URL(import.meta.url)

if (parentPort && isRecord(workerData) && workerData.legible === 'calls')
  serve(parentPort, workerData as unknown as CallsWorkerData)

function serve(port: NonNullable<typeof parentPort>, data: CallsWorkerData): void {
  const { tools, dialect, expect, reasoning, limits } = data
  const options: ToolCallOptions = {
    dialect,
    expect,
    reasoning,
    limits,
    tools: tools === undefined ? undefined : loadDeclaredTools(tools),
  }
  port.on('message', (block: Block) => {
    const result = readBlock(block, options)
    port.postMessage(result satisfies CallsWorkerMessage, [result.output.buffer as ArrayBuffer])
  })
  port.postMessage('ready' satisfies CallsWorkerMessage)
}

function readBlock({ first, bytes = new Uint8Array() }: Block, options: ToolCallOptions): BlockResult {
  const output: string[] = []
  const problems: Problem[] = []
  let broken = 0
  for (const [index, line] of linesOf(bytes).entries()) {
    // An empty line is no row, and no mistake.
    if (isBlank(line)) continue
    const { json, problem } = readRow(line, first + index, options)
    output.push(json, '\n')
    if (problem === undefined) continue
    broken++
    if (problems.length < MOST_PROBLEMS) problems.push({ line: first + index, message: problem })
  }
  return {
    output: new TextEncoder().encode(output.join('')),
    rows: output.length / 2 - broken,
    broken,
    problems,
  }
}

/** The lines of a block, without their ends. */
export function linesOf(bytes: Uint8Array): Uint8Array[] {
  const lines: Uint8Array[] = []
  let at = 0
  while (at < bytes.length) {
    const end = bytes.indexOf(10, at)
    const stop = end < 0 ? bytes.length : end
    lines.push(bytes.subarray(at, stop))
    at = stop + 1
  }
  return lines
}

const isBlank = (line: Uint8Array) => line.every((byte) => byte === 0x20 || byte === 0x09 || byte === 0x0d)
