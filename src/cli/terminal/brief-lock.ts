import { closeSync, openSync, rmSync, statSync } from 'node:fs'

/** Longer than anybody holds it: whoever made it is gone. */
const STALE = 5000
/** A person does not notice it. */
const PATIENCE = 300
const PAUSE = 5

/** Does something while no other process does it. After a while it is done without: `isLocked` says so. */
export function withBriefLock(lock: string, what: (isLocked: boolean) => void): void {
  const isLocked = take(lock)
  try {
    what(isLocked)
  } finally {
    if (isLocked) rmSync(lock, { force: true })
  }
}

function take(lock: string): boolean {
  for (const start = Date.now(); Date.now() - start < PATIENCE; pause()) {
    try {
      closeSync(openSync(lock, 'wx', 0o600))
      return true
    } catch (error) {
      // A full disk, or a folder that cannot be written to: what follows says so itself.
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
      const made = statSync(lock, { throwIfNoEntry: false })?.mtimeMs
      if (made !== undefined && Date.now() - made > STALE) rmSync(lock, { force: true })
    }
  }
  return false
}

const pause = () => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE)
