import type { ToolResult } from '../tool.ts'
import { toolResult } from '../tool-result.ts'
import { checkPath, countText, placeText } from './check-path.ts'
import { readBytes } from './file-bytes.ts'
import { FileError, systemError } from './file-error.ts'
import { decodeText, wholeCharacters } from './file-text.ts'
import { type FindText, findText } from './find-text.ts'
import { type Folder, inFolder } from './folder.ts'
import type { Root } from './root.ts'
import { walkFolder } from './walk-folder.ts'

export interface SearchArguments {
  readonly text: string
  /** A folder or a file. */
  readonly path?: string
  readonly ignoreCase?: boolean
}

/** What is installed, not written: looked into only if it is asked for. */
const INSTALLED = 'node_modules'
const WANTED_LENGTH = 1000

/** The lines that a plain text stands in, as `path:line: text`, in the order of a listing. */
export async function searchFiles(
  { text, path = '.', ignoreCase = false }: SearchArguments,
  root: Root,
  signal?: AbortSignal,
): Promise<ToolResult<string>> {
  const names = checkPath(path, root)
  if (text === '' || /[\r\n]/.test(text) || text.length > WANTED_LENGTH)
    throw new FileError(
      'file.invalid_text',
      `What is searched for is text within one line, of 1 to ${WANTED_LENGTH} characters.`,
    )
  const search = new Search(root, text, ignoreCase)
  const shown = placeText(names)
  const above = names.slice(0, -1)
  const name = names.at(-1)
  await inFolder(root, above, `${shown} could not be searched`, async (folder) => {
    if (name === undefined) return search.folder(folder, signal)
    if ((await folder.look(name))?.isFile()) return search.file(folder, name, true)
    const inner = await folder.open(name)
    return search.folder(inner, signal).finally(() => inner.close())
  })
  return toolResult({ text: search.lines.join('\n'), instructions: search.summary(shown) })
}

class Search {
  readonly lines: string[] = []
  private readonly root: Root
  private readonly find: FindText
  private readonly ignoreCase: boolean
  private readonly end: number
  private files = 0
  private bytes = 0
  private passedOver = 0
  /** Why the search ended early. */
  private stopped = ''

  constructor(root: Root, wanted: string, ignoreCase: boolean) {
    this.root = root
    this.find = findText(ignoreCase ? wanted.toLowerCase() : wanted)
    this.ignoreCase = ignoreCase
    this.end = performance.now() + root.limits.searchTime
  }

  async folder(start: Folder, signal: AbortSignal | undefined): Promise<void> {
    const enter = (name: string) => name !== INSTALLED
    for await (const { folder, entry } of walkFolder(
      start,
      this.root,
      this.root.limits.pathDepth,
      signal,
      enter,
    )) {
      if (performance.now() > this.end) this.stopped = 'the time is up'
      if (this.stopped) return
      if (entry.isFile()) await this.file(folder, entry.name)
    }
  }

  /** `asked`: the file is the only one, and what is wrong with it is told. */
  async file(folder: Folder, name: string, asked = false): Promise<void> {
    const { fileBytes, searchFiles, searchBytes } = this.root.limits
    if (this.files === searchFiles) this.stopped = `${searchFiles} files were searched`
    else if (this.bytes >= searchBytes) this.stopped = `${searchBytes} bytes were searched`
    if (this.stopped) return
    const path = folder.pathOf(name)
    try {
      const { bytes } = await readBytes(folder, name, fileBytes)
      this.bytes += bytes.length
      this.files++
      this.matches(decodeText(bytes, path).text, path)
    } catch (error) {
      const known = systemError(error, path)
      if (asked || !(known instanceof FileError)) throw error
      this.passedOver++
    }
  }

  private matches(text: string, path: string): void {
    const { searchMatches } = this.root.limits
    for (const [index, line] of text.split('\n').entries()) {
      const at = this.find(this.ignoreCase ? line.toLowerCase() : line)
      if (at < 0) continue
      if (this.lines.length === searchMatches) {
        this.stopped = `${searchMatches} lines were found`
        return
      }
      this.lines.push(`${path}:${index + 1}: ${this.excerpt(line, at)}`)
    }
  }

  /** The part of a long line that the match begins in. */
  private excerpt(line: string, at: number): string {
    const { lineLength } = this.root.limits
    if (line.length <= lineLength) return line.trimEnd()
    const start = Math.max(0, Math.min(at - Math.floor(lineLength / 4), line.length - lineLength))
    const part = line.slice(start, start + lineLength)
    return `${start > 0 ? '…' : ''}${wholeCharacters(part)}${start + lineLength < line.length ? '…' : ''}`
  }

  summary(path: string): string {
    const found = `${countText(this.lines.length, 'line')} found in ${path}; ${countText(this.files, 'file')} searched.`
    const cut =
      this.stopped && ` Stopped early: ${this.stopped}. Search a folder further down, or a longer text.`
    const over =
      this.passedOver > 0 ? ` Passed over as binary or too large: ${countText(this.passedOver, 'file')}.` : ''
    return found + cut + over
  }
}
