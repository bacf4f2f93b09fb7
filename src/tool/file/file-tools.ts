import { realpathSync, statSync } from 'node:fs'
import { LegibleError } from '../../core/legible-error.ts'
import { defineTool } from '../define-tool.ts'
import type { Need } from '../permission/permission.ts'
import type { Tool } from '../tool.ts'
import { countText } from './check-path.ts'
import { type Edit, editText } from './edit-text.ts'
import { type FileLimits, fileLimits } from './file-limits.ts'
import { hasDescriptorPaths } from './folder.ts'
import { type ListArguments, listFolder } from './list-folder.ts'
import { type ChangeRequest, makeChange, type PlannedChange, planChange } from './plan-change.ts'
import { addPreview } from './preview-change.ts'
import { protectedNames } from './protected-names.ts'
import { type ReadArguments, readFile } from './read-file.ts'
import type { Root } from './root.ts'
import { type SearchArguments, searchFiles } from './search-files.ts'
import { SeenVersions } from './seen-versions.ts'
import { unifiedDiff } from './unified-diff.ts'

export interface FileToolsOptions {
  /** The folder that the tools work in, and never leave. */
  readonly root: string
  /** `false`: only the tools that read. */
  readonly write?: boolean | undefined
  readonly limits?: Partial<FileLimits> | undefined
  /** Names (in every folder) and paths (from the root on) that no tool touches, besides `.git` and the like. `*`: any characters. */
  readonly protect?: readonly string[] | undefined
}

/**
 * Tools with which a model reads and changes the files of one folder: `fs.read`, `fs.list`, `fs.search`, `fs.write`, `fs.edit`. What
 * changes files needs approval. Whoever made them together shares what was read: a file can be changed as it was read, and
 * not otherwise.
 */
export function fileTools({ root: path, write = true, limits, protect }: FileToolsOptions): Tool[] {
  const root: Root = {
    path: checkRoot(path),
    byDescriptor: hasDescriptorPaths,
    limits: fileLimits(limits),
    isProtected: protectedNames(protect),
  }
  return toolsOf(root, write)
}

/** The tools of a root that was checked. */
export function toolsOf(root: Root, write: boolean): Tool[] {
  const seen = new SeenVersions()
  const readers = [readTool(root, seen), listTool(root), searchTool(root)]
  if (!write) return readers
  const inTurn = takeTurns()
  return [...readers, writeTool(root, seen, inTurn), editTool(root, seen, inTurn)]
}

function readTool(root: Root, seen: SeenVersions): Tool {
  return defineTool({
    name: 'fs.read',
    description: 'Reads a text file, or some of its lines.',
    needs: needsAt('fs.read'),
    input: objectOf({ path: filePath, from: line('first line, from 1'), to: line('last line') }, ['path']),
    run: (args) => readFile(args as unknown as ReadArguments, root, seen),
  })
}

function listTool(root: Root): Tool {
  return defineTool({
    name: 'fs.list',
    description: 'Lists a folder; paths of folders end with a slash.',
    needs: (args) => needsAt('fs.read', Number(args.depth ?? 1) > 1)(args),
    input: objectOf({ path: folderPath, depth: line('how many folders deep; 1 unless given') }),
    run: (args, { signal }) => listFolder(args as ListArguments, root, signal),
  })
}

function searchTool(root: Root): Tool {
  return defineTool({
    name: 'fs.search',
    description: 'Finds the lines that a text stands in, in a file or in all files of a folder.',
    needs: needsAt('fs.read', true),
    input: objectOf(
      {
        text: { type: 'string', description: 'plain text within one line, no pattern' },
        path: folderPath,
        ignoreCase: { type: 'boolean', description: 'whether letter case does not matter' },
      },
      ['text'],
    ),
    run: (args, { signal }) => searchFiles(args as unknown as SearchArguments, root, signal),
  })
}

interface WriteArguments {
  readonly path: string
  readonly content: string
  readonly version?: string
}

function writeTool(root: Root, seen: SeenVersions, inTurn: InTurn): Tool {
  const input = objectOf({ path: filePath, content: { type: 'string' }, version }, ['path', 'content'])
  const requestOf = ({ path, version, content }: WriteArguments): ChangeRequest => ({
    path,
    version,
    makes: true,
    text: () => content,
  })
  return changeTool(root, seen, inTurn, {
    name: 'fs.write',
    description: 'Writes a whole text file: a new one, or one that was read before.',
    input,
    requestOf: (args) => requestOf(args as WriteArguments),
  })
}

interface EditArguments extends Edit {
  readonly path: string
  readonly version?: string
}

