import { constants } from 'node:fs'
import { open, rename, rm } from 'node:fs/promises'
import { codeOf } from '../../tool/file/file-error.ts'
import { openPrivateFile } from '../private-file.ts'
import { replacePrivateFile } from '../replace-private-file.ts'
import { CHAIN_START, type ChainPlace, isChainPlace } from './audit-line.ts'

/** More is none of ours. */
const HEAD_BYTES = 1024

/** The end of a chain could be cut off unseen, so a file beside the log says where it ends. */
export const headFile = (file: string) => `${file}.head`

/** Undefined if there is none, or none that can be read. */
export async function readHead(file: string): Promise<ChainPlace | undefined> {
  try {
    const handle = await openPrivateFile(headFile(file), constants.O_RDONLY)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(HEAD_BYTES), 0, HEAD_BYTES, 0)
      const head: unknown = JSON.parse(buffer.toString('utf8', 0, bytesRead))
      return isChainPlace(head) ? { seq: head.seq, hash: head.hash } : undefined
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (codeOf(error) === 'ENOENT' || error instanceof SyntaxError) return undefined
    throw error
  }
}

/**
 * Writes a head beside the one that counts, and gives what puts it in its place. So a disk that is full is noticed before the
 * line is added, and a crash leaves the head behind the log, never before it.
 */
export async function prepareHead(file: string, place: ChainPlace): Promise<() => Promise<void>> {
  const beside = `${headFile(file)}.new`
  // Left by a crash.
  await rm(beside, { force: true })
  const handle = await open(beside, 'wx', 0o600)
  try {
    await handle.writeFile(headText(place))
    await handle.sync()
  } catch (error) {
    await rm(beside, { force: true })
    throw error
  } finally {
    await handle.close()
  }
  return () => rename(beside, headFile(file))
}

/** The head of a log that has no line yet. From then on, a log without a head is not as it was. */
export const writeFirstHead = (file: string): Promise<void> =>
  replacePrivateFile(headFile(file), headText(CHAIN_START))

const headText = ({ seq, hash }: ChainPlace) => `${JSON.stringify({ seq, hash })}\n`
