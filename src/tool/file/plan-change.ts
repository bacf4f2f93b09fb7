import type { BigIntStats } from 'node:fs'
import { checkPath, pathText } from './check-path.ts'
import { readBytes, tooLarge, versionOf } from './file-bytes.ts'
import { FileError } from './file-error.ts'
import { checkWritable, decodeText, plainStyle, styledText, type TextStyle } from './file-text.ts'
import { type Folder, inFolder } from './folder.ts'
import { changed, replaceFile } from './replace-file.ts'
import type { Root } from './root.ts'
import type { SeenVersions } from './seen-versions.ts'

/** What is to be done with a file. */
export interface ChangeRequest {
  readonly path: string
  /** As fs.read told it; without it, the version that was read last counts. */
  readonly version?: string | undefined
  /** Whether a file that does not exist is made, with the folders on the way to it. */
  readonly makes: boolean
  /** What must stand in the file, as somebody was shown; `text` is absent where there was no file. */
  readonly before?: { readonly text: string | undefined } | undefined
  /** The new text, given that which is there; nothing, if there is no such file. */
  text(old: string, path: string): string
}

/** What a file would become. */
export interface PlannedChange {
  readonly path: string
  /** As they stand in the file, line ends and byte order mark included. */
  readonly before: string | undefined
  readonly after: string
}

/** What a change would do, without doing it: everything is checked that is checked when it is done. */
export async function planChange(
  request: ChangeRequest,
  root: Root,
  seen: SeenVersions,
): Promise<PlannedChange> {
  const { above, name, path } = placeOf(request, root)
  const what = `${path} could not be read`
  try {
    return await inFolder(
      root,
      above,
      what,
      async (folder) => (await plan(request, folder, name, root, seen)).change,
    )
  } catch (error) {
    // A folder on the way is missing: it would be made.
    if (!request.makes || !(error instanceof FileError) || error.code !== 'file.missing') throw error
    return planNew(request, path, root, seen)
  }
}

/** Does it: the file is as planned, or as it was. */
export async function makeChange(
  request: ChangeRequest,
  root: Root,
  seen: SeenVersions,
  signal: AbortSignal | undefined,
): Promise<PlannedChange> {
  const { above, name, path } = placeOf(request, root)
  const what = `${path} could not be written and is as it was before`
  const write = async (folder: Folder) => {
    const { change, stats } = await plan(request, folder, name, root, seen)
    const bytes = Buffer.from(change.after)
    if (change.before !== change.after) await replaceFile(folder, name, bytes, stats, signal)
    seen.set(path, versionOf(bytes))
    return change
  }
  return inFolder(root, above, what, write, { make: request.makes })
}

function placeOf({ path }: ChangeRequest, root: Root) {
  const names = checkPath(path, root)
  const name = names.at(-1)
  if (name === undefined) throw new FileError('file.wrong_kind', 'The root is a folder, not a file.')
  return { above: names.slice(0, -1), name, path: pathText(names) }
}

async function plan(
  request: ChangeRequest,
  folder: Folder,
  name: string,
  root: Root,
  seen: SeenVersions,
): Promise<{ change: PlannedChange; stats: BigIntStats | undefined }> {
  const path = folder.pathOf(name)
  if (!(await folder.look(name))) {
    if (!request.makes) throw new FileError('file.missing', `${path} does not exist.`)
    return { change: planNew(request, path, root, seen), stats: undefined }
  }
  const { bytes, stats } = await readBytes(folder, name, root.limits.fileBytes)
  const expected = request.version ?? seen.get(path)
  if (expected === undefined)
    throw new FileError('file.unread', `${path} exists and was not read yet. Read it first with fs.read.`)
  if (expected !== versionOf(bytes)) throw changed(path)
  if ((stats.mode & 0o222n) === 0n) throw new FileError('file.read_only', `${path} is read-only.`)
  const { text, style } = decodeText(bytes, path)
  const before = styledText(text, style)
  if (request.before && request.before.text !== before) throw changed(path)
  const after = checked(request.text(text, path), style, path, root)
  return { change: { path, before, after }, stats }
}

function planNew(request: ChangeRequest, path: string, root: Root, seen: SeenVersions): PlannedChange {
  // It was there when it was read: the model must hear that it is gone.
  const wasThere = request.before !== undefined && request.before.text !== undefined
  if ((request.version ?? seen.get(path)) !== undefined || wasThere) throw changed(path)
  return { path, before: undefined, after: checked(request.text('', path), plainStyle, path, root) }
}

function checked(text: string, style: TextStyle, path: string, root: Root): string {
  checkWritable(text)
  const styled = styledText(text, style)
  if (Buffer.byteLength(styled) > root.limits.fileBytes) throw tooLarge(path, root.limits.fileBytes)
  return styled
}
