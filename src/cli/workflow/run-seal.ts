import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { RunHeader } from '../../durable/run-file.ts'
import { stateFolder } from '../state-folder.ts'

/**
 * By which a run is known as one that this user has begun. The file of a run names tools and models that are started when it is looked
 * at or taken up again, and what people have permitted; in a project that was fetched from somewhere it may come from anybody.
 */
export function sealOf(header: RunHeader): string {
  const { id, started, file, program, inputs, settings } = header
  const sealed = JSON.stringify([id, started, file, program, inputs, settings])
  return createHmac('sha256', key()).update(sealed).digest('hex')
}

export function isOurs(header: RunHeader): boolean {
  const [given, own] = [header.seal ?? '', sealOf(header)].map((seal) => Buffer.from(seal)) as [
    Buffer,
    Buffer,
  ]
  return given.length === own.length && timingSafeEqual(given, own)
}

/** Made once, in a folder of the user's own. */
function key(): Buffer {
  const file = join(stateFolder(), 'run-key')
  try {
    return readFileSync(file)
  } catch {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
    try {
      writeFileSync(file, randomBytes(32), { flag: 'wx', mode: 0o600 })
    } catch (error) {
      // Another process was quicker.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    }
    return readFileSync(file)
  }
}
