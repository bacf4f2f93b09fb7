import { type BigIntStats, constants, type Dirent, existsSync } from 'node:fs'
import { type FileHandle, lstat, mkdir, open, opendir, readlink, rmdir } from 'node:fs/promises'
import { nameProblem, type PathRules, pathText } from './check-path.ts'
import { codeOf, FileError, systemError } from './file-error.ts'
import type { Root } from './root.ts'

/** Linux names each open folder by its descriptor: what stands below such a name is below that very folder. */
export const hasDescriptorPaths = process.platform === 'linux' && existsSync('/proc/self/fd')

const { O_RDONLY, O_DIRECTORY = 0, O_NOFOLLOW = 0 } = constants

/** For whatever is opened: what is no link. macOS can refuse links anywhere in the path (O_NOFOLLOW_ANY, unknown to Node). */
export const NO_LINKS = process.platform === 'darwin' ? 0x20000000 : O_NOFOLLOW

/**
 * An open folder within the root. No link was followed on the way to it, and what happens to the names above it afterwards
 * has no effect: its entries are reached through its descriptor, so that nothing can change between check and use.
 *
 * Where descriptors have no paths (macOS, Windows), entries are reached by their names, and `verify` looks afterwards whether
 * each folder on the way is still the one that was opened. What remains there: a program of this machine that swaps folders for
 * links all the time may find the moment in which a new folder, or a file that is put in its place, lands outside. On macOS
 * nothing can be opened through a link; elsewhere such a program may find that moment for reading as well. A model cannot make
 * links, so it takes a second attacker who can already write within the root.
 */
export class Folder {
  readonly names: readonly string[]
  private readonly handle: FileHandle
  /** Without descriptors: where the folder is. */
  private readonly path: string | undefined
  private readonly parent: Folder | undefined

  private constructor(names: readonly string[], handle: FileHandle, path?: string, parent?: Folder) {
    this.names = names
    this.handle = handle
    this.path = path
    this.parent = parent
  }

  static async openRoot({ path, byDescriptor }: Root): Promise<Folder> {
    const handle = await open(path, O_RDONLY | O_DIRECTORY)
    return new Folder([], handle, byDescriptor ? undefined : path)
  }

  /** How an entry of the folder is reached. */
  at(name: string): string {
    return `${this.path ?? `/proc/self/fd/${this.handle.fd}`}/${name}`
  }

  /** The names on the way to an entry, as the model may write them. */
  pathOf(name: string): string {
    return pathText([...this.names, name])
  }

  async open(name: string): Promise<Folder> {
    let handle: FileHandle
    try {
      handle = await open(this.at(name), O_RDONLY | O_DIRECTORY | NO_LINKS)
    } catch (error) {
      await this.explain(name, 'folder')
      throw error
    }
    const path = this.path === undefined ? undefined : this.at(name)
    const folder = new Folder([...this.names, name], handle, path, this)
    try {
      await folder.verify()
    } catch (error) {
      await folder.close()
      throw error
    }
    return folder
  }

  /** Makes a folder in it; false if there is one already. */
  async make(name: string): Promise<boolean> {
    await this.verify()
    try {
      await mkdir(this.at(name))
      return true
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false
      throw error
    }
  }

  async remove(name: string): Promise<void> {
    await this.verify()
    await rmdir(this.at(name))
  }

  /** What an entry is, if it exists. A link is what it is, not what it leads to. */
  async look(name: string): Promise<BigIntStats | undefined> {
    try {
      return await lstat(this.at(name), { bigint: true })
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return undefined
      throw error
    }
  }

  /** Its entries, sorted by name; without what no path could name, and what is protected. */
  async entries({ limits, isProtected }: PathRules): Promise<Dirent[]> {
    const most = limits.folderEntries
    const found: Dirent[] = []
    const directory = await opendir(this.at('.'))
    let count = 0
    for await (const entry of directory) {
      if (++count > most)
        throw new FileError(
          'file.too_large',
          `${pathText(this.names)} has more than ${most} entries: too many to list.`,
        )
      if (!nameProblem(entry.name) && !isProtected([...this.names, entry.name])) found.push(entry)
    }
    await this.verify()
    return found.sort((a, b) => (a.name < b.name ? -1 : 1))
  }

  /** Throws what is to be said about an entry that is no file, or no folder. */
  async explain(name: string, wanted: 'file' | 'folder'): Promise<BigIntStats> {
    const path = this.pathOf(name)
    const found = await this.look(name)
    if (!found) throw new FileError('file.missing', `${path} does not exist.`)
    if (found.isSymbolicLink())
      throw new FileError(
        'file.link',
        `${path} is a link, and links are not followed.${await this.targetOf(name)}`,
      )
    if (found.isDirectory() && wanted === 'file')
      throw new FileError('file.wrong_kind', `${path} is a folder, not a file.`)
    if (found.isFile() && wanted === 'folder')
      throw new FileError('file.wrong_kind', `${path} is a file, not a folder.`)
    if (!found.isFile() && !found.isDirectory())
      throw new FileError(
        'file.wrong_kind',
        `${path} is neither a file nor a folder, but a device or the like.`,
      )
    return found
  }

  /** Where a link leads, if that is within the root: then the model can name it itself. */
  private async targetOf(name: string): Promise<string> {
    const target = await readlink(this.at(name)).catch(() => '')
    if (target === '' || target.startsWith('/') || nameProblem(target.replaceAll('/', ''), false)) return ''
    const names = [...this.names]
    for (const part of target.split('/')) {
      if (part === '..' && names.pop() === undefined) return ''
      if (part !== '..' && part !== '.' && part !== '') names.push(part)
    }
    return ` It leads to ${pathText(names)}.`
  }

  /** Throws unless the folder still stands where it was opened. Nothing to do where its descriptor is its path. */
  async verify(): Promise<void> {
    if (this.path === undefined || this.parent === undefined) return
    await this.parent.verify()
    const now = await lstat(this.path, { bigint: true }).catch(() => undefined)
    if (!now || !sameFile(now, await this.handle.stat({ bigint: true })))
      throw new FileError(
        'file.changed',
        `${pathText(this.names)} was replaced while it was used. Try again.`,
      )
  }

  /** Makes sure that what happened to its entries outlives a crash. Some systems cannot: then it is no worse than before. */
  async flush(): Promise<void> {
    await this.handle.sync().catch(() => {})
  }

  close(): Promise<void> {
    return this.handle.close()
  }
}

export const sameFile = (a: BigIntStats, b: BigIntStats): boolean => a.dev === b.dev && a.ino === b.ino

/**
 * Opens the folder that the names lead to, component by component, and closes it after use. `make`: folders that are missing
 * are made, and removed again if the use fails. `what`: what is said to have failed, if the system fails.
 */
export async function inFolder<T>(
  root: Root,
  names: readonly string[],
  what: string,
  use: (folder: Folder) => Promise<T>,
  { make = false } = {},
): Promise<T> {
  const opened: Folder[] = []
  const made: { folder: Folder; name: string }[] = []
  try {
    let folder = await Folder.openRoot(root)
    opened.push(folder)
    for (const name of names) {
      if (make && (await folder.make(name))) made.push({ folder, name })
      folder = await folder.open(name)
      opened.push(folder)
    }
    return await use(folder)
  } catch (error) {
    for (const { folder, name } of made.reverse()) await folder.remove(name).catch(() => {})
    throw systemError(error, what)
  } finally {
    for (const folder of opened) await folder.close()
  }
}
