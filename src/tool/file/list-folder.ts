import type { Dirent } from 'node:fs'
import type { ToolResult } from '../tool.ts'
import { toolResult } from '../tool-result.ts'
import { checkPath, placeText } from './check-path.ts'
import { inFolder } from './folder.ts'
import type { Root } from './root.ts'
import { walkFolder } from './walk-folder.ts'

export interface ListArguments {
  readonly path?: string
  /** How many folders deep; 1: only what is in the folder itself. */
  readonly depth?: number
}

/** Paths of what a folder holds, sorted, one a line; those of folders end with a slash. */
export async function listFolder(
  { path = '.', depth = 1 }: ListArguments,
  root: Root,
  signal?: AbortSignal,
): Promise<ToolResult<string>> {
  const names = checkPath(path, root)
  const shown = placeText(names)
  const { listEntries, pathDepth } = root.limits
  return inFolder(root, names, `${shown} could not be listed`, async (start) => {
    const lines: string[] = []
    let more = false
    for await (const { folder, entry } of walkFolder(start, root, Math.min(depth, pathDepth), signal)) {
      more = lines.length === listEntries
      if (more) break
      lines.push(folder.pathOf(entry.name) + markOf(entry))
    }
    const count = more
      ? `The first ${listEntries} entries`
      : lines.length === 1
        ? '1 entry'
        : `${lines.length} entries`
    const hint = more ? '; there are more. List a folder further down, or search.' : '.'
    return toolResult({ text: lines.join('\n'), instructions: `${count} of ${shown}${hint}` })
  })
}

function markOf(entry: Dirent): string {
  if (entry.isDirectory()) return '/'
  if (entry.isFile()) return ''
  return entry.isSymbolicLink() ? ' (link)' : ' (no file)'
}