function editTool(root: Root, seen: SeenVersions, inTurn: InTurn): Tool {
  const input = objectOf(
    {
      path: filePath,
      old: { type: 'string', description: 'exactly as it stands in the file, and only once' },
      new: { type: 'string', description: 'what stands there afterwards' },
      all: { type: 'boolean', description: 'true: replaces it wherever it stands' },
      version,
    },
    ['path', 'old', 'new'],
  )
  const requestOf = ({ path, version, ...edit }: EditArguments): ChangeRequest => ({
    path,
    version,
    makes: false,
    text: (old, where) => editText(old, edit, where, root.limits.fileBytes),
  })
  return changeTool(root, seen, inTurn, {
    name: 'fs.edit',
    description: 'Replaces text in a file that was read before.',
    input,
    requestOf: (args) => requestOf(args as EditArguments),
  })
}

interface ChangeDefinition {
  readonly name: string
  readonly description: string
  readonly input: ReturnType<typeof objectOf>
  /** The arguments have passed the schema. */
  requestOf(args: unknown): ChangeRequest
}

/** A tool that changes a file, and can show beforehand what it would change. */
function changeTool(root: Root, seen: SeenVersions, inTurn: InTurn, definition: ChangeDefinition): Tool {
  const { name, description, input, requestOf } = definition
  /** What stood in a file when somebody was shown what a call would make of it: that, and nothing else, they agreed to. */
  const previewed = new Map<string, { readonly text: string | undefined }>()
  const tool = defineTool({
    name,
    description,
    input,
    needsApproval: true,
    needs: needsAt('fs.write'),
    run: (args, { signal }) =>
      inTurn(async () => {
        const key = JSON.stringify(args)
        const before = previewed.get(key)
        previewed.delete(key)
        return told(
          await makeChange({ ...requestOf(args), ...(before && { before }) }, root, seen, signal),
          root,
        )
      }),
  })
  return addPreview(tool, (args) =>
    // Behind what is on its way: a diff of what is about to change would show what will never be.
    inTurn(async () => {
      const change = await planChange(requestOf(args), root, seen)
      previewed.set(JSON.stringify(args), { text: change.before })
      return shown(change, root)
    }),
  )
}

/** Reading and writing are two things, whatever the tool is called. */
const needsAt =
  (capability: 'fs.read' | 'fs.write', tree = false) =>
  (args: Record<string, unknown>): Need => ({
    capability,
    path: typeof args.path === 'string' ? args.path : '.',
    ...(tree && { tree }),
  })

const filePath = { type: 'string', description: 'from the root on, such as src/main.ts' }
const folderPath = { type: 'string', description: 'from the root on; the root unless given' }
const version = { type: 'string', description: 'as fs.read told it; the last one that was read unless given' }
const line = (description: string) => ({ type: 'integer', minimum: 1, description })
const objectOf = (properties: Record<string, object>, required: string[] = []) =>
  ({ type: 'object', properties, required }) as const

const kindOf = ({ before, after }: PlannedChange) =>
  before === undefined ? 'create' : before === after ? 'none' : 'replace'

function shown(change: PlannedChange, { limits }: Root) {
  const { path, before, after } = change
  return { ok: true, path, change: kindOf(change), ...unifiedDiff(path, before, after, limits) } as const
}

/** For the model: short, as it knows what it wrote. */
function told(change: PlannedChange, root: Root): string {
  const { path, change: kind, added, removed } = shown(change, root)
  if (kind === 'none') return `${path} already was like this; nothing was written.`
  const lines = `${countText(added, 'line')} added, ${removed} removed`
  return kind === 'create' ? `Created ${path}: ${lines}.` : `Changed ${path}: ${lines}.`
}

type InTurn = <T>(work: () => Promise<T>) => Promise<T>

/** One change after the other: calls of one reply run at the same time, and two edits of a file must both count. */
function takeTurns(): InTurn {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const turn = last.then(work)
    last = turn.catch(() => {})
    return turn
  }
}

/** A folder that exists; links on the way to it are the user's own. */
function checkRoot(root: unknown): string {
  if (typeof root !== 'string' || root === '')
    throw invalidRoot('File tools need a root: the folder that they work in.')
  try {
    if (statSync(root).isDirectory()) return realpathSync(root)
  } catch {
    throw invalidRoot(`The root ${root} of file tools does not exist, or cannot be read.`)
  }
  throw invalidRoot(`The root ${root} of file tools is no folder.`)
}

const invalidRoot = (problem: string) => new LegibleError('file.invalid_root', problem)
