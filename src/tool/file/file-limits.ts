import { LegibleError } from '../../core/legible-error.ts'

/** What a model can ask of the disk is bounded by these. */
export interface FileLimits {
  /** Characters of a path. */
  pathLength: number
  /** Folders within folders. */
  pathDepth: number
  /** Bytes of a file that is read, searched or written. */
  fileBytes: number
  /** Lines that one call of fs.read gives. */
  readLines: number
  /** Characters that one call of fs.read gives. */
  readLength: number
  /** Entries that one call of fs.list gives. */
  listEntries: number
  /** Entries of a folder that are looked at; one with more is not listed at all. */
  folderEntries: number
  /** Lines that one call of fs.search finds. */
  searchMatches: number
  /** Files that one call of fs.search looks into. */
  searchFiles: number
  /** Bytes that one call of fs.search reads. */
  searchBytes: number
  /** Milliseconds that one call of fs.search takes. */
  searchTime: number
  /** Lines of a preview. */
  diffLines: number
  /** Characters of a line in a preview, and in what fs.search finds. */
  lineLength: number
}

export const defaultFileLimits: Readonly<FileLimits> = {
  pathLength: 1024,
  pathDepth: 32,
  fileBytes: 2 * 1024 * 1024,
  readLines: 2000,
  readLength: 64 * 1024,
  listEntries: 1000,
  folderEntries: 100_000,
  searchMatches: 200,
  searchFiles: 10_000,
  searchBytes: 64 * 1024 * 1024,
  searchTime: 10_000,
  diffLines: 400,
  lineLength: 400,
}

/** The limits that hold. */
export function fileLimits(given: Partial<FileLimits> = {}): FileLimits {
  const limits = { ...defaultFileLimits }
  for (const [name, value] of Object.entries(given)) {
    if (value === undefined) continue
    if (!Object.hasOwn(limits, name)) throw invalid(`There is no limit ${name} for file tools.`)
    if (!Number.isSafeInteger(value) || value < 1)
      throw invalid(`The limit ${name} is no whole number above 0.`)
    limits[name as keyof FileLimits] = value
  }
  return limits
}

const invalid = (problem: string) => new LegibleError('file.invalid_limit', problem)
