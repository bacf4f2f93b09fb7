import { realpathSync, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { fileError, UsageError } from './usage-error.ts'

/** The folder that a command works in: the one that was named, or the current one. Throws a UsageError if it is none. */
export function folderOf(given = '.'): string {
  const folder = resolve(given)
  try {
    if (statSync(folder).isDirectory()) return realpathSync(folder)
  } catch (error) {
    throw fileError(given, error)
  }
  throw new UsageError('cli.unreadable_file', `${given}: this is no folder`)
}
