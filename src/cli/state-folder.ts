import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { basename, join } from 'node:path'
import { makePrivateFolder } from '../durable/private-file.ts'

/** The user's own folder for what is kept between runs: `LEGIBLE_STATE`, or where the system wants such things. */
export function stateFolder(env: Readonly<Record<string, string | undefined>> = process.env): string {
  if (env.LEGIBLE_STATE) return env.LEGIBLE_STATE
  if (process.platform === 'win32' && env.LOCALAPPDATA) return join(env.LOCALAPPDATA, 'legible')
  return join(env.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'legible')
}

/**
 * Where the permissions for a folder are kept. Not in the folder itself: what comes with a project that was fetched from
 * somewhere must not permit anything.
 */
export function permissionsFile(root: string): string {
  const hash = createHash('sha256').update(root).digest('hex').slice(0, 16)
  const name = basename(root)
    .replace(/[^\w.-]/g, '_')
    .slice(0, 40)
  return join(stateFolder(), 'permissions', `${name}-${hash}.json`)
}

/** Where it is written down what tools did in a folder. */
export const auditFile = (root: string): string => join(root, '.legible', 'audit.jsonl')

/** What commands leave in a folder, for its owner alone, and left out of version control. */
export async function makeLegibleFolder(root: string): Promise<void> {
  const folder = join(root, '.legible')
  const isNew = !existsSync(folder)
  await makePrivateFolder(folder)
  if (isNew) await writeFile(join(folder, '.gitignore'), '*\n', { flag: 'wx' }).catch(() => {})
}
