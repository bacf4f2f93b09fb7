import type { ToolResult } from '../tool.ts'
import { toolResult } from '../tool-result.ts'
import { checkPath, countText, pathText } from './check-path.ts'
import { readBytes, versionOf } from './file-bytes.ts'
import { FileError } from './file-error.ts'
import { decodeText, wholeCharacters } from './file-text.ts'
import { inFolder } from './folder.ts'
import type { Root } from './root.ts'
import type { SeenVersions } from './seen-versions.ts'

export interface ReadArguments {
  readonly path: string
  /** The first line and the last, counted from 1. */
  readonly from?: number
  readonly to?: number
}

/** The text of a file, or some of its lines. What is said about it stands beside it, so that no file can say it. */
export async function readFile(
  { path, from = 1, to = Number.POSITIVE_INFINITY }: ReadArguments,
  root: Root,
  seen: SeenVersions,
): Promise<ToolResult<string>> {
  const names = checkPath(path, root)
  const { limits } = root
  const shown = pathText(names)
  const bytes = await bytesOf(names, root).catch((error) => {
    // The model knows now: from here on it may make a file of this name.
    if (error instanceof FileError && error.code === 'file.missing') seen.forget(shown)
    throw error
  })
  const { text } = decodeText(bytes, shown)
  const version = versionOf(bytes)
  if (text === '') {
    seen.set(shown, version)
    return toolResult({ text, instructions: `${shown} is empty. Version ${version}.` })
  }
  const lines = text.match(/[^\n]*\n|[^\n]+$/g) ?? []
  if (from > lines.length || to < from)
    throw new FileError(
      'file.no_match',
      `${shown} has ${countText(lines.length, 'line')}; there is none ${Number.isFinite(to) ? `from ${from} to ${to}` : `from ${from} on`}.`,
    )
  let last = from - 1
  let content = ''
  while (last < Math.min(to, lines.length, from - 1 + limits.readLines)) {
    const line = lines[last] as string
    if (content.length + line.length > limits.readLength) break
    content += line
    last++
  }
  seen.set(shown, version)
  // A line that is too long on its own is shown in part: better than nothing at all.
  if (content === '') {
    content = (lines[last] as string).slice(0, limits.readLength)
    return toolResult({
      text: wholeCharacters(content),
      instructions: `Line ${from} of ${lines.length} of ${shown}, cut: it is longer than ${limits.readLength} characters. Version ${version}.`,
    })
  }
  const which =
    from === 1 && last === lines.length
      ? `${shown}, all of it: ${countText(lines.length, 'line')}.`
      : `Lines ${from} to ${last} of ${lines.length} of ${shown}.`
  const more = last < Math.min(to, lines.length) ? ` Cut here; read on with "from": ${last + 1}.` : ''
  return toolResult({ text: content, instructions: `${which}${more} Version ${version}.` })
}

async function bytesOf(names: readonly string[], root: Root): Promise<Buffer> {
  const name = names.at(-1)
  if (name === undefined) throw new FileError('file.wrong_kind', 'The root is a folder, not a file.')
  const what = `${pathText(names)} could not be read`
  return inFolder(root, names.slice(0, -1), what, async (folder) => {
    const { bytes } = await readBytes(folder, name, root.limits.fileBytes)
    return bytes
  })
}
