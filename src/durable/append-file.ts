import { constants, fstatSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LegibleError } from '../core/legible-error.ts'
import { codeOf } from '../tool/file/file-error.ts'
import { flushFolder, makePrivateFolder, openPrivateFile } from './private-file.ts'

/** A longer line is not read back. */
export const LINE_BYTES = 4 * 1024 * 1024
const CHUNK = 16 * 1024
const LINE_BREAK = 10

/** A last line without its end: a crash or a full disk in the middle of a write. */
export interface TornLine {
  readonly bytes: number
  /** It lacked only its line break, which it has now. Otherwise it was cut off. */
  readonly kept: boolean
}

/** A file of lines, each a JSON object, that is only ever added to. One process adds at a time. */
export interface AppendFile {
  /** What was mended when it was opened. */
  readonly torn: TornLine | undefined
  /** There was no line in it when it was opened. */
  readonly wasEmpty: boolean
  /** The last line when it was opened, without its break. Undefined as well if it is longer than `LINE_BYTES`. */
  readonly lastLine: Buffer | undefined
  /** Adds lines, all or none. They are on the disk when this resolves. */
  append(...lines: readonly string[]): Promise<void>
  /** Waits for what is being added. */
  close(): Promise<void>
}

/**
 * Opens a file to add lines to; makes it, and the folder that it stands in, if they are not there. Only its owner can read it.
 * What is torn at its end is mended first, so that it never mixes with the next line.
 */
export async function openAppendFile(file: string): Promise<AppendFile> {
  const folder = dirname(file)
  await makePrivateFolder(folder)
  const { O_RDWR, O_APPEND, O_CREAT } = constants
  const handle = await openPrivateFile(file, O_RDWR | O_APPEND | O_CREAT)
  try {
    const { torn, size } = await mend(handle)
    if (size === 0) await flushFolder(folder)
    const start = (await lastBreak(handle, size - 1)) + 1
    const length = Math.max(0, size - 1 - start)
    const lastLine = size === 0 || length > LINE_BYTES ? undefined : await readAt(handle, start, length)
    return new OpenAppendFile(file, handle, { torn, wasEmpty: size === 0, lastLine })
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** How a file was found. */
type Found = Pick<AppendFile, 'torn' | 'wasEmpty' | 'lastLine'>

class OpenAppendFile implements AppendFile {
  readonly torn: TornLine | undefined
  readonly wasEmpty: boolean
  readonly lastLine: Buffer | undefined
  private readonly file: string
  private readonly handle: FileHandle
  private last: Promise<unknown> = Promise.resolve()
  /** Where the file shall end, if half a line could not be taken back. */
  private leftover: number | undefined
  private closed = false

  constructor(file: string, handle: FileHandle, found: Found) {
    this.file = file
    this.handle = handle
    this.torn = found.torn
    this.wasEmpty = found.wasEmpty
    this.lastLine = found.lastLine
  }

  async append(...lines: readonly string[]): Promise<void> {
    if (this.closed) throw new LegibleError('durable.closed', `${this.file} was closed.`)
    if (lines.some((line) => line === '' || line.includes('\n')))
      throw new LegibleError('durable.invalid_line', 'A line has characters, and no line break.')
    const bytes = Buffer.from(lines.map((line) => `${line}\n`).join(''))
    const done = this.last.then(() => this.write(bytes))
    this.last = done.catch(() => {})
    await done
  }

  async close(): Promise<void> {
    if (this.closed) return
    this.closed = true
    await this.last
    await this.handle.close()
  }

  private async write(bytes: Buffer): Promise<void> {
    let before: number | undefined
    try {
      if (this.leftover !== undefined) await this.handle.truncate(this.leftover)
      this.leftover = undefined
      // Of an open file the system knows it at once: waiting for another thread would take longer than the answer.
      before = fstatSync(this.handle.fd).size
      await writeAll(this.handle, bytes)
      await this.handle.sync()
    } catch (error) {
      if (before !== undefined) await this.takeBack(before)
      throw writeError(this.file, error)
    }
  }

  private async takeBack(size: number): Promise<void> {
    try {
      await this.handle.truncate(size)
      await this.handle.sync()
    } catch {
      // The next write tries again, or else who opens the file next.
      this.leftover = size
    }
  }
}

/** The system may write less than it was given. */
async function writeAll(handle: FileHandle, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length; ) at += (await handle.write(bytes, at)).bytesWritten
}

const reasons: ReadonlyMap<string, string> = new Map([
  ['ENOSPC', 'the disk is full'],
  ['EDQUOT', 'the disk quota is used up'],
  ['EFBIG', 'it is larger than the system lets files be'],
  ['EROFS', 'the disk is read-only'],
  ['EACCES', 'the system does not permit it'],
  ['EPERM', 'the system does not permit it'],
])

/** What the system said, for people. Anything else is a mistake of ours, and stays as it is. */
export function writeError(file: string, error: unknown): unknown {
  const code = codeOf(error)
  if (code === undefined) return error
  const reason = reasons.get(code) ?? `the system says ${code}`
  return new LegibleError('durable.write_failed', `Nothing was added to ${file}: ${reason}.`, {
    cause: error,
  })
}

async function mend(handle: FileHandle): Promise<{ torn: TornLine | undefined; size: number }> {
  const { size } = await handle.stat()
  const start = (await lastBreak(handle, size)) + 1
  if (start === size) return { torn: undefined, size }
  const bytes = size - start
  const kept = bytes <= LINE_BYTES && isWhole(await readAt(handle, start, bytes))
  if (kept) await writeAll(handle, Buffer.from('\n'))
  else await handle.truncate(start)
  await handle.sync()
  return { torn: { bytes, kept }, size: kept ? size + 1 : start }
}

/** No part of the text of an object, from its start on, is the text of an object. */
function isWhole(line: Buffer): boolean {
  if (line.at(-1) !== '}'.charCodeAt(0)) return false
  try {
    JSON.parse(line.toString())
    return true
  } catch {
    return false
  }
}

/** Where the last line break before `end` is; -1 if there is none. */
async function lastBreak(handle: FileHandle, end: number): Promise<number> {
  for (let to = end; to > 0; ) {
    const from = Math.max(0, to - CHUNK)
    const at = (await readAt(handle, from, to - from)).lastIndexOf(LINE_BREAK)
    if (at >= 0) return from + at
    to = from
  }
  return -1
}

async function readAt(handle: FileHandle, from: number, length: number): Promise<Buffer> {
  const bytes = Buffer.allocUnsafe(length)
  let at = 0
  while (at < length) {
    const { bytesRead } = await handle.read(bytes, at, length - at, from + at)
    if (bytesRead === 0) break
    at += bytesRead
  }
  return bytes.subarray(0, at)
}
