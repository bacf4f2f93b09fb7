import type { FileHandle } from 'node:fs/promises'
import { setTimeout } from 'node:timers/promises'
import { LINE_BYTES } from '../append-file.ts'
import { isLocked } from '../file-lock.ts'

const CHUNK = 256 * 1024
const LINE_BREAK = 10
/** How often, and after how many milliseconds, a line without an end is looked at again while somebody may be writing it. */
const PATIENCE = 3
const PAUSE = 50

/** A line of a log, from 1. */
export interface LogLine {
  readonly number: number
  /** Without its break. Undefined if it is longer than `LINE_BYTES`: then it is none of ours. */
  readonly bytes: Buffer | undefined
  /** The file ends before the line does. */
  readonly torn: boolean
}

/** The lines of an open log, all that end in a chunk together; no more of it than that is held. */
export async function* readLogLines(handle: FileHandle, file: string): AsyncGenerator<readonly LogLine[]> {
  const chunk = Buffer.alloc(CHUNK)
  let number = 1
  /** The line at hand, as far as earlier chunks had it. */
  let before: Buffer[] = []
  let length = 0
  let position = 0
  const line = (torn: boolean): LogLine => {
    const bytes = length > LINE_BYTES ? undefined : Buffer.concat(before)
    before = []
    length = 0
    return { number: number++, bytes, torn }
  }
  const hold = (part: Buffer) => {
    length += part.length
    if (length > LINE_BYTES) before = []
    else if (part.length > 0) before.push(Buffer.from(part))
  }
  for (let patience = PATIENCE; ; ) {
    const { bytesRead } = await handle.read(chunk, 0, CHUNK, position)
    if (bytesRead === 0) {
      if (length === 0 || patience-- === 0) break
      if (isLocked(file)) await setTimeout(PAUSE)
      else patience = 0
      continue
    }
    position += bytesRead
    const bytes = chunk.subarray(0, bytesRead)
    const lines: LogLine[] = []
    let at = 0
    for (let end = bytes.indexOf(LINE_BREAK); end >= 0; end = bytes.indexOf(LINE_BREAK, at)) {
      hold(bytes.subarray(at, end))
      lines.push(line(false))
      at = end + 1
    }
    hold(bytes.subarray(at))
    if (lines.length > 0) yield lines
  }
  if (length > 0) yield [line(true)]
}
