import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import { dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import type { Agentfile } from '../agentfile/syntax/agentfile.ts'
import { leavesFolder, type PromptFiles } from '../agentfile/syntax/prompt-file.ts'
import { readAgentfile } from '../agentfile/syntax/read-agentfile.ts'
import type { Issue } from '../core/issue.ts'
import type { Read } from '../core/read.ts'
import { FileError } from '../tool/file/file-error.ts'
import { decodeText } from '../tool/file/file-text.ts'
import { type Input, readInput } from './read-input.ts'
import { fileError, UsageError } from './usage-error.ts'

/** Of an Agentfile, in characters, and of a file that FROM names, in bytes. */
const MOST = 1024 * 1024
const DEPTH = 16
const MOST_ENTRIES = 100_000
const MOST_FILES = 1000

/** The text of an Agentfile; `-` is standard input. Throws a UsageError if it cannot be had. */
export async function openAgentfile(file: string): Promise<Input> {
  const input = await readInput(file, MOST)
  if (input.text.length > MOST)
    throw new UsageError('cli.not_text', `${input.name}: an Agentfile has at most ${MOST} characters`)
  return input
}

/** An Agentfile that was read with the files that its prompts are in. */
export interface AgentfileReading {
  readonly read: Read<Agentfile>
  readonly files: PromptFiles
}

/** Prompt files are taken from the folder of the Agentfile; for standard input, from the current one. */
export function readWithFiles(file: string, { text }: Pick<Input, 'text'>): AgentfileReading {
  const { files, problems } = promptFilesIn(file === '-' ? '.' : dirname(file))
  const read = readAgentfile(text, { files })
  return { read: { ...read, issues: read.issues.map((issue) => withReason(issue, problems)) }, files }
}

/** A file that is there and cannot be used is not said to be missing. */
function withReason(issue: Issue, problems: ReadonlyMap<string, string>): Issue {
  const { path } = issue.params
  if (issue.code !== 'agentfile.missing_file' || typeof path !== 'string') return issue
  const plain = path.replace(/^(?:\.\/+)+/, '').replace(/\/+$/, '')
  const problem = problems.get(plain) ?? problems.get(`${plain}/SKILL.md`)
  return problem === undefined ? issue : { ...issue, message: `${JSON.stringify(path)} ${problem}` }
}

/** Why a prompt file is not taken although there is something. */
class Unusable extends Error {}

function promptFilesIn(folder: string): { files: PromptFiles; problems: ReadonlyMap<string, string> } {
  const problems = new Map<string, string>()
  const root = realpathSync(folder)
  const files: PromptFiles = (path) => {
    if (leavesFolder(path)) return undefined
    try {
      return promptText(root, path)
    } catch (error) {
      if (error instanceof Unusable) problems.set(path, error.message)
      else if (error instanceof FileError) problems.set(path, 'is no text in UTF-8')
      else {
        const { code } = error as NodeJS.ErrnoException
        if (code === undefined) throw error
        if (code !== 'ENOENT' && code !== 'ENOTDIR') problems.set(path, `cannot be read: ${code}`)
      }
      return undefined
    }
  }
  return { files, problems }
}

/** Undefined for a folder: its SKILL.md may be meant. */
function promptText(root: string, path: string): string | undefined {
  // Links are followed here, and nowhere behind it.
  const real = realpathSync(join(root, path))
  if (isOutside(root, real)) throw new Unusable('leads out of the folder of this file, by a link')
  const stats = statSync(real)
  if (stats.isDirectory()) return undefined
  // Opening a device or a pipe can do something, so it is not even tried.
  if (!stats.isFile()) throw new Unusable('is no plain file')
  return decodeText(readBounded(real), path).text
}

function isOutside(root: string, file: string): boolean {
  const path = relative(root, file)
  return path === '..' || path.startsWith(`..${sep}`) || isAbsolute(path)
}

function readBounded(file: string): Buffer {
  const { O_RDONLY, O_NOFOLLOW = 0, O_NONBLOCK = 0 } = constants
  const descriptor = openSync(file, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  try {
    if (!fstatSync(descriptor).isFile()) throw new Unusable('is no plain file')
    // One byte more shows that there is more.
    const bytes = Buffer.alloc(MOST + 1)
    let length = 0
    for (let read = -1; read !== 0 && length < bytes.length; length += read)
      read = readSync(descriptor, bytes, length, bytes.length - length, null)
    if (length > MOST) throw new Unusable(`is too large: prompts have at most ${MOST} bytes`)
    return bytes.subarray(0, length)
  } finally {
    closeSync(descriptor)
  }
}

/**
 * The files that are meant, each once: a folder means all Agentfiles in it and below. Hidden folders and node_modules are
 * passed over, links to folders too. Throws a UsageError if there is none.
 */
export function findAgentfiles(given: readonly string[]): string[] {
  const found = new Map<string, string>()
  for (const file of given) {
    const files = isFolder(file) ? agentfilesIn(file) : [file]
    if (files.length === 0)
      throw new UsageError(
        'cli.unreadable_file',
        `${file}: no Agentfile is in this folder (Agentfile, *.agent)`,
      )
    for (const one of files) {
      const key = one === '-' ? one : resolve(one)
      if (!found.has(key)) found.set(key, one)
    }
  }
  return [...found.values()]
}

function isFolder(file: string): boolean {
  if (file === '-') return false
  try {
    return statSync(file).isDirectory()
  } catch (error) {
    throw fileError(file, error)
  }
}

function agentfilesIn(top: string): string[] {
  const files: string[] = []
  let entries = 0
  const tooMany = () =>
    new UsageError('cli.usage', `${top}: too much is in this folder; name the files, or a folder in it`)
  const visit = (folder: string, depth: number): void => {
    for (const entry of entriesOf(folder)) {
      if (++entries > MOST_ENTRIES) throw tooMany()
      const path = join(folder, entry.name)
      if (entry.isDirectory()) {
        if (depth < DEPTH && !entry.name.startsWith('.') && entry.name !== 'node_modules')
          visit(path, depth + 1)
      } else if (/^Agentfile$|\.agent$/.test(entry.name) && (entry.isFile() || isLinkedFile(path))) {
        files.push(path)
        if (files.length > MOST_FILES) throw tooMany()
      }
    }
  }
  visit(top, 1)
  return files
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  } catch (error) {
    throw fileError(folder, error)
  }
}

const isLinkedFile = (path: string): boolean => statSync(path, { throwIfNoEntry: false })?.isFile() ?? false
