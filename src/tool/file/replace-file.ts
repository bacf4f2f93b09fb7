import { randomBytes } from 'node:crypto'
import { type BigIntStats, constants } from 'node:fs'
import { type FileHandle, link, open, rename, unlink } from 'node:fs/promises'
import { checkAborted, codeOf, FileError } from './file-error.ts'
import { type Folder, NO_LINKS } from './folder.ts'

/**
 * Gives a file new content, all of it or none: written beside it, flushed, then put in its place. `old`: the file as it was when
 * it was checked; without it there must be none. The file that was there is replaced, not written to: whoever has it open, or
 * has another name for it outside the root, keeps the old content.
 */
export async function replaceFile(
  folder: Folder,
  name: string,
  bytes: Uint8Array,
  old: BigIntStats | undefined,
  signal: AbortSignal | undefined,
): Promise<void> {
  // Protected by its name, so that no tool shows it, whatever becomes of us before it is gone.
  const beside = `.legible-${randomBytes(8).toString('hex')}.tmp`
  const { O_WRONLY, O_CREAT, O_EXCL } = constants
  // What replaces a secret must not be readable by others for a moment.
  const handle = await open(folder.at(beside), O_WRONLY | O_CREAT | O_EXCL | NO_LINKS, old ? 0o600 : 0o666)
  let kept = true
  try {
    try {
      await folder.verify()
      await handle.writeFile(bytes)
      if (old) await takeOver(handle, old)
      await handle.sync()
    } finally {
      await handle.close()
    }
    checkAborted(signal)
    await folder.verify()
    if (old) {
      await checkUnchanged(folder, name, old)
      await rename(folder.at(beside), folder.at(name))
      kept = false
    } else kept = await putNew(folder, beside, name)
  } finally {
    if (kept) await unlink(folder.at(beside)).catch(() => {})
  }
  await folder.flush()
}

/** The permissions and, where the system lets us, the owner of the file that is replaced. */
async function takeOver(handle: FileHandle, old: BigIntStats): Promise<void> {
  const made = await handle.stat({ bigint: true })
  if (made.uid !== old.uid || made.gid !== old.gid)
    await handle.chown(Number(old.uid), Number(old.gid)).catch(() => {})
  await handle.chmod(Number(old.mode & 0o777n))
}

/** The last look before the old content is gone. Between this and the rename lies nothing but the call of the system. */
async function checkUnchanged(folder: Folder, name: string, old: BigIntStats): Promise<void> {
  const now = await folder.look(name)
  const same = (['dev', 'ino', 'size', 'mtimeNs', 'ctimeNs'] as const).every((key) => now?.[key] === old[key])
  if (!same) throw changed(folder.pathOf(name))
}

/** Puts a new file in its place without replacing another that was made meanwhile. True if its first name is still there. */
async function putNew(folder: Folder, beside: string, name: string): Promise<boolean> {
  try {
    await link(folder.at(beside), folder.at(name))
    return true
  } catch (error) {
    if (codeOf(error) === 'EEXIST') throw changed(folder.pathOf(name))
    // A disk on which files have one name only.
    if (await folder.look(name)) throw changed(folder.pathOf(name))
    await rename(folder.at(beside), folder.at(name))
    return false
  }
}

export const changed = (path: string) =>
  new FileError('file.changed', `${path} has changed since it was read. Read it again first.`)
