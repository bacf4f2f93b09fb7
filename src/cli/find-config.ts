import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { UsageError } from './usage-error.ts'

const names = ['legible.toml', 'legible.config.ts', 'legible.config.js', 'legible.config.mjs']

/**
 * The nearest configuration file, from a folder upwards: to the root of its repository, or to the home folder. Written
 * relative to the folder.
 */
export function findConfig(cwd: string): string | undefined {
  const home = homedir()
  for (let folder = resolve(cwd); ; folder = dirname(folder)) {
    const [found, other] = names.map((name) => join(folder, name)).filter((file) => existsSync(file))
    if (found !== undefined && other !== undefined)
      throw new UsageError(
        'cli.invalid_config',
        `${relative(cwd, found)} and ${relative(cwd, other)} are both there; keep one of them`,
      )
    if (found !== undefined) return relative(cwd, found)
    // What lies further up belongs to somebody else.
    if (folder === home || existsSync(join(folder, '.git')) || dirname(folder) === folder) return undefined
  }
}
