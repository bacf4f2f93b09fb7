import type { Dirent } from 'node:fs'
import { checkAborted, FileError } from './file-error.ts'
import type { Folder } from './folder.ts'
import type { Root } from './root.ts'

export interface Found {
  readonly folder: Folder
  readonly entry: Dirent
}

/**
 * What a folder holds, sorted, each folder before what is in it. Links are told of and not followed. A folder below that
 * cannot be opened is told of as well, and holds nothing.
 */
export async function* walkFolder(
  folder: Folder,
  root: Root,
  depth: number,
  signal: AbortSignal | undefined,
  enter: (name: string) => boolean = () => true,
): AsyncGenerator<Found> {
  for (const entry of await folder.entries(root)) {
    checkAborted(signal)
    yield { folder, entry }
    if (depth <= 1 || !entry.isDirectory() || !enter(entry.name)) continue
    let inner: Folder
    try {
      inner = await folder.open(entry.name)
    } catch {
      continue
    }
    try {
      yield* walkFolder(inner, root, depth - 1, signal, enter)
    } catch (error) {
      // One that has too many entries is passed over; whoever wants to know asks for it by its name.
      if (!(error instanceof FileError) || error.code === 'file.aborted') throw error
    } finally {
      await inner.close()
    }
  }
}
