import { constants, lstatSync } from 'node:fs'
import { type FileHandle, mkdir, open } from 'node:fs/promises'
import { dirname } from 'node:path'
import { LegibleError } from '../core/legible-error.ts'
import { codeOf } from '../tool/file/file-error.ts'

const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants

/** Bits of permissions that are not the owner's. */
const OTHERS = 0o077

/**
 * Opens a file of ours that nobody else may read. A link is not followed, and what is no plain file of ours is refused: a
 * folder that came from elsewhere may hold anything under this name. Permissions that are too wide are narrowed if it is
 * opened for writing.
 */
export async function openPrivateFile(file: string, flags: number): Promise<FileHandle> {
  checkFolder(dirname(file))
  // A pipe would wait for somebody who reads it.
  const handle = await open(file, flags | O_NOFOLLOW | O_NONBLOCK, 0o600).catch((error: unknown) => {
    if (codeOf(error) === 'ELOOP') throw unusable(`${file} is a link. Put a file in its place, or remove it.`)
    throw error
  })
  try {
    const { mode, uid, nlink } = await handle.stat().then((stats) => {
      if (!stats.isFile()) throw unusable(`${file} is not a plain file.`)
      return stats
    })
    if (flags === O_RDONLY) return handle
    if (process.getuid && uid !== process.getuid()) throw unusable(`${file} belongs to another user.`)
    if (nlink > 1) throw unusable(`${file} has another name: what is added to it would stand there as well.`)
    if ((mode & OTHERS) !== 0 && process.platform !== 'win32') await handle.chmod(0o600)
    return handle
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Makes the folder of a private file if there is none: for its owner alone. */
export async function makePrivateFolder(folder: string): Promise<void> {
  if (checkFolder(folder)) return
  await mkdir(folder, { recursive: true, mode: 0o700 })
  checkFolder(folder)
  await flushFolder(dirname(folder))
}

/** A link in the place of the folder would lead what is private anywhere. False if there is nothing. */
function checkFolder(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats?.isSymbolicLink()) throw unusable(`${folder} is a link. Name the folder that it leads to.`)
  if (stats && !stats.isDirectory()) throw unusable(`${folder} is not a folder.`)
  return stats !== undefined
}

/** A file that is new, or has a new name, is only safe when its folder is flushed too. */
export async function flushFolder(folder: string): Promise<void> {
  // Windows has nothing to flush.
  if (process.platform === 'win32') return
  const handle = await open(folder, O_RDONLY)
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}

const unusable = (message: string) => new LegibleError('durable.unusable_file', message)
