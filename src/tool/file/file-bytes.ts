import { createHash } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { open } from 'node:fs/promises'
import { FileError } from './file-error.ts'
import { type Folder, NO_LINKS, sameFile } from './folder.ts'

export interface FileBytes {
  readonly bytes: Buffer
  /** The file as it was when it was read. */
  readonly stats: BigIntStats
}

/** The whole content of a file in an open folder: a regular one, of a bounded size. */
export async function readBytes(folder: Folder, name: string, most: number): Promise<FileBytes> {
  // Opening a device can do something, so it is not even tried. That the name has not changed its meaning since is seen below.
  await folder.explain(name, 'file')
  const { O_RDONLY, O_NONBLOCK = 0 } = constants
  // Without waiting: a pipe in the place of the file must not hold us up.
  const handle = await open(folder.at(name), O_RDONLY | O_NONBLOCK | NO_LINKS)
  try {
    const stats = await handle.stat({ bigint: true })
    const now = await folder.look(name)
    await folder.verify()
    if (!stats.isFile() || !now || !sameFile(stats, now))
      throw new FileError('file.changed', `${folder.pathOf(name)} was replaced while it was read. Try again.`)
    if (stats.size > most) throw tooLarge(folder.pathOf(name), most)
    const chunks: Buffer[] = []
    for (let length = 0; ; ) {
      const { buffer, bytesRead } = await handle.read({ buffer: Buffer.alloc(64 * 1024) })
      if (bytesRead === 0) return { bytes: Buffer.concat(chunks), stats }
      length += bytesRead
      // It may grow while it is read, and what the system makes up has no size.
      if (length > most) throw tooLarge(folder.pathOf(name), most)
      chunks.push(buffer.subarray(0, bytesRead))
    }
  } finally {
    await handle.close()
  }
}

export const tooLarge = (path: string, most: number) =>
  new FileError('file.too_large', `${path} is too large: file tools take up to ${most} bytes.`)

/** Tells one content of a file from another. */
export const versionOf = (bytes: Uint8Array): string =>
  createHash('sha256').update(bytes).digest('hex').slice(0, 16)
